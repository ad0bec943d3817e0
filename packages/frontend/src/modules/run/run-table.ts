import { runSourceSchema, runStatusSchema } from '@netaclaw/contracts';
import type { Column, Filter } from '../../components/column.js';

export const runColumns: readonly Column[] = [
  { key: 'startedAt', label: 'run.startedAt', sortable: true, width: 160 },
  { key: 'agent', label: 'run.agent', sortable: true, minWidth: 110 },
  { key: 'owner', label: 'run.owner', sortable: true, minWidth: 100 },
  { key: 'source', label: 'runs.source', width: 90 },
  { key: 'model', label: 'run.model', minWidth: 110 },
  { key: 'toolCallCount', label: 'run.tools', width: 80 },
  { key: 'totalTokens', label: 'run.tokens', width: 85 },
  { key: 'duration', label: 'runs.duration', width: 90 },
  { key: 'status', label: 'run.status', sortable: true, width: 120 },
];

/** The filters above the runs, with their choices in the language of the moment. */
export const runFilters = (t: (key: string) => string): readonly Filter[] => [
  { key: 'keyWord', label: 'runs.keyWord', kind: 'text' },
  {
    key: 'status',
    label: 'run.status',
    kind: 'select',
    choices: runStatusSchema.options.map((value) => ({ value, label: t(`runStatus.${value}`) })),
  },
  { key: 'agent', label: 'runs.agentName', kind: 'text' },
  { key: 'crew', label: 'runs.crewName', kind: 'text' },
  {
    key: 'roots',
    label: 'runs.members',
    kind: 'select',
    choices: [
      { value: 1, label: t('runs.withoutMembers') },
      { value: 0, label: t('runs.withMembers') },
    ],
  },
  { key: 'owner', label: 'runs.ownerName', kind: 'text' },
  {
    key: 'source',
    label: 'runs.source',
    kind: 'select',
    choices: runSourceSchema.options.map((value) => ({ value, label: t(`runSource.${value}`) })),
  },
];
