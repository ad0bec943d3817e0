import { z } from 'zod';

/** The path of a file or folder, as tools take it. */
export const pathParameter = (meaning: string): z.ZodString =>
  z
    .string()
    .min(1)
    .max(4096)
    .describe(`${meaning} Relative to the workspace root, for example "src/main.ts".`);
