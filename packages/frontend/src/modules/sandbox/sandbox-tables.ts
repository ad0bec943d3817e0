import { sandboxStatusSchema, skillStageSchema, type SandboxDriver } from '@netaclaw/contracts';
import type { Column, Filter } from '../../components/column.js';

type Translate = (key: string) => string;

export const liveColumns: readonly Column[] = [
  { key: 'sessionId', label: 'sandboxes.session', minWidth: 150 },
  { key: 'agent', label: 'sandboxes.agent', sortable: true, minWidth: 110 },
  { key: 'driver', label: 'sandboxes.driver', sortable: true, minWidth: 120 },
  { key: 'status', label: 'sandboxes.status', sortable: true, width: 100 },
  { key: 'capabilities', label: 'sandboxes.capabilities', minWidth: 170, wide: true },
  { key: 'startedAt', label: 'sandboxes.age', sortable: true, width: 115 },
  { key: 'expiresAt', label: 'sandboxes.ends', width: 115 },
];
export const liveActions: Column = { key: 'actions', label: 'common.actions', width: 190 };

export const liveFilters = (t: Translate, drivers: readonly SandboxDriver[]): Filter[] => [
  { key: 'keyWord', label: 'sandboxes.keyWord', kind: 'text' },
  {
    key: 'driver',
    label: 'sandboxes.driver',
    kind: 'select',
    choices: drivers.map(({ kind, label }) => ({ value: kind, label })),
  },
  {
    key: 'status',
    label: 'sandboxes.status',
    kind: 'select',
    choices: sandboxStatusSchema.options.map((value) => ({
      value,
      label: t(`sandboxStatus.${value}`),
    })),
  },
];

export const driverColumns: readonly Column[] = [
  { key: 'label', label: 'sandboxes.driver', minWidth: 150 },
  { key: 'kind', label: 'sandboxes.kind', minWidth: 120 },
  { key: 'address', label: 'sandboxes.address', minWidth: 170, wide: true },
  { key: 'state', label: 'sandboxes.state', minWidth: 260 },
  { key: 'tools', label: 'sandboxes.tools', width: 80 },
];
export const driverActions: Column = { key: 'actions', label: 'common.actions', width: 110 };

export const candidateColumns: readonly Column[] = [
  { key: 'skillKey', label: 'sandboxes.skillKey', minWidth: 150 },
  { key: 'id', label: 'sandboxes.candidate', minWidth: 150 },
  { key: 'status', label: 'sandboxes.status', width: 120 },
  { key: 'passed', label: 'sandboxes.evaluation', width: 150 },
  { key: 'createTime', label: 'sandboxes.createTime', width: 165, wide: true },
  { key: 'actions', label: 'common.actions', width: 220 },
];

export const releaseColumns: readonly Column[] = [
  { key: 'skillKey', label: 'sandboxes.skillKey', minWidth: 150 },
  { key: 'version', label: 'sandboxes.version', width: 90 },
  { key: 'stage', label: 'sandboxes.stage', width: 110 },
  { key: 'isActive', label: 'sandboxes.active', width: 100 },
  { key: 'candidateId', label: 'sandboxes.candidate', minWidth: 150, wide: true },
  { key: 'createTime', label: 'sandboxes.createTime', width: 165 },
];
export const releaseActions: Column = { key: 'actions', label: 'common.actions', width: 210 };

/** What both lists of skills are filtered by. */
export const skillFilters = (drivers: readonly SandboxDriver[]): Filter[] => [
  { key: 'skillKey', label: 'sandboxes.skillKey', kind: 'text' },
  {
    key: 'driver',
    label: 'sandboxes.driver',
    kind: 'select',
    choices: drivers.map(({ kind, label }) => ({ value: kind, label })),
  },
];

export const stageFilter = (t: Translate): Filter => ({
  key: 'stage',
  label: 'sandboxes.stage',
  kind: 'select',
  choices: skillStageSchema.options.map((value) => ({ value, label: t(`skillStage.${value}`) })),
});
