import { problemSchema, type FailureKind, type OpenAiFailure } from '@netaclaw/contracts';
import { DomainError } from '../error.js';
import { failureAnswer, type FailureAnswer } from './error.js';

type Kind = Pick<OpenAiFailure['error'], 'type' | 'code'>;

/** A refusal with the words of the OpenAI-compatible API that its kind alone does not give. */
export class OpenAiError extends DomainError {
  constructor(
    kind: FailureKind,
    message: string,
    readonly words: {
      code: string;
      param?: string;
      headers?: Readonly<Record<string, string>>;
    },
  ) {
    super(kind, message);
  }
}

const kinds: Record<FailureKind, Kind> = {
  validation: { type: 'invalid_request_error', code: null },
  unauthorized: { type: 'invalid_request_error', code: 'invalid_api_key' },
  forbidden: { type: 'permission_error', code: 'permission_denied' },
  notFound: { type: 'invalid_request_error', code: 'not_found' },
  conflict: { type: 'invalid_request_error', code: 'conflict' },
  tooLarge: { type: 'invalid_request_error', code: 'request_too_large' },
  rateLimited: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  internal: { type: 'server_error', code: 'internal_error' },
  notReady: { type: 'server_error', code: 'not_ready' },
};

/** The same failure as `failureAnswer` gives, in the form that clients of the OpenAI API read. */
export function openAiFailureAnswer(error: unknown): FailureAnswer<OpenAiFailure> {
  const { status, body, retryAfter } = failureAnswer(error);
  const { headers, ...words } = error instanceof OpenAiError ? error.words : {};
  const kind = kinds[error instanceof DomainError ? error.kind : 'internal'];
  const { message } = body;
  return {
    status,
    body: { error: { message, param: paramOf(body.details), ...kind, ...words } },
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(headers === undefined ? {} : { headers }),
  };
}

/** The first wrong place of a refused body, as that API writes it: `messages[2].content`. */
function paramOf(details: unknown): string | null {
  const first = problemSchema.safeParse(Array.isArray(details) ? details[0] : null);
  return first.success && first.data.path !== '' ? openAiParam(first.data.path) : null;
}

/** A path in dots as that API writes it. */
export const openAiParam = (path: string): string => path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
