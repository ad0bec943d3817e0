import type { BootRequest } from '../booter.js';
import type { Computer } from '../components.js';

/** How a remote sandbox stands. `gone` is definite: its files are lost. */
export type RemoteState = 'usable' | 'starting' | 'broken' | 'gone';

/** A sandbox as its service tells of it. */
export interface RemoteSandbox {
  id: string;
  state: RemoteState;
  /** The service's own word for the state. */
  status: string;
  capabilities: readonly string[];
  expiresAt: Date | null;
}

/** The life of sandboxes at one service. Throws `ComputerError`. */
export interface RemoteService {
  readonly name: string;
  create(request: BootRequest, signal: AbortSignal): Promise<RemoteSandbox>;
  look(id: string, signal?: AbortSignal): Promise<RemoteSandbox>;
  /** Answers when it now ends; null: never, or not known. */
  extend(id: string, seconds: number): Promise<Date | null>;
  /** Saves its cost; what is left of it decides the service. */
  stop(id: string): Promise<void>;
  delete(id: string): Promise<void>;
  computer(sandbox: RemoteSandbox, sessionId: string): Computer;
}

/** Seconds that a sandbox lives when nobody extends it. */
export const SANDBOX_TTL_SECONDS = 3600;
