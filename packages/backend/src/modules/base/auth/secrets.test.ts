import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SecretBox } from './secret_box.js';
import { Secrets } from './secrets.js';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'netaclaw-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const pathOf = () => join(dataDir, 'secrets.json');
const good = Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 37) % 256));

function loaded(): Secrets {
  const secrets = new Secrets();
  secrets.load(dataDir);
  return secrets;
}

it('makes secrets once, readable by their owner only', () => {
  const first = loaded();
  expect(statSync(pathOf()).mode & 0o777).toBe(0o600);
  expect(first.signingKey.export()).toHaveLength(32);
  expect(first.signingKey.equals(loaded().signingKey)).toBe(true);
  expect(first.signingKey.equals(first.encryptionKey)).toBe(false);
  expect(readdirSync(dataDir)).toEqual(['secrets.json']);
});

it('says so when the secrets are asked for too early', () => {
  expect(() => new Secrets().signingKey).toThrow('not loaded');
});

it.each([
  ['no JSON', '{'],
  ['an empty file', ''],
  ['a missing key', JSON.stringify({ signingKey: good.toString('base64') })],
  ['a known default', JSON.stringify({ signingKey: 'changeme', encryptionKey: 'secret' })],
  ['one byte over and over', keysOf(Buffer.alloc(32, 1), good)],
  ['a repeated word', keysOf(Buffer.from('changemechangemechangemechangeme'), good)],
  ['a short key', keysOf(good.subarray(0, 31), good)],
  ['the same key twice', keysOf(good, good)],
])('refuses %s, names the file and shows nothing of it', (_, text) => {
  writeFileSync(pathOf(), text);
  expect(loaded).toThrow(pathOf());
  expect(loaded).toThrow(/restore the file from a backup, or remove it/);
  expect(loaded).not.toThrow(good.toString('base64'));
  expect(readFileSync(pathOf(), 'utf8')).toBe(text);
});

function keysOf(signing: Buffer, encryption: Buffer): string {
  return JSON.stringify({
    signingKey: signing.toString('base64'),
    encryptionKey: encryption.toString('base64'),
  });
}

function newBox(): SecretBox {
  const box = new SecretBox();
  box.secrets = loaded();
  return box;
}

it('opens what it sealed, and seals the same text differently each time', () => {
  const box = newBox();
  const sealed = box.seal('sk-密钥-🔑');
  expect(box.open(sealed)).toBe('sk-密钥-🔑');
  expect(box.open(box.seal(''))).toBe('');
  expect(sealed).toMatch(/^v1:[\w-]+$/);
  expect(box.seal('a')).not.toBe(box.seal('a'));
});

it('refuses what was changed, cut, or sealed with another key, without the text', () => {
  const box = newBox();
  const sealed = box.seal('sk-very-secret');
  const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
  rmSync(pathOf());
  const other = newBox();
  expect(() => other.open(sealed)).toThrow('another secrets.json');
  expect(() => box.open(changed)).toThrow('it was changed');
  expect(() => box.open('v1:AAAA')).toThrow('too short');
  expect(() => box.open('sk-very-secret')).toThrow(
    /^a stored secret cannot be opened: it is in no form/,
  );
  expect(() => box.open('sk-very-secret')).not.toThrow('sk-very-secret');
});
