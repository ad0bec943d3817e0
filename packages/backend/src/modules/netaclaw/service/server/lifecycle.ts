import { CREW_PREFIX } from '@netaclaw/contracts';
import { Config, Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { Settings } from '../../../../settings.js';
import { ChangeCounter } from '../../../base/data/change_counter.js';
import { Database } from '../../../base/data/database.js';
import { NetaClawEgressService } from './egress.js';
import { NetaClawFirstStartService } from './first_start.js';
import { NetaClawLiveRunsService } from '../run/live_runs.js';
import { NetaClawMetricsService } from './metrics.js';
import { NetaClawNodeService } from './node_identity.js';
import { NetaClawRunRecoveryService } from '../run/run_recovery.js';
import { ApiKeys } from '../../../base/auth/api_keys.js';
import { Users } from '../../../base/auth/users.js';
import { NetaClawMemoryService } from '../memory/memory.js';
import { NetaClawAgentService } from '../agent/agent.js';
import { NetaClawCrewDirectoryService } from '../crew/crew_directory.js';
import { NetaClawChannelCircuitsService } from '../channel/channel_circuits.js';
import { NetaClawSandboxPoolService } from '../computer/sandbox_pool.js';
import { NetaClawSessionTouchService } from '../session/session_touch.js';
import { NetaClawToolRegistryService } from '../tool/tool_registry.js';
import { NetaClawToolSourcesService } from '../tool/tool_sources.js';

/** What has to happen, in order, before the first request and after the last. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawLifecycleService {
  @Config('settings') settings: Settings;
  @Inject() database: Database;
  @Inject() changes: ChangeCounter;
  @Inject() sources: NetaClawToolSourcesService;
  @Inject() registry: NetaClawToolRegistryService;
  @Inject() computers: NetaClawSandboxPoolService;
  @Inject() firstStart: NetaClawFirstStartService;
  @Inject() node: NetaClawNodeService;
  @Inject() recovery: NetaClawRunRecoveryService;
  @Inject() liveRuns: NetaClawLiveRunsService;
  @Inject() touches: NetaClawSessionTouchService;
  @Inject() metrics: NetaClawMetricsService;
  @Inject() apiKeys: ApiKeys;
  @Inject() users: Users;
  @Inject() memories: NetaClawMemoryService;
  @Inject() agents: NetaClawAgentService;
  @Inject() crews: NetaClawCrewDirectoryService;
  @Inject() circuits: NetaClawChannelCircuitsService;
  @Inject() egress: NetaClawEgressService;

  /** The database is migrated. Answers whether this installation has just begun. */
  async start(): Promise<{ isFirstStart: boolean }> {
    // A wrong EGRESS_ALLOW must end the start, not the first chat.
    void this.egress.client;
    this.apiKeys.unknownAgents = (names) => this.unknownNames(names);
    this.apiKeys.withOwners = this.users.withOwners = (manager, owners) =>
      this.memories.forgetOwners(manager, owners);
    await Promise.all([this.changes.start(), this.sources.start()]);
    await this.computers.start();
    await this.registry.syncCatalogToDb(null);
    await this.node.start(() => this.recovery.look());
    this.metrics.start({
      activeRuns: () => this.liveRuns.size,
      openCircuits: () => this.circuits.open(),
    });
    return { isFirstStart: await this.firstStart.run() };
  }

  /** Running turns finish, or are closed as cancelled when the grace is over; nothing is lost. */
  async stop(): Promise<void> {
    await this.liveRuns.drain(this.settings.shutdownGraceMs);
    await this.touches.flush();
    this.changes.stop();
    // Sandboxes are stopped through the egress client.
    await this.computers.stop();
    await Promise.all([this.egress.stop(), this.node.stop()]);
    await this.database.drained();
  }

  /** Those of these names that no agent has, and no crew where they are a crew's (`crew:<name>`). */
  private async unknownNames(names: readonly string[]): Promise<string[]> {
    const isKnown = (name: string) =>
      name.startsWith(CREW_PREFIX)
        ? this.crews.byName(name.slice(CREW_PREFIX.length))
        : this.agents.byName(name);
    const found = await Promise.all(names.map(isKnown));
    return names.filter((_name, index) => found[index] === null);
  }
}
