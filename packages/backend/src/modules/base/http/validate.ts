import type { Problem } from '@netaclaw/contracts';
import type { z } from 'zod';
import { invalid } from '../error.js';

/** Parses input where it enters; refuses with a path and a sentence for each wrong place. */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(problemsOf(result.error.issues));
}

/**
 * zod's issues as the answer's `details`; an unknown field is named by its own path. Of a union the
 * option that the value was meant for is told, where its type leaves only one.
 */
export function problemsOf(issues: readonly z.core.$ZodIssue[]): Problem[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...issue.path, key].join('.'),
        message: 'this field is not known here',
      }));
    }
    const meant = issue.code === 'invalid_union' ? meantOption(issue) : null;
    if (meant) {
      return problemsOf(meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
    }
    return [{ path: issue.path.join('.'), message: issue.message }];
  });
}

/** The issues of the only option of a union whose type the value has, and which it breaks further in. */
function meantOption({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | null {
  const [meant, ...others] = errors.filter((issues) => issues.every(({ path }) => path.length > 0));
  return meant && meant.length > 0 && others.length === 0 ? meant : null;
}
