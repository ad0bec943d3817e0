import type { Problem } from '@netaclaw/contracts';
import type { z } from 'zod';
import { invalid } from '../error.js';

/** Parses input where it enters; refuses with a path and a sentence for each wrong place. */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(problemsOf(result.error.issues));
}

/** zod's issues as the answer's `details`; an unknown field is named by its own path. */
export function problemsOf(issues: readonly z.core.$ZodIssue[]): Problem[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...issue.path, key].join('.'),
        message: 'this field is not known here',
      }));
    }
    return [{ path: issue.path.join('.'), message: issue.message }];
  });
}
