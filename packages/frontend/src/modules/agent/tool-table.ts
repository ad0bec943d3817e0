import {
  capabilitySchema,
  catalogStateSchema,
  toolsetNameSchema,
  visibilitySchema,
} from '@netaclaw/contracts';
import type { Choice, Column, Filter } from '../../components/column.js';

/** Together no wider than what a screen of 1280 leaves beside the menu. */
export const toolColumns: readonly Column[] = [
  { key: 'name', label: 'tool.name', sortable: true, minWidth: 130, fixed: 'left' },
  { key: 'label', label: 'tool.label', sortable: true, minWidth: 100 },
  { key: 'toolset', label: 'tool.toolset', sortable: true, width: 95 },
  { key: 'capability', label: 'tool.capability', sortable: true, width: 110 },
  { key: 'visibility', label: 'tool.visibility', sortable: true, width: 100 },
  { key: 'isCore', label: 'tool.isCore', width: 65 },
  { key: 'status', label: 'tool.status', sortable: true, width: 95 },
  { key: 'promptHint', label: 'tool.promptHint', width: 95 },
  { key: 'overridden', label: 'tool.overridden', width: 95 },
  { key: 'catalogState', label: 'tool.catalogState', width: 80 },
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
