import type { ToolDeclaration, ToolInfo } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Database } from '../../../base/data/database.js';
import { NetaClawAgentEntity } from '../../entity/agent.js';
import { TOOLSET_DEFAULTS, type CatalogEntry } from '../../tools/catalog.js';
import { toolRowOf } from './tool_row.js';
import { NetaClawToolRegistryService } from './tool_registry.js';
import { NetaClawToolSourcesService } from './tool_sources.js';

/** One tool from all sides: the operator's row, the code's declaration, the agents that use it. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawToolInfoService {
  @Inject() database: Database;
  @Inject() registry: NetaClawToolRegistryService;
  @Inject() sources: NetaClawToolSourcesService;

  async info(id: number): Promise<ToolInfo> {
    const row = toolRowOf(await this.registry.find(id));
    const entry = this.sources.catalog.get(row.name);
    return {
      ...row,
      declaration: entry ? declarationOf(entry) : null,
      usedBy: await this.usedBy(row.name, row.toolset),
    };
  }

  private async usedBy(tool: string, toolset: string): Promise<ToolInfo['usedBy']> {
    const agents = await this.database.repository(NetaClawAgentEntity).find({
      select: { id: true, name: true, label: true, toolsets: true, tools: { disabled: true } },
      where: { status: 1 },
      order: { name: 'ASC' },
    });
    return agents
      .filter(({ toolsets, tools }) => {
        const chosen: readonly string[] = toolsets ?? TOOLSET_DEFAULTS;
        return chosen.includes(toolset) && !tools.disabled?.includes(tool);
      })
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
