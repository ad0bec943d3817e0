import { ZipFile } from 'yazl';
import type { Json, TestClient } from './client.js';
import type { Scenario } from './scenario.js';

export const SKILL = '/admin/netaclaw/skill';

/** The text of a SKILL.md. `front` are further lines of its front matter. */
export const skillText = (name: string, { front = '', body = 'Do it.' } = {}): string =>
  `---\nname: ${name}\ndescription: What ${name} is for.\n${front}---\n\n${body}\n`;

/** A skill that agents get: added, approved, published. */
export async function publishedSkill(
  { admin }: Pick<Scenario, 'admin'>,
  name: string,
  options: { front?: string; body?: string } = {},
): Promise<Json> {
  const { id, version } = await admin.ask(`${SKILL}/add`, { content: skillText(name, options) });
  return publish(admin, { id, version });
}

/** Has the draft of a skill approved and published. */
export async function publish(
  admin: TestClient,
  { id, version }: { id: number; version: number },
): Promise<Json> {
  const approved = await admin.ask(`${SKILL}/review`, { id, version, decision: 'approve' });
  return admin.ask(`${SKILL}/publish`, { id, version: approved.version });
}

export const skillInfo = async (admin: TestClient, id: number, number?: number): Promise<Json> =>
  (await admin.get(`${SKILL}/info?id=${id}${number === undefined ? '' : `&number=${number}`}`))
    .data;

/** Uploads bytes; answers their id. */
export async function upload(
  { url, token }: TestClient,
  name: string,
  bytes: Uint8Array | string,
): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
  const response = await fetch(`${url}/api/netaclaw/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const answer: Json = await response.json();
  return String(answer.data.fileId);
}

export interface ZipEntry {
  path: string;
  content: string | Buffer;
  /** A Unix mode with its kind. */
  mode?: number;
  /** Left as it is instead of packed. */
  stored?: boolean;
}

export async function zipOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { path, content, mode, stored = false } of entries) {
    zip.addBuffer(Buffer.from(content), path, {
      compress: !stored,
      ...(mode === undefined ? {} : { mode }),
    });
  }
  zip.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** A zip as an attacker makes it: a name put in place of another of the same length. */
export function renamed(zip: Buffer, from: string, to: string): Buffer {
  const [text, search, value] = [zip.toString('latin1'), bytesOf(from), bytesOf(to)];
  if (search.length !== value.length) throw new Error('names of different lengths');
  return Buffer.from(text.replaceAll(search, value), 'latin1');
}

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');
