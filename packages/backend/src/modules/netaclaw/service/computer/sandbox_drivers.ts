import type { BooterKind, SandboxProfile } from '@netaclaw/contracts';
import { Config, Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { Settings } from '../../../../settings.js';
import { logger } from '../../../base/log/logger.js';
import type {
  BooterHost,
  DriverSettings,
  SandboxDriver,
  UnavailableTool,
} from '../../sandbox/booter.js';
import { ComputerError } from '../../sandbox/components.js';
import { loadDrivers } from '../../sandbox/driver_loader.js';
import { driverSource } from '../../tools/driver_source.js';
import { NetaClawToolSourcesService } from '../tool/tool_sources.js';
import { kindOf, type ComputerConfig } from './computer_config.js';
import { NetaClawEgressService } from '../server/egress.js';

interface KnownProfiles {
  at: number;
  list: readonly SandboxProfile[];
}

/** How long a profile list is taken as it was. */
const PROFILES_FRESH_MS = 5 * 60_000;
const PROFILES_TIMEOUT_MS = 5_000;

/** The drivers of this server: described at start, loaded when the first agent uses them. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSandboxDriversService {
  @Config('settings') settings: Settings;
  @Inject() egress: NetaClawEgressService;
  @Inject() sources: NetaClawToolSourcesService;
  private readonly drivers = new Map<BooterKind, SandboxDriver>();
  private readonly hosts = new Map<BooterKind, Promise<BooterHost>>();
  private readonly missing = new Map<BooterKind, Promise<readonly UnavailableTool[]>>();
  private readonly known = new Map<BooterKind, KnownProfiles>();
  private readonly asking = new Set<BooterKind>();

  /** Reads the descriptions of a folder; without one, those that come with the server. */
  async load(folder?: URL): Promise<void> {
    for (const driver of await loadDrivers(folder)) this.add(driver);
  }

  /** Adds a driver, and its own tools to the catalog. Refuses a kind that is there already. */
  add(driver: SandboxDriver): void {
    if (this.drivers.has(driver.kind)) throw new Error(`there are two drivers ${driver.kind}`);
    this.drivers.set(driver.kind, driver);
    const source = driverSource(driver);
    if (source) this.sources.add(source);
  }

  all(): readonly SandboxDriver[] {
    return [...this.drivers.values()];
  }

  /** The kinds that an agent may name as its sandbox. */
  sandboxKinds(): BooterKind[] {
    return this.all().flatMap(({ kind, runtime }) => (runtime === 'sandbox' ? [kind] : []));
  }

  get(kind: BooterKind): SandboxDriver | undefined {
    return this.drivers.get(kind);
  }

  /** The tools that an agent's computer brings along for an agent that chose no toolsets. */
  broughtAlong(config: ComputerConfig): readonly string[] {
    const kind = kindOf(config);
    return kind === null ? [] : (this.get(kind)?.defaultTools(null) ?? []);
  }

  settingsOf({ kind }: SandboxDriver): DriverSettings {
    const { localIsolation, dataDir, sandboxServices } = this.settings;
    return { service: sandboxServices.get(kind) ?? null, localIsolation, dataDir };
  }

  /** Why a driver cannot be used, with the setting to set; null when it can. */
  problem(driver: SandboxDriver): string | null {
    return driver.problem(this.settingsOf(driver));
  }

  /** A driver's implementation, loaded at the first asking. Throws `ComputerError` where it cannot be used. */
  async host(kind: BooterKind): Promise<BooterHost> {
    const driver = this.get(kind);
    if (!driver) throw new ComputerError('unavailable', noDriver(kind));
    const problem = this.problem(driver);
    if (problem !== null) throw new ComputerError('unavailable', cannotBeUsed(driver, problem));
    const loaded = this.hosts.get(kind) ?? this.made(driver);
    this.hosts.set(kind, loaded);
    return loaded;
  }

  /** Those that have been loaded. */
  loadedHosts(): Promise<BooterHost[]> {
    return Promise.all(this.hosts.values());
  }

  /** Tools that a usable driver cannot serve on this server; found out once. */
  unavailableTools(kind: BooterKind): Promise<readonly UnavailableTool[]> {
    const found = this.missing.get(kind) ?? this.host(kind).then((host) => host.unavailableTools());
    this.missing.set(kind, found);
    found.catch(() => this.missing.delete(kind));
    return found;
  }

  /** The profiles of a driver's service, asked now. Throws `ComputerError`. */
  async profiles(kind: BooterKind, signal: AbortSignal): Promise<readonly SandboxProfile[]> {
    const { profiles } = await this.host(kind);
    const list = profiles ? await profiles(signal) : [];
    this.known.set(kind, { at: Date.now(), list });
    return list;
  }

  /**
   * The capabilities of a profile as the service's list told them; null: not known, or not yet. What is not
   * known, or not lately, is asked for in passing.
   */
  capabilitiesOf(driver: SandboxDriver, profile: string | null): readonly string[] | null {
    if (driver.hasProfiles !== true) return null;
    const known = this.known.get(driver.kind);
    if (!known || Date.now() - known.at > PROFILES_FRESH_MS) this.askInPassing(driver.kind);
    const list = known?.list ?? [];
    const chosen = profile === null ? list[0] : list.find(({ id }) => id === profile);
    return chosen?.capabilities ?? null;
  }

  private askInPassing(kind: BooterKind): void {
    if (this.asking.has(kind)) return;
    this.asking.add(kind);
    this.profiles(kind, AbortSignal.timeout(PROFILES_TIMEOUT_MS))
      .catch((error: unknown) => {
        logger().debug(
          { err: error, driver: kind },
          'the profiles of a sandbox service are not known',
        );
      })
      .finally(() => setTimeout(() => this.asking.delete(kind), PROFILES_TIMEOUT_MS).unref());
  }

  private async made(driver: SandboxDriver): Promise<BooterHost> {
    const { createHost } = await driver.load();
    const settings = this.settingsOf(driver);
    return createHost({ driver, settings, egress: this.egress.client });
  }
}

export const noDriver = (kind: BooterKind): string =>
  `This server has no driver for the sandbox ${kind}. Choose another runtime in Agents > Sandbox.`;

export const cannotBeUsed = ({ label }: SandboxDriver, problem: string): string =>
  `${label} is not set up on this server. ${problem}`;
