import type { PromptLayer } from '@netaclaw/contracts';
import {
  buildLastingLayers,
  buildRuntimeLayer,
  type SessionFacts,
} from '../../runtime/prompt_builder.js';

/** What of a prompt is a run's own. */
export interface OwnFacts {
  session: SessionFacts;
  executionContext: string | null;
  /** The session's frozen memory; empty: none. */
  memory: string;
  now: Date;
}

/** The layers that only this run has. */
export function ownLayers({ session, executionContext, memory, now }: OwnFacts): PromptLayer[] {
  const facts = { profile: '', toolHints: [], computerPrompts: [], guidance: [] };
  const layers = buildLastingLayers({
    ...facts,
    session,
    executionContext,
    memory: memory === '' ? [] : [memory],
  });
  return [
    ...layers.filter(({ key }) => key === 'context' || key === 'memory'),
    buildRuntimeLayer({ now, timeZone: localTimeZone }),
  ];
}

const localTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const order: readonly PromptLayer['key'][] = [
  'identity',
  'profile',
  'context',
  'tools',
  'memory',
  'guidance',
  'runtime',
];

/** All layers of a prompt in their order. */
export const arrange = (
  lasting: readonly PromptLayer[],
  own: readonly PromptLayer[],
): PromptLayer[] => {
  const all = [...lasting, ...own];
  return order.flatMap((key) => all.filter((layer) => layer.key === key));
};
