import { z } from 'zod';

/** What a service answered instead of an answer. */
export interface ServiceFailure {
  status: number;
  /** The service's own word, such as `sandbox_expired`; null where it has none. */
  code: string | null;
  /** Never empty. */
  message: string;
  details: Readonly<Record<string, unknown>>;
}

const errorBodySchema = z.object({
  error: z.object({
    code: z.string().nullish(),
    message: z.string().nullish(),
    details: z.record(z.string(), z.unknown()).nullish(),
  }),
});
const issueSchema = z.object({
  loc: z.array(z.union([z.string(), z.number()])).nullish(),
  msg: z.string(),
});
const detailBodySchema = z.object({ detail: z.union([z.string(), z.array(issueSchema)]) });
const plainBodySchema = z.object({ error: z.string() });

/** Reads an error body of any of the services: `{ error: { code, message } }`, `{ detail }`, plain text or nothing. */
export function readFailure(status: number, text: string): ServiceFailure {
  const value = parseQuietly(text);
  const own = errorBodySchema.safeParse(value);
  if (own.success) {
    const { code, message, details } = own.data.error;
    return {
      status,
      code: code ?? null,
      message: orNameless(message, status),
      details: details ?? {},
    };
  }
  return { status, code: null, message: orNameless(sentenceIn(value, text), status), details: {} };
}

function sentenceIn(value: unknown, text: string): string {
  const detail = detailBodySchema.safeParse(value);
  if (detail.success) {
    const { detail: found } = detail.data;
    return typeof found === 'string' ? found : found.map(describeIssue).join('; ');
  }
  const plain = plainBodySchema.safeParse(value);
  if (plain.success) return plain.data.error;
  return /^\s*</.test(text) ? '' : text.slice(0, 500);
}

function describeIssue({ loc, msg }: z.infer<typeof issueSchema>): string {
  const path = (loc ?? []).filter((part) => part !== 'body').join('.');
  return path === '' ? msg : `${path}: ${msg}`;
}

function orNameless(message: string | null | undefined, status: number): string {
  const text = message?.trim() ?? '';
  return text === '' ? `it answered ${status} and gave no reason` : text;
}

function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The words of services for what is not there, where their status does not say it. */
const MISSING = /\b404\b|not found|no such file|does not exist|cannot find/i;

export const soundsMissing = (message: string): boolean => MISSING.test(message);

/** Milliseconds that a failure asks to wait; null: it does not say. */
export function waitAskedFor(
  { details }: ServiceFailure,
  retryAfter: string | undefined,
): number | null {
  const { retry_after_ms: ms } = details;
  if (typeof ms === 'number' && ms >= 0) return ms;
  const seconds = Number(retryAfter);
  return retryAfter !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? seconds * 1000
    : null;
}
