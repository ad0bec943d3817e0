import type { BooterKind } from '@netaclaw/contracts';
import type { Computer } from './components.js';

/** What a booter says about a tool it cannot serve here: which tool, and a sentence that says what to do. */
export interface UnavailableTool {
  name: string;
  detail: string;
}

/**
 * A kind of computer as it describes itself, before anything is booted: which tools it has, what the
 * prompt says about it, and what is missing on this server. Callers ask it; nobody asks which kind it is.
 */
export interface BooterKindInfo {
  readonly kind: BooterKind;
  /** Names of the tools that act on such a computer; conservative, so rather too many. */
  defaultTools(): readonly string[];
  /** Texts for the tools layer of the prompt. */
  defaultPrompts(): readonly string[];
  /** Tools that cannot work on this server, found out once. */
  unavailableTools(): Promise<readonly UnavailableTool[]>;
  create(sessionId: string): Booter;
  /** Removes what a session has left behind; harmless when there is nothing. */
  erase(sessionId: string): Promise<void>;
}

/** One computer of one session. */
export interface Booter {
  /** Starts it, or finds it running. Called once; throws `ComputerError` with a text that is never empty. */
  boot(signal: AbortSignal): Promise<Computer>;
  /** Exact after boot, null before. */
  tools(): readonly string[] | null;
  promptParts(): readonly string[] | null;
  /** False once it is definitely gone; a passing fault is not `false` but a thrown `ComputerError`. */
  healthy(): Promise<boolean>;
  /** Ends it; safe to call twice. */
  shutdown(): Promise<void>;
}
