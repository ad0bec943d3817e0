import { authRoutes, tokensSchema, type Tokens } from '@netaclaw/contracts';
import { z } from 'zod';
import { failureOf, RequestFailure } from './failure.js';

/**
 * Tokens are kept in localStorage: a refresh token is good for one use, so all tabs must share one.
 * The content security policy lets no foreign script run that could read them.
 */
const STORAGE_KEY = 'netaclaw.tokens';
const LOCK = 'netaclaw.renewal';

const storedSchema = z.object({ token: z.string(), refreshToken: z.string() });
export type StoredTokens = z.infer<typeof storedSchema>;

let renewal: Promise<StoredTokens | null> | null = null;

/** The tokens of this browser's sign-in, or null. */
export function readTokens(): StoredTokens | null {
  const text = localStorage.getItem(STORAGE_KEY);
  if (text === null) return null;
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export function keepTokens({ token, refreshToken }: Tokens): StoredTokens {
  const stored = { token, refreshToken };
  localStorage.setItem(STORAGE_KEY, JSON.stringify(stored));
  return stored;
}

export function dropTokens(): void {
  localStorage.removeItem(STORAGE_KEY);
}

/**
 * New tokens in place of `stale`; null when the sign-in has ended. All callers of this tab share one
 * renewal, and tabs wait for each other: who comes second finds the first one's tokens.
 */
export function renewTokens(stale: string): Promise<StoredTokens | null> {
  renewal ??= exclusively(() => renewOnce(stale)).finally(() => {
    renewal = null;
  });
  return renewal;
}

async function renewOnce(stale: string): Promise<StoredTokens | null> {
  const stored = readTokens();
  if (!stored) return null;
  if (stored.token !== stale) return stored;
  const response = await askForTokens(stored.refreshToken);
  if (response.status === 401) {
    dropTokens();
    return null;
  }
  if (!response.ok) throw await failureOf(response);
  const { data } = z.object({ data: tokensSchema }).parse(await response.json());
  return keepTokens(data);
}

async function askForTokens(refreshToken: string): Promise<Response> {
  try {
    return await fetch(authRoutes.refreshToken.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    });
  } catch (cause) {
    throw new RequestFailure('The server cannot be reached', { kind: 'network', cause });
  }
}

/** Browsers offer locks on https and localhost only; elsewhere tabs take their chance. */
async function exclusively<T>(work: () => Promise<T>): Promise<T> {
  const locks: LockManager | null | undefined = navigator.locks;
  return locks ? await locks.request(LOCK, work) : work();
}
