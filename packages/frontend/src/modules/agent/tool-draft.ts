import type { Status, ToolExtra, ToolRow } from '@netaclaw/contracts';

/** What an operator can change of a tool. */
export interface ToolDraft {
  label: string | null;
  description: string | null;
  status: Status;
  promptHint: string | null;
  sort: number;
  extra: ToolExtra | null;
}

export const toolDraftKeys = [
  'label',
  'description',
  'status',
  'promptHint',
  'sort',
  'extra',
] as const satisfies readonly (keyof ToolDraft)[];

export const toolDraftOf = (row: ToolRow): ToolDraft => ({
  label: row.label,
  description: row.description,
  status: row.status,
  promptHint: row.promptHint,
  sort: row.sort,
  extra: row.extra,
});

/** The notes with one of them changed; what is empty is left out, and nothing at all is null. */
export function changedExtra(
  extra: ToolExtra | null,
  change: { [name in keyof ToolExtra]: ToolExtra[name] | undefined },
): ToolExtra | null {
  const entries = Object.entries({ ...extra, ...change }).filter(
    ([, value]) => value !== undefined && value.length > 0,
  );
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
