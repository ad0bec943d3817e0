import type { PromptLayer } from '@netaclaw/contracts';
import {
  buildLastingLayers,
  buildRuntimeLayer,
  type SessionFacts,
} from '../../runtime/prompt_builder.js';

/** The layers that only this run has. */
export function ownLayers(
  session: SessionFacts,
  executionContext: string | null,
  now: Date,
): PromptLayer[] {
  const facts = { profile: '', toolHints: [], computerPrompts: [], memory: [], guidance: [] };
  const context = buildLastingLayers({ ...facts, session, executionContext });
  return [
    ...context.filter(({ key }) => key === 'context'),
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
