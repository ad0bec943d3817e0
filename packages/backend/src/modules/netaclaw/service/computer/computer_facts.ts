import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { SandboxDriver } from '../../sandbox/booter.js';
import { kindOf, profileOf, type ComputerConfig } from './computer_config.js';
import { KnownComputers, type KnownComputer } from './known_computers.js';
import { FILES_GONE_PROMPT } from './pooled_computer.js';
import { cannotBeUsed, NetaClawSandboxDriversService, noDriver } from './sandbox_drivers.js';
import { NetaClawSandboxPoolService } from './sandbox_pool.js';

/** What is known of computers, for the resolver and the prompt: by kind before boot, exactly once booted. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawComputerFactsService {
  @Inject() drivers: NetaClawSandboxDriversService;
  @Inject() pool: NetaClawSandboxPoolService;
  private readonly known = new KnownComputers();

  /** What a session of this agent has: exact once its computer is booted, else by its kind. Null: no computer. */
  async describe(config: ComputerConfig, sessionId: string | null): Promise<KnownComputer | null> {
    const kind = kindOf(config);
    if (kind === null) return null;
    const driver = this.drivers.get(kind);
    if (!driver) return this.unusable(`The ${kind} sandbox`, [], noDriver(kind));
    const offers = driver.defaultTools(null);
    const problem = this.drivers.problem(driver);
    if (problem !== null) return this.unusable(driver.label, offers, cannotBeUsed(driver, problem));
    const unavailable = await this.drivers.unavailableTools(kind);
    return this.known.of({
      label: driver.label,
      offers,
      tools: this.sandboxTools(sessionId, config) ?? this.defaultSandboxTools(config),
      problem: null,
      prompts: this.sandboxPrompts(sessionId, config) ?? this.defaultSandboxPrompts(config),
      unavailable: unavailable.map(({ name, detail }) => [name, detail]),
    });
  }

  /** The tools of a session's booted computer; null until it is booted. */
  sandboxTools(sessionId: string | null, config: ComputerConfig): readonly string[] | null {
    return this.pool.bootedFor(sessionId, config)?.booter.tools() ?? null;
  }

  /** The prompt parts of a session's booted computer; null until it is booted. */
  sandboxPrompts(sessionId: string | null, config: ComputerConfig): readonly string[] | null {
    const pooled = this.pool.bootedFor(sessionId, config);
    const parts = pooled?.booter.promptParts() ?? null;
    return parts && pooled?.lostFiles ? [...parts, FILES_GONE_PROMPT] : parts;
  }

  /** Before boot: by kind, without what the chosen profile is known to lack. */
  defaultSandboxTools(config: ComputerConfig): readonly string[] {
    const driver = this.driverOf(config);
    if (!driver) return [];
    return driver.defaultTools(this.drivers.capabilitiesOf(driver, profileOf(config)));
  }

  defaultSandboxPrompts(config: ComputerConfig): readonly string[] {
    const driver = this.driverOf(config);
    return driver ? driver.defaultPrompts(this.drivers.settingsOf(driver)) : [];
  }

  private driverOf(config: ComputerConfig): SandboxDriver | null {
    const kind = kindOf(config);
    return kind === null ? null : (this.drivers.get(kind) ?? null);
  }

  private unusable(label: string, offers: readonly string[], problem: string): KnownComputer {
    return this.known.of({ label, offers, tools: [], problem, prompts: [], unavailable: [] });
  }
}
