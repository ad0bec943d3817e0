import { protocolSchema } from '@netaclaw/contracts';
import type { Column, Filter } from '../../components/column.js';

export const channelColumns: readonly Column[] = [
  { key: 'name', label: 'channels.name', sortable: true, minWidth: 120, fixed: 'left' },
  { key: 'protocol', label: 'channels.protocol', sortable: true, width: 165 },
  { key: 'model', label: 'channels.model', sortable: true, minWidth: 110 },
  { key: 'capability', label: 'channels.capability', width: 100 },
  { key: 'apiKeyHint', label: 'channels.apiKey', width: 85 },
  { key: 'fallbackChannelId', label: 'channels.fallbackChannelId', minWidth: 110 },
  { key: 'status', label: 'channels.status', sortable: true, width: 95 },
  { key: 'updateTime', label: 'channels.updateTime', sortable: true, width: 160, wide: true },
];
export const channelActions: Column = {
  key: 'actions',
  label: 'common.actions',
  width: 150,
  fixed: 'right',
};

/** The filters above the channels, with their choices in the language of the moment. */
export const channelFilters = (t: (key: string) => string): readonly Filter[] => [
  { key: 'keyWord', label: 'channels.keyWord', kind: 'text' },
  {
    key: 'protocol',
    label: 'channels.protocol',
    kind: 'select',
    choices: protocolSchema.options.map((value) => ({ value, label: t(`protocol.${value}`) })),
  },
  {
    key: 'status',
    label: 'channels.status',
    kind: 'select',
    choices: [
      { value: 1, label: t('common.on') },
      { value: 0, label: t('common.off') },
    ],
  },
];
