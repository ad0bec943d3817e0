import {
  SKILL_DOCUMENT,
  SKILL_LIMITS,
  slugSchema,
  type Problem,
  type SkillFrontMatter,
} from '@netaclaw/contracts';
import { isMap, isScalar, parseDocument, type Document } from 'yaml';
import { z } from 'zod';

/** A SKILL.md as it was understood. */
export interface ParsedSkill {
  frontMatter: SkillFrontMatter;
  /** What follows the front matter, without blank lines around it. */
  body: string;
}

export type SkillParsing = { ok: true; skill: ParsedSkill } | { ok: false; problems: Problem[] };

/**
 * Reads a SKILL.md of the Agent Skills standard. Every fault is a problem below the path `where`, with
 * the line where there is one and what to do; nothing of the front matter is dropped in silence.
 */
export function parseSkill(text: string, where: string): SkillParsing {
  if (new TextEncoder().encode(text).length > SKILL_LIMITS.document) {
    const most = SKILL_LIMITS.document / 1024;
    return refused({ path: where, message: `is longer than ${most} KiB; move parts to files` });
  }
  const parts = splitFrontMatter(text);
  if (typeof parts === 'string') return refused({ path: where, message: parts });
  const fields = readFields(parts.yaml, where);
  if (!fields.ok) return fields;
  const parsed = fieldsSchema.safeParse(fields.value);
  if (!parsed.success)
    return { ok: false, problems: parsed.error.issues.flatMap(problemsAt(where)) };
  return { ok: true, skill: { frontMatter: frontMatterOf(parsed.data), body: parts.body.trim() } };
}

/** The names of the tools that a skill works with: what stands before a bracket, each once. */
export const toolNamesOf = (allowedTools: readonly string[]): string[] => [
  ...new Set(allowedTools.map((entry) => entry.replace(/\(.*$/s, ''))),
];

const refused = (...problems: Problem[]): SkillParsing & { ok: false } => ({ ok: false, problems });

const FENCE = /^---[ \t]*$/;

/** The YAML between the two fences and the text behind them, or what is wrong. */
function splitFrontMatter(text: string): { yaml: string; body: string } | string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  if (!FENCE.test(lines[0] ?? '')) {
    return 'line 1: must be "---", then the fields name and description, then a line "---"';
  }
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (end < 0) return 'the front matter does not end: close it with a line "---"';
  return { yaml: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n') };
}

/** The first line of a file's YAML is its second: before it stands the fence. */
const LINES_BEFORE = 1;

/** All values stay the text that was written: `1.0` is a version and no number. */
function readFields(
  yaml: string,
  where: string,
): { ok: true; value: unknown } | (SkillParsing & { ok: false }) {
  const document = parseDocument(yaml, { schema: 'failsafe', logLevel: 'silent' });
  if (document.errors.length > 0)
    return refused(...document.errors.map(syntaxProblem(yaml, where)));
  if (!isMap(document.contents)) {
    return refused({
      path: where,
      message: 'line 2: the front matter must be fields, such as "name: my-skill"',
    });
  }
  const lost = commentInDescription(document);
  if (lost !== null) return refused({ path: fieldPath(where, 'description'), message: lost });
  try {
    return { ok: true, value: document.toJS() };
  } catch {
    // Of aliases that multiply each other there are more than anybody means.
    return refused({
      path: where,
      message: 'the front matter has too many aliases; write the values out',
    });
  }
}

const syntaxProblem =
  (yaml: string, where: string) =>
  (error: Document['errors'][number]): Problem => {
    const at = error.linePos?.[0].line ?? 1;
    const line = yaml.split('\n')[at - 1] ?? '';
    const [sentence = ''] = error.message.split('\n');
    const said = sentence.replace(/ at line \d+, column \d+:?$/, '');
    return { path: where, message: `line ${at + LINES_BEFORE}: ${said}.${adviceFor(line)}` };
  };

/** What most often goes wrong: a value with a colon and a space in it that stands without quotes. */
function adviceFor(line: string): string {
  const [, field] = /^\s*([\w-]+):\s+[^"'|>\s].*:(\s|$)/.exec(line) ?? [];
  if (field === undefined) return ' Mend this line.';
  return ` Put the value in quotes, since it has a colon in it: ${field}: "…".`;
}

/** What follows a number sign is a comment to YAML: part of the description would be lost. */
function commentInDescription(document: Document): string | null {
  const node = document.get('description', true);
  if (!isScalar(node) || !node.comment || node.type !== 'PLAIN') return null;
  return `"#${node.comment.split('\n')[0]}" would be lost as a comment: put the description in quotes`;
}

const textSchema = z.string({ error: 'must be text' });

const fieldsSchema = z.strictObject({
  name: textSchema.pipe(slugSchema),
  description: textSchema
    .trim()
    .min(1, 'must say what the skill does and when to use it')
    .max(SKILL_LIMITS.description),
  license: textSchema.trim().max(1000).optional(),
  compatibility: textSchema.trim().max(SKILL_LIMITS.compatibility).optional(),
  metadata: z.record(z.string(), textSchema).optional(),
  'allowed-tools': z.union([textSchema, z.array(textSchema)]).optional(),
});

const frontMatterOf = (fields: z.output<typeof fieldsSchema>): SkillFrontMatter => ({
  name: fields.name,
  description: fields.description,
  license: fields.license || null,
  compatibility: fields.compatibility || null,
  metadata: fields.metadata ?? {},
  allowedTools: [fields['allowed-tools'] ?? []].flat().flatMap(entriesOf),
});

/** Entries are parted by spaces or commas; what stands in brackets belongs to its entry. */
const entriesOf = (text: string): string[] => text.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? [];

const problemsAt =
  (where: string) =>
  (issue: z.core.$ZodIssue): Problem[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => unknownField(where, key));
    const path = fieldPath(where, issue.path.map(String).join('.'));
    const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
    return [{ path, message: isMissing ? 'is missing' : issue.message }];
  };

/** Within a body dots lead to a field; within a file its name has one, so a field stands behind `#`. */
const fieldPath = (where: string, field: string): string =>
  `${where}${where === SKILL_DOCUMENT ? '#' : '.'}${field}`;

const unknownField = (where: string, key: string): Problem => ({
  path: fieldPath(where, key),
  message: 'is no field of the standard; put it under metadata',
});
