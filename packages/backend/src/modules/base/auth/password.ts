import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

/** 32 MiB and about a tenth of a second: what OWASP asks of scrypt at this memory. */
const cost = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MAX_MEMORY = 256 * 1024 * 1024;

/** Somebody's password, to be stored: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost);
  const parts = [cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')];
  return ['scrypt', ...parts].join('$');
}

/**
 * Compares in constant time. Null, the stored value of a user who does not exist, takes as long as any
 * other and is false.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const known = stored === null ? null : parseStored(stored);
  const salt = known?.salt ?? Buffer.alloc(SALT_BYTES);
  const hash = await derive(password, salt, known?.cost ?? cost);
  return known !== null && hash.length === known.hash.length && timingSafeEqual(hash, known.hash);
}

interface Stored {
  cost: { N: number; r: number; p: number };
  salt: Buffer;
  hash: Buffer;
}

function parseStored(stored: string): Stored {
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) {
    throw new Error('a stored password is not in the form scrypt$N$r$p$salt$hash');
  }
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  const text = password.normalize('NFC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, { ...options, maxmem: MAX_MEMORY }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}
