import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { z } from 'zod';
import { makeFolder } from '../data/make_folder.js';

const FILE_NAME = 'secrets.json';
const KEY_BYTES = 32;
/** 32 random bytes have about thirty different values; far fewer were typed by somebody. */
const MIN_DIFFERENT_BYTES = 16;

const fileSchema = z.strictObject({ signingKey: z.string(), encryptionKey: z.string() });
type SecretsFile = z.infer<typeof fileSchema>;

/** The secrets of this installation, made at its first start and kept in the data folder. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class Secrets {
  private keys: { signing: KeyObject; encryption: KeyObject } | null = null;

  /** Signs access tokens. */
  get signingKey(): KeyObject {
    return this.loaded().signing;
  }

  /** Seals secrets that are stored. */
  get encryptionKey(): KeyObject {
    return this.loaded().encryption;
  }

  /**
   * Reads the file, or makes it. Throws with one sentence, which names the file and never its content,
   * when it cannot be used.
   */
  load(dataDir: string): void {
    const path = join(dataDir, FILE_NAME);
    const file = parseFile(path, readText(path) ?? makeFile(dataDir, path));
    this.keys = {
      signing: keyOf(path, 'signingKey', file),
      encryption: keyOf(path, 'encryptionKey', file),
    };
    if (file.signingKey === file.encryptionKey) throw unusable(path, 'both keys are the same');
  }

  private loaded(): { signing: KeyObject; encryption: KeyObject } {
    if (!this.keys) throw new Error('the secrets are not loaded yet');
    return this.keys;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw unusable(path, `it cannot be read (${codeOf(error)})`);
  }
}

/**
 * Written whole beside its place, then linked there: of two processes that start at once one wins,
 * and neither ever sees half a file. Resolves to what stands there in the end.
 */
function makeFile(dataDir: string, path: string): string {
  makeFolder(dataDir);
  const text = `${JSON.stringify({ signingKey: randomKey(), encryptionKey: randomKey() }, null, 2)}\n`;
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
    return text;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return readFileSync(path, 'utf8');
  } finally {
    rmSync(draft, { force: true });
  }
}

const randomKey = (): string => randomBytes(KEY_BYTES).toString('base64');

function parseFile(path: string, text: string): SecretsFile {
  const result = fileSchema.safeParse(parseJson(path, text));
  if (result.success) return result.data;
  throw unusable(path, 'it must hold signingKey and encryptionKey, and nothing else');
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unusable(path, 'it is not valid JSON');
  }
}

function keyOf(path: string, name: keyof SecretsFile, file: SecretsFile): KeyObject {
  const bytes = Buffer.from(file[name], 'base64');
  if (bytes.length !== KEY_BYTES || new Set(bytes).size < MIN_DIFFERENT_BYTES) {
    throw unusable(
      path,
      `${name} is a default, or too short: it must be ${KEY_BYTES} random bytes in base64`,
    );
  }
  return createSecretKey(bytes);
}

/** One sentence about the file and what to do about it. */
function unusable(path: string, why: string): Error {
  return new Error(
    `the secrets in ${path} cannot be used: ${why}; restore the file from a backup, or remove it to make ` +
      'new ones, which ends every sign-in and makes stored channel keys unreadable',
  );
}

function codeOf(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode ? String(error.code) : 'unknown';
}
