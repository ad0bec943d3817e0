import { problemSchema, type ChatAnswer, type ChatCompletionBody } from '@netaclaw/contracts';
import { DomainError, invalid } from '../../../base/error.js';
import { OpenAiError } from '../../../base/filter/open_ai_error.js';

/** Headers that name the run behind a completion, and its session. */
export const runHeaders = ({
  runId,
  sessionId,
}: Pick<ChatAnswer, 'runId' | 'sessionId'>): Record<string, string> => ({
  'x-run-id': runId,
  'x-session-id': sessionId,
});

/**
 * A run that came to no answer. The client library asks again by itself after a 500, unless told not
 * to: a run that failed may have used tools, and its model was already asked as often as makes sense.
 */
export const runFailure = (
  { code, error }: { code: string; error: string },
  answer: Pick<ChatAnswer, 'runId' | 'sessionId'>,
): OpenAiError =>
  new OpenAiError('internal', error, {
    code,
    headers: { ...runHeaders(answer), 'x-should-retry': 'false' },
  });

/** Where a part of the message stands in the client's own list. */
export const partPath = (at: number, index: number | string): string =>
  `messages.${at}.content.${index}`;

const problemsSchema = problemSchema.array();

/** A refusal to begin a turn, in the client's terms: its message stands at `at` of its list. */
export function asOpenAi(error: unknown, body: ChatCompletionBody, at: number): unknown {
  if (!(error instanceof DomainError) || error instanceof OpenAiError) return error;
  if (error.kind === 'notFound' && body.metadata?.session_id !== undefined) {
    const param = 'metadata.session_id';
    return new OpenAiError('notFound', error.message, { code: 'session_not_found', param });
  }
  const problems = problemsSchema.safeParse(error.details);
  if (error.kind !== 'validation' || !problems.success) return error;
  return invalid(
    problems.data.map(({ path, message }) => ({
      message,
      path: path.replace(/^message\.(\d+)$/, (_whole, index: string) => partPath(at, index)),
    })),
  );
}
