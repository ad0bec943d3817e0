import { join } from 'node:path';
import type { AgentConfig, BooterKind } from '@netaclaw/contracts';
import { Config, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { Settings } from '../../../../settings.js';
import type { ComputerFacts } from '../../runtime/tools/resolve_tools.js';
import type { Booter, BooterKindInfo } from '../../sandbox/booter.js';
import { LocalBooterKind } from '../../sandbox/booters/local.js';
import { ComputerError, type Computer } from '../../sandbox/components.js';

/** What of an agent says where its computer is. */
export type ComputerConfig = Pick<AgentConfig, 'runtime' | 'sandbox'>;

/** A kind of computer as the resolver and the prompt need it. */
export interface KnownComputer {
  facts: ComputerFacts;
  prompts: readonly string[];
  /** Tools that this server cannot serve, with the sentence that says what to do. */
  unavailable: ReadonlyMap<string, string>;
}

interface Pooled {
  kind: BooterKind;
  booter: Booter;
  computer: Promise<Computer>;
  lastUsed: number;
}

const IDLE_MS = 15 * 60_000;
const SWEEP_MS = 60_000;

/** Session to computer: boots one at the first use, keeps it while it is used, ends it when idle or at shutdown. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSandboxPoolService {
  @Config('settings') settings: Settings;
  private readonly kinds = new Map<BooterKind, BooterKindInfo>();
  private readonly known = new Map<BooterKind, KnownComputer>();
  private readonly pooled = new Map<string, Pooled>();
  private timer: NodeJS.Timeout | null = null;

  /** Finds out what this server can serve. Called once at start. */
  async start(): Promise<void> {
    await this.add(this.localKind());
    this.timer = setInterval(() => void this.sweep(Date.now()), SWEEP_MS);
    this.timer.unref();
  }

  /** What a session of this agent has, before or after boot. Null: no computer. */
  describe(config: ComputerConfig): KnownComputer | null {
    const kind = kindOf(config);
    if (kind === null) return null;
    return this.known.get(kind) ?? notInstalled(kind);
  }

  /** The session's computer. Two first calls boot one. Throws `ComputerError`. */
  async computer(
    sessionId: string,
    config: ComputerConfig,
    signal: AbortSignal,
  ): Promise<Computer> {
    const kind = kindOf(config);
    const info = kind === null ? undefined : this.kinds.get(kind);
    if (!info) throw new ComputerError('unavailable', 'this agent has no computer on this server');
    const pooled = this.pooled.get(sessionId);
    if (pooled?.kind === info.kind) {
      pooled.lastUsed = Date.now();
      return pooled.computer;
    }
    if (pooled) await this.release(sessionId);
    return this.boot(sessionId, info, signal);
  }

  /** Ends a session's computer; its files stay. */
  async release(sessionId: string): Promise<void> {
    const pooled = this.pooled.get(sessionId);
    this.pooled.delete(sessionId);
    await pooled?.booter.shutdown();
  }

  /** Ends a session's computer and removes what it holds: the session is deleted. */
  async erase(sessionId: string): Promise<void> {
    await this.release(sessionId);
    await Promise.all([...this.kinds.values()].map((info) => info.erase(sessionId)));
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await Promise.allSettled([...this.pooled.keys()].map((sessionId) => this.release(sessionId)));
  }

  private localKind(): BooterKindInfo {
    const { dataDir, localIsolation } = this.settings;
    return new LocalBooterKind({
      workspacesFolder: join(dataDir, 'workspaces'),
      isolation: localIsolation,
      hiddenFolders: [dataDir, process.cwd()],
    });
  }

  private async add(info: BooterKindInfo): Promise<void> {
    const unavailable = await info.unavailableTools();
    this.kinds.set(info.kind, info);
    this.known.set(info.kind, {
      facts: {
        label: `The ${info.kind} computer`,
        tools: new Set(info.defaultTools()),
        problem: null,
      },
      prompts: info.defaultPrompts(),
      unavailable: new Map(unavailable.map(({ name, detail }) => [name, detail])),
    });
  }

  private async boot(
    sessionId: string,
    info: BooterKindInfo,
    signal: AbortSignal,
  ): Promise<Computer> {
    const booter = info.create(sessionId);
    const computer = booter.boot(signal);
    this.pooled.set(sessionId, { kind: info.kind, booter, computer, lastUsed: Date.now() });
    try {
      return await computer;
    } catch (error) {
      this.pooled.delete(sessionId);
      throw error;
    }
  }

  private async sweep(now: number): Promise<void> {
    const idle = [...this.pooled].filter(([, { lastUsed }]) => now - lastUsed > IDLE_MS);
    await Promise.allSettled(idle.map(([sessionId]) => this.release(sessionId)));
  }
}

function kindOf({ runtime, sandbox }: ComputerConfig): BooterKind | null {
  switch (runtime) {
    case 'none':
      return null;
    case 'local':
      return 'local';
    case 'sandbox':
      return sandbox?.driver ?? null;
    default:
      return runtime satisfies never;
  }
}

const notInstalledOnce = new Map<BooterKind, KnownComputer>();

/** One object per kind, so that what is made from it can be kept. */
function notInstalled(kind: BooterKind): KnownComputer {
  const known = notInstalledOnce.get(kind) ?? {
    facts: {
      label: `The ${kind} sandbox`,
      tools: new Set<string>(),
      problem: `This server has no driver for the sandbox ${kind}. Choose another runtime in Agents > Sandbox.`,
    },
    prompts: [],
    unavailable: new Map<string, string>(),
  };
  notInstalledOnce.set(kind, known);
  return known;
}
