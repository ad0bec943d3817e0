import { roleSchema } from '@netaclaw/contracts';
import type { Column, Filter } from '../../components/column.js';

const actions: Column = { key: 'actions', label: 'common.actions', width: 140, fixed: 'right' };

export const userColumns: readonly Column[] = [
  { key: 'username', label: 'users.username', sortable: true, minWidth: 160 },
  { key: 'role', label: 'users.role', sortable: true, width: 140 },
  { key: 'status', label: 'users.status', sortable: true, width: 110 },
  { key: 'createTime', label: 'users.createTime', sortable: true, width: 180 },
  { key: 'updateTime', label: 'users.updateTime', sortable: true, width: 180 },
  actions,
];

export const apiKeyColumns: readonly Column[] = [
  { key: 'name', label: 'apiKeys.name', sortable: true, minWidth: 110 },
  { key: 'hint', label: 'apiKeys.hint', width: 85 },
  { key: 'agents', label: 'apiKeys.agents', minWidth: 120 },
  { key: 'rateLimit', label: 'apiKeys.rateLimit', width: 110 },
  { key: 'expiresAt', label: 'apiKeys.expiresAt', sortable: true, width: 160 },
  { key: 'lastUsedAt', label: 'apiKeys.lastUsedAt', sortable: true, width: 160 },
  { key: 'status', label: 'apiKeys.status', sortable: true, width: 80 },
  actions,
];

type Translate = (key: string) => string;

const statusFilter = (t: Translate): Filter => ({
  key: 'status',
  label: 'users.status',
  kind: 'select',
  choices: [
    { value: 1, label: t('common.on') },
    { value: 0, label: t('common.off') },
  ],
});

/** The filters above the users, with their choices in the language of the moment. */
export const userFilters = (t: Translate): readonly Filter[] => [
  { key: 'keyWord', label: 'users.username', kind: 'text' },
  { key: 'role', label: 'users.role', kind: 'select', choices: roleChoices(t) },
  statusFilter(t),
];

/** The filters above the API keys. */
export const apiKeyFilters = (t: Translate): readonly Filter[] => [
  { key: 'keyWord', label: 'apiKeys.name', kind: 'text' },
  statusFilter(t),
];

/** The roles to choose from. */
export const roleChoices = (t: Translate) =>
  roleSchema.options.map((value) => ({ value, label: t(`role.${value}`) }));
