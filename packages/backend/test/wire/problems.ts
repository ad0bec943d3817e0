import { z } from 'zod';

/** What the validators of request forms share. */

/** Function names, of tools and in calls. */
export const functionNameSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'not a function name');

export const spokenText = z.string().refine((text) => text.trim() !== '', 'blank text');

/** JSON text of an object, as the arguments of a call are. */
export const objectTextSchema = z.string().refine(isObjectText, 'not JSON text of an object');

/** Where an image may be: on the web, or in the request itself. */
export const imageUrlSchema = z
  .string()
  .regex(
    /^(https?:\/\/\S+|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*)$/,
    'neither a web address nor a data URL of an image',
  );

/** A tool's parameters: JSON Schema of an object. */
export const parametersSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.unknown()),
  $schema: z.undefined().optional(),
});

/** One line per issue: where, and what. */
export const schemaProblems = (error: z.ZodError): string[] =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);

/** A line for each text that stands in the list more than once. */
export function repeated(what: string, texts: readonly string[]): string[] {
  const again = texts.filter((text, index) => texts.indexOf(text) !== index);
  return [...new Set(again)].map((text) => `${what} ${text} is used more than once`);
}

/** Calls and results as both protocols want them, in the order of the conversation. */
export type Turn = { call: string } | { result: string } | { other: string };

/**
 * What is wrong with calls and results: each call has exactly one result, behind all calls of its
 * answer and before anything else is said, and no result is without a call.
 */
export function pairingProblems(turns: readonly Turn[]): string[] {
  const problems: string[] = [];
  let open = new Set<string>();
  let answering = false;
  const close = (before: string) => {
    for (const id of open) problems.push(`call ${id} has no result before ${before}`);
    open = new Set();
    answering = false;
  };
  for (const turn of turns) {
    if ('call' in turn) {
      if (answering) close(`call ${turn.call}`);
      open.add(turn.call);
    } else if ('result' in turn) {
      answering = true;
      if (!open.delete(turn.result)) problems.push(`result ${turn.result} has no open call`);
    } else {
      close(turn.other);
    }
  }
  close('the end');
  return problems;
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
