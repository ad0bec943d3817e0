import type {
  AuditAction,
  BooterKind,
  LiveSandbox,
  Page,
  SandboxDriver,
  SandboxPageBody,
  SandboxProfile,
  SandboxTest,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Audit } from '../../../base/audit/audit.js';
import type { Actor } from '../../../base/auth/actor.js';
import { invalid, notFound } from '../../../base/error.js';
import { ComputerError } from '../../sandbox/components.js';
import { answered } from './computer_failure.js';
import { liveSandboxOf, type PooledComputer } from './pooled_computer.js';
import { NetaClawSandboxDriversService } from './sandbox_drivers.js';
import { NetaClawSandboxPoolService } from './sandbox_pool.js';

const ASK_MS = 15_000;

/** What operators see and do of drivers and live sandboxes. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSandboxAdminService {
  @Inject() driverList: NetaClawSandboxDriversService;
  @Inject() pool: NetaClawSandboxPoolService;
  @Inject() audit: Audit;

  drivers(): SandboxDriver[] {
    return this.driverList.all().map((driver) => {
      const problem = this.driverList.problem(driver);
      return {
        kind: driver.kind,
        label: driver.label,
        runtime: driver.runtime,
        isConfigured: problem === null,
        problem,
        address: this.driverList.settingsOf(driver).service?.url ?? null,
        tools: [...driver.defaultTools(null)],
        hasProfiles: driver.hasProfiles ?? false,
        hasSkillReleases: driver.hasSkillReleases ?? false,
      };
    });
  }

  async profiles(kind: BooterKind): Promise<SandboxProfile[]> {
    this.refuseUnknown(kind);
    const signal = AbortSignal.timeout(ASK_MS);
    return answered(async () => [...(await this.driverList.profiles(kind, signal))]);
  }

  /** Whether its service answers; what is wrong is part of the answer. */
  async test(kind: BooterKind): Promise<SandboxTest> {
    this.refuseUnknown(kind);
    const began = performance.now();
    const took = () => Math.round(performance.now() - began);
    try {
      const host = await this.driverList.host(kind);
      const { version } = await host.check(AbortSignal.timeout(ASK_MS));
      return { ok: true, latencyMs: took(), version, error: null };
    } catch (error) {
      if (!(error instanceof ComputerError)) throw error;
      return { ok: false, latencyMs: took(), version: null, error: error.message };
    }
  }

  page(body: SandboxPageBody): Page<LiveSandbox> {
    const { page, size, keyWord, driver, agent, status } = body;
    const { order = 'lastUsedAt', sort = 'desc' } = body;
    const rows = this.pool
      .live()
      .filter((row) => driver === undefined || row.driver === driver)
      .filter((row) => agent === undefined || row.agent === agent)
      .filter((row) => status === undefined || row.status === status)
      .filter((row) => keyWord === undefined || textOf(row).includes(keyWord.toLowerCase()))
      .toSorted((a, b) => a[order].localeCompare(b[order]) * (sort === 'asc' ? 1 : -1));
    const list = rows.slice((page - 1) * size, page * size);
    return { list, pagination: { page, size, total: rows.length } };
  }

  async stop(sessionId: string, actor: Actor): Promise<LiveSandbox> {
    const before = this.find(sessionId);
    const row = liveSandboxOf(before);
    await answered(() => this.pool.release(sessionId));
    await this.record(actor, { action: 'sandbox.stop', row });
    return { ...liveSandboxOf(before), status: 'stopped' };
  }

  async extend(sessionId: string, seconds: number, actor: Actor): Promise<LiveSandbox> {
    const pooled = this.find(sessionId);
    const row = liveSandboxOf(pooled);
    await answered(() => pooled.booter.extend(seconds));
    const after = liveSandboxOf(pooled);
    await this.record(actor, { action: 'sandbox.extend', row, after });
    return after;
  }

  async delete(sessionIds: readonly string[], actor: Actor): Promise<number> {
    const rows = sessionIds.map((id) => liveSandboxOf(this.find(id)));
    for (const row of rows) {
      await answered(() => this.pool.destroy(row.sessionId));
      await this.record(actor, { action: 'sandbox.delete', row });
    }
    return rows.length;
  }

  private find(sessionId: string): PooledComputer {
    const pooled = this.pool.find(sessionId);
    if (!pooled) throw notFound(`a sandbox of the session ${sessionId}`);
    return pooled;
  }

  private refuseUnknown(kind: BooterKind): void {
    if (this.driverList.get(kind)) return;
    const known = this.driverList.all().map((driver) => driver.kind);
    throw invalid([
      { path: 'driver', message: `there is no driver ${kind}; there are: ${known.join(', ')}` },
    ]);
  }

  private async record(
    actor: Actor,
    { action, row, after }: { action: AuditAction; row: LiveSandbox; after?: LiveSandbox },
  ): Promise<void> {
    const target = `sandbox:${row.driver}:${row.remoteId ?? row.sessionId}`;
    await this.audit.recordMany([
      { actor, action, target, before: row, ...(after ? { after } : {}) },
    ]);
  }
}

const textOf = ({ sessionId, agent, remoteId, driver }: LiveSandbox): string =>
  [sessionId, agent, remoteId, driver].join(' ').toLowerCase();
