import { skillStatusSchema } from '@netaclaw/contracts';
import type { Column, Filter } from '../../components/column.js';

export const skillColumns: readonly Column[] = [
  { key: 'name', label: 'skills.name', sortable: true, minWidth: 170, fixed: 'left' },
  { key: 'description', label: 'skills.description', minWidth: 300 },
  { key: 'status', label: 'skills.status', sortable: true, width: 120 },
  { key: 'publishedNumber', label: 'skills.published', width: 120 },
  { key: 'latestNumber', label: 'skills.latest', width: 120 },
  { key: 'updateTime', label: 'skills.updateTime', sortable: true, width: 175 },
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
