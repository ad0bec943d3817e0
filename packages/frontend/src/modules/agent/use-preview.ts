import { agentDraftSchema, type AgentConfig, type AgentDraft } from '@netaclaw/contracts';
import { watchDebounced } from '@vueuse/core';
import type { PromptPreview } from '@netaclaw/contracts';
import { useLoad, type Loaded } from '../../composables/use-load.js';
import type { Seat } from './seats.js';
import { previewPrompt } from './service.js';

const DEBOUNCE_MS = 350;

/** What is previewed. */
export interface Previewed {
  /** 0: it is not stored yet. */
  id: () => number;
  draft: () => Partial<AgentConfig>;
  /** Null: by itself. */
  seat: () => Seat | null;
}

/** What a run of an unsaved draft would get, asked anew when the draft has come to rest. */
export function usePreview({ id, draft, seat }: Previewed): Loaded<PromptPreview> {
  const loaded = useLoad((signal) => {
    const stored = id() === 0 ? {} : { id: id() };
    return previewPrompt({ ...stored, ...seat(), draft: validPart(draft()) }, signal);
  });
  watchDebounced([draft, seat], loaded.reload, { debounce: DEBOUNCE_MS });
  return loaded;
}

/** The draft without the fields that are not valid yet: what is being typed must not hide the rest. */
export function validPart(draft: Partial<AgentConfig>): AgentDraft {
  const fields: Record<string, unknown> = { ...draft };
  for (;;) {
    const parsed = agentDraftSchema.safeParse(fields);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) delete fields[String(issue.path[0])];
  }
}
