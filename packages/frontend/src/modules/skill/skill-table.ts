import { skillStatusSchema } from '@netaclaw/contracts';
import type { Column, Filter } from '../../components/column.js';

export const skillColumns: readonly Column[] = [
  { key: 'name', label: 'skills.name', sortable: true, minWidth: 150, fixed: 'left' },
  { key: 'description', label: 'skills.description', minWidth: 250 },
  { key: 'status', label: 'skills.status', sortable: true, width: 110 },
  { key: 'publishedNumber', label: 'skills.published', width: 110 },
  { key: 'latestNumber', label: 'skills.latest', width: 110 },
  { key: 'updateTime', label: 'skills.updateTime', sortable: true, width: 160 },
];

/** The filters above the skills, with their choices in the language of the moment. */
export const skillFilters = (t: (key: string) => string): readonly Filter[] => [
  { key: 'keyWord', label: 'skills.keyWord', kind: 'text' },
  {
    key: 'status',
    label: 'skills.status',
    kind: 'select',
    choices: skillStatusSchema.options.map((value) => ({
      value,
      label: t(`skillStatus.${value}`),
    })),
  },
];
