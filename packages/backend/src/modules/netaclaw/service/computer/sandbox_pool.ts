import type { LiveSandbox } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { logger } from '../../../base/log/logger.js';
import type { SandboxDriver } from '../../sandbox/booter.js';
import { ComputerError, type Computer } from '../../sandbox/components.js';
import { NetaClawMetricsService } from '../server/metrics.js';
import { waitedFor, worded } from './boot_waiting.js';
import { kindOf, mostSandboxesOf, profileOf, type ComputerConfig } from './computer_config.js';
import {
  FILES_GONE,
  isWanted,
  liveSandboxOf,
  type PooledComputer,
  type Wanted,
} from './pooled_computer.js';
import { NetaClawSandboxDriversService, noDriver } from './sandbox_drivers.js';

const IDLE_MS = 15 * 60_000;
const SWEEP_MS = 60_000;
const BOOT_MS = 180_000;
const STOP_MS = 15_000;
/** A stopped sandbox is remembered for so long, to be found again. */
const REMEMBERED_MS = 24 * 60 * 60_000;
/** A sandbox that is used is extended by this much, once half of it is left. */
const EXTENSION_SECONDS = 3600;

/** Boots for a session, and joins who asks for the same at the same time. */
interface Acquiring {
  wanted: Wanted;
  computer: Promise<Computer>;
}

/** Session to computer: boots one at the first use, keeps it while it is used, ends it when idle or at shutdown. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSandboxPoolService {
  @Inject() drivers: NetaClawSandboxDriversService;
  @Inject() metrics: NetaClawMetricsService;
  private readonly pooled = new Map<string, PooledComputer>();
  private readonly acquiring = new Map<string, Acquiring>();
  private stopping = new AbortController();
  private timer: NodeJS.Timeout | null = null;

  /** Reads what drivers there are. Called once at start; no driver is loaded. */
  async start(): Promise<void> {
    await this.drivers.load();
    this.metrics.watchSandboxes(() => this.live());
    this.timer = setInterval(() => void this.sweep(Date.now()), SWEEP_MS);
    this.timer.unref();
  }

  /** The session's computer. First calls at the same time boot one. Throws `ComputerError`. */
  async computer(
    sessionId: string,
    config: ComputerConfig,
    signal: AbortSignal,
  ): Promise<Computer> {
    const driver = this.driverOf(config);
    if (!driver) throw new ComputerError('unavailable', this.noDriverFor(config));
    const wanted = this.wantedOf(driver, config);
    const running = this.acquiring.get(sessionId);
    if (running && isWanted(running.wanted, wanted)) return waitedFor(running.computer, signal);
    const computer = this.acquire({ sessionId, config, driver, wanted }, running);
    this.acquiring.set(sessionId, { wanted, computer });
    void this.forgetOnceSettled(sessionId, computer);
    return waitedFor(computer, signal);
  }

  /** What is to be told of the session's computer, once. */
  takeNotice(sessionId: string): string | null {
    const pooled = this.pooled.get(sessionId);
    const notice = pooled?.notice ?? null;
    if (pooled) pooled.notice = null;
    return notice;
  }

  /** What is pooled now. */
  live(): readonly LiveSandbox[] {
    return [...this.pooled.values()].map(liveSandboxOf);
  }

  find(sessionId: string): PooledComputer | undefined {
    return this.pooled.get(sessionId);
  }

  /** Stops a session's computer; its files stay where its service keeps them. Throws `ComputerError`. */
  async release(sessionId: string): Promise<void> {
    const pooled = this.pooled.get(sessionId);
    if (!pooled || pooled.status === 'stopped') return;
    await pooled.booter.shutdown();
    pooled.status = 'stopped';
    if (pooled.booter.remoteId === null) this.pooled.delete(sessionId);
  }

  /** Ends a session's computer with its files. Throws `ComputerError`; then it is still pooled. */
  async destroy(sessionId: string): Promise<void> {
    await this.pooled.get(sessionId)?.booter.destroy();
    this.pooled.delete(sessionId);
  }

  /** Removes what a deleted session holds; what cannot be removed now ends by its own time. */
  async erase(sessionId: string): Promise<void> {
    await this.destroy(sessionId).catch((error: unknown) => {
      logger().warn(
        { err: error, sessionId },
        'the sandbox of a deleted session could not be deleted',
      );
      this.pooled.delete(sessionId);
    });
    const local = this.drivers.all().filter(({ runtime }) => runtime === 'local');
    await Promise.all(
      local.map(async ({ kind }) => (await this.drivers.host(kind)).erase(sessionId)),
    );
  }

  /** Stops all that runs, and what is being booted. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.stopping.abort(new ComputerError('unavailable', 'The server is shutting down.'));
    const booting = [...this.acquiring.values()].map(({ computer }) => computer);
    const ends = Promise.allSettled(booting).then(() =>
      Promise.allSettled([...this.pooled.keys()].map((id) => this.releaseQuietly(id))),
    );
    await Promise.race([ends, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
  }

  private async acquire(request: Acquisition, before: Acquiring | undefined): Promise<Computer> {
    await before?.computer.catch(() => null);
    const { sessionId, wanted } = request;
    const pooled = this.pooled.get(sessionId);
    if (!pooled) return this.boot(request, { resume: null, hadFiles: false });
    if (!isWanted(pooled, wanted)) {
      await this.releaseQuietly(sessionId);
      this.pooled.delete(sessionId);
      return this.boot(request, { resume: null, hadFiles: true });
    }
    if (pooled.status === 'stopped') {
      return this.boot(request, { resume: pooled.booter.remoteId, hadFiles: true, pooled });
    }
    if (await pooled.booter.healthy()) return this.reuse(pooled);
    this.pooled.delete(sessionId);
    this.metrics.sandboxLost(pooled.kind);
    logger().info({ sessionId, driver: pooled.kind }, 'a sandbox has ended; a new one is booted');
    return this.boot(request, { resume: null, hadFiles: true });
  }

  private async forgetOnceSettled(sessionId: string, computer: Promise<Computer>): Promise<void> {
    await computer.catch(() => null);
    if (this.acquiring.get(sessionId)?.computer === computer) this.acquiring.delete(sessionId);
  }

  private reuse(pooled: PooledComputer): Computer {
    pooled.lastUsedAt = Date.now();
    this.extendInPassing(pooled);
    if (pooled.computer) return pooled.computer;
    throw new ComputerError('unavailable', 'The computer is not ready yet. Try again.');
  }

  private async boot(
    { sessionId, config, driver, wanted }: Acquisition,
    { resume, hadFiles, pooled: earlier }: Earlier,
  ): Promise<Computer> {
    this.refuseTooMany(driver, config);
    const host = await this.drivers.host(driver.kind);
    const booter = host.create({ sessionId, profile: wanted.profile, resume });
    const now = Date.now();
    const pooled: PooledComputer = {
      ...wanted,
      sessionId,
      agent: config.name ?? '',
      booter,
      status: 'starting',
      computer: null,
      notice: null,
      lostFiles: earlier?.lostFiles ?? false,
      startedAt: now,
      lastUsedAt: now,
    };
    this.pooled.set(sessionId, pooled);
    try {
      const limit = AbortSignal.timeout(BOOT_MS);
      pooled.computer = await booter.boot(AbortSignal.any([this.stopping.signal, limit]));
    } catch (error) {
      // A sandbox that was there before is still to be found at another try.
      if (earlier) this.pooled.set(sessionId, earlier);
      else this.pooled.delete(sessionId);
      this.metrics.sandboxBooted(driver.kind, false, Date.now() - now);
      throw worded(error, driver);
    }
    pooled.status = 'running';
    if (hadFiles && !booter.keepsFiles)
      Object.assign(pooled, { notice: FILES_GONE, lostFiles: true });
    this.metrics.sandboxBooted(driver.kind, true, Date.now() - now);
    return pooled.computer;
  }

  private refuseTooMany({ runtime }: SandboxDriver, config: ComputerConfig): void {
    if (runtime === 'local') return;
    const most = mostSandboxesOf(config);
    const own = [...this.pooled.values()].filter(
      ({ agent, kind, status }) =>
        agent === config.name &&
        status !== 'stopped' &&
        this.drivers.get(kind)?.runtime !== 'local',
    );
    if (own.length < most) return;
    throw new ComputerError(
      'unavailable',
      `The agent ${config.name ?? ''} has ${own.length} sandboxes, which is its limit. Stop one on the page Sandboxes, or raise the limit in Agents.`,
    );
  }

  private extendInPassing({ booter, sessionId }: PooledComputer): void {
    const left = (booter.expiresAt?.getTime() ?? Infinity) - Date.now();
    if (left > (EXTENSION_SECONDS * 1000) / 2) return;
    booter.extend(EXTENSION_SECONDS).catch((error: unknown) => {
      logger().warn({ err: error, sessionId }, 'a sandbox could not be extended');
    });
  }

  private async releaseQuietly(sessionId: string): Promise<void> {
    await this.release(sessionId).catch((error: unknown) => {
      logger().warn({ err: error, sessionId }, 'a sandbox could not be stopped; its time ends it');
    });
  }

  /** Stops what is idle and forgets what was stopped long ago. */
  async sweep(now: number): Promise<void> {
    const all = [...this.pooled.values()];
    const idle = all.filter(
      ({ status, lastUsedAt }) => status === 'running' && now - lastUsedAt > IDLE_MS,
    );
    for (const { status, lastUsedAt, sessionId } of all) {
      if (status === 'stopped' && now - lastUsedAt > REMEMBERED_MS) this.pooled.delete(sessionId);
    }
    await Promise.all(idle.map(({ sessionId }) => this.releaseQuietly(sessionId)));
  }

  /** What is pooled when it is what this agent asks for; null until it is booted. */
  bootedFor(sessionId: string | null, config: ComputerConfig): PooledComputer | null {
    const pooled = sessionId === null ? undefined : this.pooled.get(sessionId);
    const driver = this.driverOf(config);
    if (!pooled || !driver || pooled.status === 'starting') return null;
    return isWanted(pooled, this.wantedOf(driver, config)) ? pooled : null;
  }

  private wantedOf(driver: SandboxDriver, config: ComputerConfig): Wanted {
    const endpoint = this.drivers.settingsOf(driver).service?.url ?? null;
    return { kind: driver.kind, profile: profileOf(config), endpoint };
  }

  private driverOf(config: ComputerConfig): SandboxDriver | null {
    const kind = kindOf(config);
    return kind === null ? null : (this.drivers.get(kind) ?? null);
  }

  private noDriverFor(config: ComputerConfig): string {
    const kind = kindOf(config);
    return kind === null ? 'This agent has no computer.' : noDriver(kind);
  }
}

/** What a session asks for. */
interface Acquisition {
  sessionId: string;
  config: ComputerConfig;
  driver: SandboxDriver;
  wanted: Wanted;
}

/** What the session had before. */
interface Earlier {
  resume: string | null;
  hadFiles: boolean;
  /** Kept for another try when this boot fails. */
  pooled?: PooledComputer;
}
