import { SKILL_DOCUMENT } from '@netaclaw/contracts';
import { ZipFile } from 'yazl';
import type { PackedFile } from './skill_package.js';

/** The oldest time a zip can say: the same version gives the same bytes. */
const NO_TIME = new Date(1980, 0, 1);

/** A skill as a zip: a folder of its name with SKILL.md and its files. */
export async function writeZip(
  name: string,
  content: string,
  files: readonly PackedFile[],
): Promise<Buffer> {
  const zip = new ZipFile();
  const all = [{ path: SKILL_DOCUMENT, bytes: Buffer.from(content) }, ...files];
  for (const { path, bytes } of all) {
    zip.addBuffer(bytes, `${name}/${path}`, { mtime: NO_TIME, mode: 0o100644 });
  }
  zip.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.outputStream) {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  }
  return Buffer.concat(chunks);
}
