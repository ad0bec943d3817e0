import type { Capability, Status, Visibility } from '@netaclaw/contracts';
import type { OfferedTool } from '../port.js';

/**
 * What must be there for a tool to make sense. `computer`: one that names this tool as its own.
 * `computer_files`: any computer, since each has files and the tool needs nothing else of it.
 */
export type ToolScene = 'memory' | 'skills' | 'crew_master' | 'computer' | 'computer_files';

/** A tool as the registry knows it: the code's declaration joined with the operator's row. */
export interface GovernedTool {
  readonly name: string;
  readonly label: string;
  readonly toolset: string;
  readonly source: string;
  readonly visibility: Visibility;
  readonly capability: Capability;
  readonly isCore: boolean;
  readonly canDisable: boolean;
  readonly scene: ToolScene | null;
  readonly adminOnly: boolean;
  /** False when only a row remembers it: the code does not declare it any more. */
  readonly inCatalog: boolean;
  readonly status: Status;
  readonly sort: number;
  /** What the tools layer says about it: the operator's hint, else the code's, else null. */
  readonly promptHint: string | null;
  /** What a model is told; made from its schema when first needed, then kept. */
  readonly offered: OfferedTool;
}

/** All governed tools at one version of the registry; never changes once made. */
export interface RegistrySnapshot {
  readonly version: string;
  readonly size: number;
  get(name: string): GovernedTool | undefined;
  /** In the order of the prompt: by `sort`, then by name. */
  inToolset(toolset: string): readonly GovernedTool[];
}

/** The one order of tools: by `sort`, then by name. */
export const byOrder = (a: GovernedTool, b: GovernedTool): number =>
  a.sort - b.sort || (a.name < b.name ? -1 : Number(a.name > b.name));
