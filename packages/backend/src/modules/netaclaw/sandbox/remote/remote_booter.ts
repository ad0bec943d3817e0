import { setTimeout as sleep } from 'node:timers/promises';
import type { BootRequest, Booter, SandboxDriver } from '../booter.js';
import { ComputerError, type Computer } from '../components.js';
import type { RemoteSandbox, RemoteService } from './remote_service.js';

/** What every remote booter is made of. */
export interface RemoteBooterParts {
  driver: Pick<SandboxDriver, 'defaultTools' | 'label'>;
  prompts: readonly string[];
  service: RemoteService;
  pace?: Partial<BootPace>;
}

/** How a boot waits, and how long a look at the sandbox stays true. */
export interface BootPace {
  pollMs: number;
  startMs: number;
  freshMs: number;
}

const PACE: BootPace = { pollMs: 500, startMs: 120_000, freshMs: 15_000 };

/** One sandbox of one session at a service: finds it again or creates it, waits for it, keeps an eye on it. */
export class RemoteBooter implements Booter {
  private readonly pace: BootPace;
  private sandbox: RemoteSandbox | null = null;
  private lookedAt = 0;
  private isOver = false;
  keepsFiles = false;

  constructor(
    private readonly parts: RemoteBooterParts,
    private readonly request: BootRequest,
  ) {
    this.pace = { ...PACE, ...parts.pace };
  }

  get remoteId(): string | null {
    return this.sandbox?.id ?? null;
  }

  get expiresAt(): Date | null {
    return this.sandbox?.expiresAt ?? null;
  }

  async boot(signal: AbortSignal): Promise<Computer> {
    const found = await this.found(signal);
    this.keepsFiles = found !== null;
    const sandbox = found ?? (await this.parts.service.create(this.request, signal));
    this.sandbox = sandbox;
    try {
      this.sandbox = await this.ready(sandbox, signal);
    } catch (error) {
      this.sandbox = null;
      // What was there before stays: another try may find it well.
      if (found === null) await this.parts.service.delete(sandbox.id).catch(() => null);
      throw error;
    }
    this.lookedAt = Date.now();
    return guarded(this.parts.service.computer(this.sandbox, this.request.sessionId), () => {
      this.lookedAt = 0;
    });
  }

  tools(): readonly string[] | null {
    return this.sandbox && this.parts.driver.defaultTools(this.sandbox.capabilities);
  }

  promptParts(): readonly string[] | null {
    return this.sandbox && this.parts.prompts;
  }

  async healthy(): Promise<boolean> {
    if (this.sandbox === null || this.isOver) return false;
    if (Date.now() - this.lookedAt < this.pace.freshMs) return true;
    const seen = await this.parts.service.look(this.sandbox.id);
    if (seen.state === 'broken') throw this.broken(seen);
    this.isOver = seen.state === 'gone';
    if (this.isOver) return false;
    this.sandbox = { ...seen, capabilities: this.sandbox.capabilities };
    this.lookedAt = Date.now();
    return true;
  }

  async extend(seconds: number): Promise<void> {
    if (this.sandbox === null) return;
    const expiresAt = await this.parts.service.extend(this.sandbox.id, seconds);
    this.sandbox = { ...this.sandbox, expiresAt };
  }

  async shutdown(): Promise<void> {
    if (this.sandbox === null || this.isOver) return;
    await this.parts.service.stop(this.sandbox.id);
    this.isOver = true;
  }

  async destroy(): Promise<void> {
    if (this.sandbox === null) return;
    await this.parts.service.delete(this.sandbox.id);
    this.isOver = true;
  }

  /** The session's earlier sandbox, where it can still be used. A passing fault is not "gone": it is thrown. */
  private async found(signal: AbortSignal): Promise<RemoteSandbox | null> {
    const { resume } = this.request;
    if (resume === null) return null;
    const seen = await this.parts.service.look(resume, signal);
    return seen.state === 'usable' || seen.state === 'starting' ? seen : null;
  }

  private async ready(sandbox: RemoteSandbox, signal: AbortSignal): Promise<RemoteSandbox> {
    const until = Date.now() + this.pace.startMs;
    for (let seen = sandbox; ; seen = await this.parts.service.look(sandbox.id, signal)) {
      if (seen.state === 'usable') return seen;
      if (seen.state !== 'starting') throw this.broken(seen);
      if (Date.now() > until) throw this.tooSlow();
      await sleep(this.pace.pollMs, undefined, { signal }).catch(() => {
        throw new ComputerError('failed', 'The boot of the sandbox was cancelled.');
      });
    }
  }

  private broken({ id, status }: RemoteSandbox): ComputerError {
    const message = `The sandbox ${id} cannot be used: ${this.parts.service.name} says that its status is ${status}. Try again, or delete it on the page Sandboxes.`;
    return new ComputerError('unavailable', message);
  }

  private tooSlow(): ComputerError {
    const message = `${this.parts.service.name} had no sandbox ready within ${this.pace.startMs / 1000} seconds. Try again later.`;
    return new ComputerError('timeout', message);
  }
}

type Method = (...values: never[]) => unknown;
const isMethod = (value: unknown): value is Method => typeof value === 'function';

/** The same computer, but whatever of it fails with `gone` makes the next look at the sandbox a real one. */
function guarded(computer: Computer, onGone: () => void): Computer {
  const watch = <T extends object>(component: T): T =>
    new Proxy(component, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (!isMethod(member)) return member;
        return async (...values: never[]) => {
          try {
            return await member.apply(target, values);
          } catch (error) {
            if (error instanceof ComputerError && error.code === 'gone') onGone();
            throw error;
          }
        };
      },
    });
  return {
    ...computer,
    shell: computer.shell && watch(computer.shell),
    python: computer.python && watch(computer.python),
    files: watch(computer.files),
    browser: computer.browser && watch(computer.browser),
    history: computer.history && watch(computer.history),
  };
}
