import type { FailureKind, NameTaken, Problem } from '@netaclaw/contracts';

/**
 * A refusal: something was asked for that cannot be done, and `message` says what and why in words
 * for the caller. One place (`filter/error.ts`) turns it into an answer.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** For `validation` a list of problems, for `conflict` the current state or a `NameTaken`. */
    readonly details?: unknown,
  ) {
    super(message);
  }
}

export const notFound = (what: string): DomainError =>
  new DomainError('notFound', `${what} does not exist`);

/** A stale version: `current` is what stands there now. */
export const staleVersion = (what: string, current: unknown): DomainError =>
  new DomainError('conflict', `${what} was changed by somebody else; read it again`, { current });

/** A name that another row has: a fault of that one field, unlike a stale version. */
export function nameTaken(
  message: string,
  { path = 'name', current }: { path?: string; current?: unknown } = {},
): DomainError {
  const details: NameTaken = { problems: [{ path, message }], current };
  return new DomainError('conflict', message, details);
}

/** One or more wrong places in a body. */
export function invalid(problems: readonly Problem[]): DomainError {
  const sentences = problems.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  return new DomainError('validation', sentences.join('; '), problems);
}
