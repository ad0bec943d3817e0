import {
  capabilitySchema,
  catalogStateSchema,
  toolsetNameSchema,
  visibilitySchema,
} from '@netaclaw/contracts';
import type { Choice, Column, Filter } from '../../components/column.js';

export const toolColumns: readonly Column[] = [
  { key: 'name', label: 'tool.name', sortable: true, minWidth: 150, fixed: 'left' },
  { key: 'label', label: 'tool.label', sortable: true, minWidth: 130 },
  { key: 'toolset', label: 'tool.toolset', sortable: true, width: 120 },
  { key: 'capability', label: 'tool.capability', sortable: true, width: 120 },
  { key: 'visibility', label: 'tool.visibility', sortable: true, width: 120 },
  { key: 'isCore', label: 'tool.isCore', width: 80 },
  { key: 'status', label: 'tool.status', sortable: true, width: 110 },
  { key: 'promptHint', label: 'tool.promptHint', width: 110 },
  { key: 'overridden', label: 'tool.overridden', width: 115 },
  { key: 'catalogState', label: 'tool.catalogState', width: 110 },
];

type Translate = (key: string) => string;

/** The filters above the tools, with their choices in the language of the moment. */
export function toolFilters(t: Translate): readonly Filter[] {
  const select = (key: string, group: string, values: readonly string[]): Filter => ({
    key,
    label: `tool.${key}`,
    kind: 'select',
    choices: values.map((value) => ({ value, label: t(`${group}.${value}`) })),
  });
  return [
    { key: 'keyWord', label: 'tool.keyWord', kind: 'text' },
    select('toolset', 'toolset', toolsetNameSchema.options),
    { key: 'source', label: 'tool.source', kind: 'text' },
    select('capability', 'capability', capabilitySchema.options),
    select('visibility', 'visibility', visibilitySchema.options),
    { key: 'status', label: 'tool.status', kind: 'select', choices: eitherOr(t, ['on', 'off']) },
    { key: 'isCore', label: 'tool.isCore', kind: 'select', choices: eitherOr(t, ['yes', 'no']) },
    select('catalogState', 'catalogState', catalogStateSchema.options),
  ];
}

const eitherOr = (t: Translate, [one, zero]: [string, string]): Choice[] => [
  { value: 1, label: t(`common.${one}`) },
  { value: 0, label: t(`common.${zero}`) },
];
