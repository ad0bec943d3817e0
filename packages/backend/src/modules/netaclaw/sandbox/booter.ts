import type { BooterKind, Runtime, SandboxProfile } from '@netaclaw/contracts';
import type { SandboxServiceSettings } from '../../../settings.js';
import type { EgressClient } from '../../base/net/egress.js';
import type { Computer, SkillComponent } from './components.js';
import type { DriverTool } from './driver_tool.js';

/** What a booter says about a tool it cannot serve here: which tool, and a sentence that says what to do. */
export interface UnavailableTool {
  name: string;
  detail: string;
}

/** What a driver reads of the server's settings. */
export interface DriverSettings {
  /** Null: no address is set. */
  service: SandboxServiceSettings | null;
  localIsolation: 'bubblewrap' | 'none';
  dataDir: string;
}

/** What a driver's implementation is given to work with. */
export interface HostParts {
  driver: SandboxDriver;
  settings: DriverSettings;
  egress: EgressClient;
}

/**
 * A kind of computer as it describes itself: no instance, no boot, no network, and nothing heavy to load. The
 * default export of a file `<name>_driver.ts` in `booters/`, found at start. Callers ask it; nobody asks which
 * kind it is.
 */
export interface SandboxDriver {
  readonly kind: BooterKind;
  /** How sentences name it, for example `The local computer`. */
  readonly label: string;
  /** The runtime an agent chooses to get it. */
  readonly runtime: Exclude<Runtime, 'none'>;
  /** Whether its service offers profiles, and releases of skills. */
  readonly hasProfiles?: boolean;
  readonly hasSkillReleases?: boolean;
  /** Tools that only this kind has; all others stand in `tools/builtin`. */
  readonly ownTools?: readonly DriverTool[];
  /**
   * Names of the tools on such a computer. With null: conservative, so rather too many. With the capabilities
   * of the profile that it will have, in the service's words: without what they rule out.
   */
  defaultTools(capabilities: readonly string[] | null): readonly string[];
  /** Texts for the tools layer of the prompt. */
  defaultPrompts(settings: DriverSettings): readonly string[];
  /** Which setting to set, in a sentence; null when there is all it needs. */
  problem(settings: DriverSettings): string | null;
  /** Loads the implementation: the first moment anything heavy is read. */
  load(): Promise<{ createHost(parts: HostParts): BooterHost }>;
}

/** Which computer is wanted. */
export interface BootRequest {
  sessionId: string;
  profile: string | null;
  /** What the service calls the session's earlier computer, to be found again; null: there is none. */
  resume: string | null;
}

/** The loaded implementation of a driver: one a server. */
export interface BooterHost {
  create(request: BootRequest): Booter;
  /** Removes what a session has left behind here; harmless when there is nothing. */
  erase(sessionId: string): Promise<void>;
  /** Tools that cannot work on this server, found out once. */
  unavailableTools(): Promise<readonly UnavailableTool[]>;
  /** Asks the service whether it is there. Throws `ComputerError`. */
  check(signal: AbortSignal): Promise<{ version: string | null }>;
  /** Null: there are no profiles to choose from. */
  readonly profiles: ((signal: AbortSignal) => Promise<SandboxProfile[]>) | null;
  readonly skills: SkillComponent | null;
}

/** One computer of one session. */
export interface Booter {
  /** What the service calls it, once it is booted; null for what is no service. */
  readonly remoteId: string | null;
  /** True once it is booted and the files of the session's earlier computer are there. */
  readonly keepsFiles: boolean;
  /** When its service ends it; null: never, or not known. */
  readonly expiresAt: Date | null;
  /** Starts it, or finds it running. Called once; throws `ComputerError` with a text that is never empty. */
  boot(signal: AbortSignal): Promise<Computer>;
  /** Exact after boot, null before. */
  tools(): readonly string[] | null;
  promptParts(): readonly string[] | null;
  /** False once it is definitely gone; a passing fault is not `false` but a thrown `ComputerError`. */
  healthy(): Promise<boolean>;
  /** Lets it live for at least so many seconds more; harmless where nothing ends it. */
  extend(seconds: number): Promise<void>;
  /** Stops it, keeping its files where that can be done; safe to call twice. */
  shutdown(): Promise<void>;
  /** Ends it for good, with its files; safe to call twice. */
  destroy(): Promise<void>;
}
