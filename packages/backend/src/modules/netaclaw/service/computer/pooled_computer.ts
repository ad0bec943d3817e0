import type { BooterKind, LiveSandbox, SandboxStatus } from '@netaclaw/contracts';
import type { Booter } from '../../sandbox/booter.js';
import type { Computer } from '../../sandbox/components.js';

/** What decides whether a pooled computer is still the one that is wanted. */
export interface Wanted {
  kind: BooterKind;
  profile: string | null;
  endpoint: string | null;
}

export const isWanted = (pooled: Wanted, wanted: Wanted): boolean =>
  pooled.kind === wanted.kind &&
  pooled.profile === wanted.profile &&
  pooled.endpoint === wanted.endpoint;

/** The computer of one session, as the pool keeps it. */
export interface PooledComputer extends Wanted {
  readonly sessionId: string;
  readonly agent: string;
  readonly booter: Booter;
  status: SandboxStatus;
  /** Null while it boots. */
  computer: Computer | null;
  /** Told with the next result of a tool; null: there is nothing to tell. */
  notice: string | null;
  /** The session had files in a computer that has ended. */
  lostFiles: boolean;
  readonly startedAt: number;
  lastUsedAt: number;
}

/** A pooled computer as the console lists it. */
export const liveSandboxOf = (pooled: PooledComputer): LiveSandbox => ({
  sessionId: pooled.sessionId,
  agent: pooled.agent,
  driver: pooled.kind,
  profile: pooled.profile,
  remoteId: pooled.booter.remoteId,
  status: pooled.status,
  capabilities: [...(pooled.computer?.capabilities ?? [])],
  tools: [...(pooled.booter.tools() ?? [])],
  startedAt: new Date(pooled.startedAt).toISOString(),
  lastUsedAt: new Date(pooled.lastUsedAt).toISOString(),
  expiresAt: pooled.booter.expiresAt?.toISOString() ?? null,
});

/** What the model, and through it the person, is told of a computer whose files are lost. */
export const FILES_GONE =
  'Note: the sandbox of this session had ended, and a new, empty one was started. All files of before are gone. Tell the person, and make again what is still needed.';

/** The same for the prompt, for as long as the session has the new one. */
export const FILES_GONE_PROMPT =
  '# An earlier sandbox\nAn earlier sandbox of this session has ended. Files that the conversation speaks of may be gone: look before you rely on them, and tell the person when one is missing.';
