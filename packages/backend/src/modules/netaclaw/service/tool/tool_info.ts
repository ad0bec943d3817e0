import type { ToolDeclaration, ToolInfo } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Database } from '../../../base/data/database.js';
import { NetaClawAgentEntity } from '../../entity/agent.js';
import { TOOLSET_DEFAULTS, type CatalogEntry } from '../../tools/catalog.js';
import { NetaClawSandboxDriversService } from '../computer/sandbox_drivers.js';
import { toolRowOf } from './tool_row.js';
import { NetaClawToolRegistryService } from './tool_registry.js';
import { NetaClawToolSourcesService } from './tool_sources.js';

/** Agents that an answer names; a thousand are nothing to read. */
const MOST_NAMED = 50;

type UsedByAgent = Pick<NetaClawAgentEntity, 'toolsets' | 'runtime' | 'sandbox'>;

/** One tool from all sides: the operator's row, the code's declaration, the agents that use it. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawToolInfoService {
  @Inject() database: Database;
  @Inject() registry: NetaClawToolRegistryService;
  @Inject() sources: NetaClawToolSourcesService;
  @Inject() drivers: NetaClawSandboxDriversService;

  async info(id: number): Promise<ToolInfo> {
    const row = toolRowOf(await this.registry.find(id));
    const entry = this.sources.catalog.get(row.name);
    const agents = await this.usedBy(row.name, row.toolset);
    return {
      ...row,
      declaration: entry ? declarationOf(entry) : null,
      usedBy: agents.slice(0, MOST_NAMED),
      usedByCount: agents.length,
    };
  }

  /** By its toolsets, or by the computer of an agent that chose none. */
  private has(agent: UsedByAgent, tool: string, toolset: string): boolean {
    const chosen: readonly string[] = agent.toolsets ?? TOOLSET_DEFAULTS;
    if (chosen.includes(toolset)) return true;
    return agent.toolsets === null && this.drivers.broughtAlong(agent).includes(tool);
  }

  private async usedBy(tool: string, toolset: string): Promise<ToolInfo['usedBy']> {
    const agents = await this.database.repository(NetaClawAgentEntity).find({
      select: {
        id: true,
        name: true,
        label: true,
        toolsets: true,
        tools: { disabled: true },
        runtime: true,
        sandbox: { driver: true },
      },
      where: { status: 1 },
      order: { name: 'ASC' },
    });
    return agents
      .filter((agent) => !agent.tools.disabled?.includes(tool) && this.has(agent, tool, toolset))
      .map(({ id, name, label }) => ({ id, name, label }));
  }
}

const declarationOf = (entry: CatalogEntry): ToolDeclaration => ({
  description: entry.description,
  parameters: { ...entry.parameters },
  supportsPromptHint: entry.supportsPromptHint,
  defaultPromptHint: entry.promptHint,
  adminOnly: entry.adminOnly,
  scene: entry.scene,
});
