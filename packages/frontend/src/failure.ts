import {
  failureSchema,
  failures,
  nameTakenSchema,
  problemSchema,
  type FailureKind,
  type Problem,
} from '@netaclaw/contracts';
import { z } from 'zod';

/** What can go wrong: the server's kinds, no connection, or an answer nobody understands. */
export type RequestFailureKind = FailureKind | 'network' | 'unexpected';

/** A request that did not succeed. `message` is the server's sentence where there is one. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly kind: RequestFailureKind;
  readonly code: number | null;
  readonly details: unknown;

  constructor(
    message: string,
    facts: { kind: RequestFailureKind; code?: number; details?: unknown; cause?: unknown },
  ) {
    super(message, { cause: facts.cause });
    this.kind = facts.kind;
    this.code = facts.code ?? null;
    this.details = facts.details;
  }

  /** The wrong places that the sentence does not tell of already. */
  get unsaidProblems(): readonly Problem[] {
    return this.problems.filter(({ message }) => !this.message.includes(message));
  }

  /** The wrong places of a body, where the server named them; a name that is taken is one. */
  get problems(): readonly Problem[] {
    const parsed = z.array(problemSchema).safeParse(this.details);
    if (parsed.success) return parsed.data;
    const taken = nameTakenSchema.safeParse(this.details);
    return taken.success ? taken.data.problems : [];
  }
}

/** Any thrown value as a failure; what is not one already is a fault of the console itself. */
export function toFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RequestFailure(message, { kind: 'unexpected', cause: error });
}

/** The failure that an answer with an error status tells of. */
export async function failureOf(response: Response): Promise<RequestFailure> {
  const parsed = failureSchema.safeParse(await jsonOf(response));
  const kind = kindOf(response.status);
  if (parsed.success) return new RequestFailure(parsed.data.message, { ...parsed.data, kind });
  const message = `The server answered ${response.status} ${response.statusText}`.trim();
  return new RequestFailure(message, { kind });
}

/** True for a request that was given up on purpose. */
export const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

function kindOf(status: number): RequestFailureKind {
  const found = Object.entries(failures).find(([, failure]) => failure.status === status);
  return found && isKind(found[0]) ? found[0] : 'unexpected';
}

const isKind = (name: string): name is FailureKind => name in failures;

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (isAbort(error)) throw error;
    return null;
  }
}
