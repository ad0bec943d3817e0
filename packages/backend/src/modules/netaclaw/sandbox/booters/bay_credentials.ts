import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { SandboxServiceSettings } from '../../../../settings.js';
import { ComputerError } from '../components.js';
import { systemCode } from '../file_error.js';

const credentialsSchema = z.object({
  api_key: z.string().min(1),
  endpoint: z.string().min(1).optional(),
});

/** Names of one and the same machine, as far as two addresses on it are compared. */
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '0.0.0.0', '[::1]']);

/**
 * The key of the service: the one that is set, else the one its own folder holds. Throws `ComputerError` when
 * there is none, or when it belongs to another address than the one that is set.
 */
export async function bayKey({ url, key, dataDir }: SandboxServiceSettings): Promise<string> {
  if (key !== null) return key;
  if (dataDir === null) throw refused('Neither BAY_API_KEY nor BAY_DATA_DIR is set.');
  const file = join(dataDir, 'credentials.json');
  const credentials = credentialsSchema.safeParse(await readJson(file));
  if (!credentials.success) {
    throw refused(`${file} (from BAY_DATA_DIR) holds no api_key. Set BAY_API_KEY instead.`);
  }
  const { api_key: found, endpoint } = credentials.data;
  if (endpoint !== undefined && !isSame(endpoint, url)) {
    throw refused(
      `The key in ${file} belongs to ${endpoint}, but BAY_URL is ${url}. Set BAY_URL to ${endpoint}, or BAY_API_KEY to a key of ${url}.`,
    );
  }
  return found;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const why = systemCode(error) ?? 'it is no JSON';
    throw refused(`${file} (from BAY_DATA_DIR) cannot be read: ${why}. Set BAY_API_KEY instead.`);
  }
}

function isSame(a: string, b: string): boolean {
  return originOf(a) === originOf(b);
}

function originOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const { protocol, hostname, port } = new URL(text);
  return `${protocol}//${THIS_MACHINE.has(hostname) ? 'localhost' : hostname}:${port}`;
}

const refused = (message: string): ComputerError => new ComputerError('denied', message);
