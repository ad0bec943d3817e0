import type { ChannelParams } from '@netaclaw/contracts';
import type { ModelOptions } from '../port.js';

/** The fields of a request to `/v1/messages` that a channel sets. */
export interface AnthropicParams {
  fields: Readonly<Record<string, unknown>>;
  /**
   * The same without thinking, where the model can only be asked to think when the call it continues
   * from began with its own thinking; null where that does not matter.
   */
  withoutThinking: Readonly<Record<string, unknown>> | null;
}

/**
 * What a model behind the protocol takes. Claude dropped parameters over time, and answers 400 to what
 * it no longer knows: since 4.6 it decides itself how long to think and is told an effort, since 4.7 it
 * takes no sampling parameters and no thinking budget; before 3.7 it cannot think.
 */
interface Traits {
  thinking: 'effort' | 'budget' | 'none';
  takesSampling: boolean;
}

/** Room for the answer where the channel sets none; the field is required. */
const ANSWER_TOKENS = 8_192;
/** Newer models may think before each answer, and that counts too. */
const THINKING_ANSWER_TOKENS = 16_384;
/** A budget below it is refused; as much is left for the answer. */
const MIN_TOKENS = 1_024;
type Effort = NonNullable<ChannelParams['reasoningEffort']>;
const budgets = { minimal: MIN_TOKENS, low: 4_096, medium: 8_192, high: 16_384 } satisfies Record<
  Effort,
  number
>;
const efforts = { minimal: 'low', low: 'low', medium: 'medium', high: 'high' } satisfies Record<
  Effort,
  string
>;

/** Turns a channel's options into the fields its model takes; what it does not take is left out. */
export function anthropicParams(options: ModelOptions): AnthropicParams {
  const { params } = options;
  const { thinking, takesSampling } = traitsOf(options.model);
  const sampling = takesSampling ? params : {};
  const plain = plainFields(
    options,
    thinking === 'effort' ? THINKING_ANSWER_TOKENS : ANSWER_TOKENS,
  );
  const fields = { ...plain, ...samplingOf(sampling) };
  if (params.reasoningEffort === undefined || thinking === 'none') {
    return { fields, withoutThinking: null };
  }
  const thoughtful = { ...plain, ...samplingBesideThinking(sampling) };
  if (thinking === 'effort') {
    return {
      fields: { ...thoughtful, ...effortOf(params.reasoningEffort) },
      withoutThinking: null,
    };
  }
  const budget = budgetOf(params.reasoningEffort, options.maxOutputTokens);
  return budget === null
    ? { fields, withoutThinking: null }
    : { fields: { ...thoughtful, ...budget }, withoutThinking: fields };
}

const plainFields = ({ model, maxOutputTokens }: ModelOptions, limit: number) => ({
  model,
  max_tokens: maxOutputTokens ?? limit,
});

/** Newer models leave their thoughts out of the answer unless they are asked for. */
const effortOf = (effort: Effort) => ({
  thinking: { type: 'adaptive', display: 'summarized' },
  output_config: { effort: efforts[effort] },
});

/** A budget within the channel's limit; null when that leaves no room for it. */
function budgetOf(effort: Effort, limit: number | null) {
  const max_tokens = limit ?? ANSWER_TOKENS + budgets[effort];
  const budget_tokens = Math.min(budgets[effort], max_tokens - MIN_TOKENS);
  if (budget_tokens < MIN_TOKENS) return null;
  return { max_tokens, thinking: { type: 'enabled', budget_tokens } };
}

/** Temperature goes to 1 here, and several models refuse it beside top_p. */
function samplingOf({ temperature, topP }: ChannelParams): Record<string, number> {
  if (temperature !== undefined) return { temperature: Math.min(1, temperature) };
  return topP === undefined ? {} : { top_p: topP };
}

/** While a model thinks, its temperature is its own, and top_p is refused below 0.95. */
function samplingBesideThinking({ topP }: ChannelParams): Record<string, number> {
  return topP !== undefined && topP >= 0.95 ? { top_p: topP } : {};
}

/** A model that is no Claude gets the older form, which is what servers of others know. */
function traitsOf(model: string): Traits {
  if (!/claude/i.test(model)) return { thinking: 'budget', takesSampling: true };
  const version = claudeVersion(model);
  if (version >= 406) return { thinking: 'effort', takesSampling: version < 407 };
  return { thinking: version >= 307 ? 'budget' : 'none', takesSampling: true };
}

/**
 * 405 for `claude-sonnet-4-5-20250929`, `anthropic/claude-4.5-sonnet` and the like, 400 for
 * `claude-opus-4-20250514`; a name without a number is taken for the newest.
 */
function claudeVersion(model: string): number {
  const found = /claude[a-z-]*?[-.](\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/i.exec(model);
  return found ? Number(found[1]) * 100 + Number(found[2] ?? 0) : Infinity;
}
