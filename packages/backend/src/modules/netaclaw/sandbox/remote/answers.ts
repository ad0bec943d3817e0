import { z } from 'zod';
import type { DirectoryEntry } from '../components.js';

/** What a command came to, whichever service ran it. */
export interface ExecAnswer {
  success: boolean;
  exitCode: number | null;
  stdout: string;
  stderr: string;
  error: string;
}

/** What code came to. */
export interface CodeAnswer {
  success: boolean;
  output: string;
  error: string;
  images: number;
}

const recordSchema = z.record(z.string(), z.unknown());
type Fields = z.infer<typeof recordSchema>;

/** An answer as an object; what is none becomes an empty one. */
export function fieldsOf(value: unknown): Fields {
  const parsed = recordSchema.safeParse(value);
  return parsed.success ? parsed.data : {};
}

/** The same fields stand flat in one service and under `data` in another: both become flat. */
export function flattened(value: unknown): Fields {
  const outer = fieldsOf(value);
  const inner = recordSchema.safeParse(outer['data']);
  if (!inner.success) return outer;
  const { data: _nested, ...rest } = outer;
  return { ...rest, ...withoutBlank(inner.data, rest) };
}

/** Reads the answer of a shell. */
export function readExec(value: unknown): ExecAnswer {
  const fields = flattened(value);
  const success = fields['success'] !== false;
  const code = fields['return_code'] ?? fields['exit_code'] ?? fields['returncode'];
  const error = textOf(fields['error']);
  return {
    success,
    exitCode: typeof code === 'number' ? code : null,
    stdout: textOf(fields['stdout']) || textOf(fields['output']),
    stderr: textOf(fields['stderr']) || error,
    error,
  };
}

/** Reads the answer of a Python session. */
export function readCode(value: unknown): CodeAnswer {
  const fields = flattened(value);
  const output = recordSchema.safeParse(fields['output']);
  const nested = output.success ? output.data : {};
  const text = output.success ? textOf(nested['text']) : textOf(fields['output']);
  const images = nested['images'] ?? fields['images'];
  return {
    success: fields['success'] !== false,
    output: text || textOf(fieldsOf(value)['output']),
    error: textOf(fields['error']),
    images: Array.isArray(images) ? images.length : 0,
  };
}

const entrySchema = z.object({
  name: z.string(),
  type: z.string().nullish(),
  is_file: z.boolean().nullish(),
  is_dir: z.boolean().nullish(),
  size: z.number().nullish(),
});

/** Reads a listing: `entries` with `is_dir`, or `files` with `type`. In the order of names. */
export function readEntries(value: unknown): DirectoryEntry[] {
  const fields = flattened(value);
  const entries = z.array(entrySchema).safeParse(fields['entries'] ?? fields['files']);
  return (entries.success ? entries.data : []).map(toEntry).toSorted(byName);
}

function toEntry(entry: z.infer<typeof entrySchema>): DirectoryEntry {
  const kind = kindOf(entry);
  return { name: entry.name, kind, size: kind === 'file' ? (entry.size ?? null) : null };
}

function kindOf({ type, is_file, is_dir }: z.infer<typeof entrySchema>): DirectoryEntry['kind'] {
  if (is_dir === true || type === 'directory' || type === 'dir') return 'directory';
  if (is_file === true || type === 'file') return 'file';
  return type === 'link' || type === 'symlink' ? 'link' : 'other';
}

const byName = (a: DirectoryEntry, b: DirectoryEntry): number =>
  a.name < b.name ? -1 : Number(a.name > b.name);

/** What the service says inside comes before what stands around it, unless it is empty. */
function withoutBlank(inner: Fields, outer: Fields): Fields {
  const kept = Object.entries(inner).filter(
    ([name, value]) => !(name in outer) || (value !== null && value !== undefined && value !== ''),
  );
  return Object.fromEntries(kept);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
