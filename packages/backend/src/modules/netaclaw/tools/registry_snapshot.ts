import type { Capability, Status, Visibility } from '@netaclaw/contracts';
import type { OfferedTool } from '../runtime/port.js';
import {
  byOrder,
  type GovernedTool,
  type RegistrySnapshot,
  type ToolScene,
} from '../runtime/tools/governed_tool.js';
import type { Catalog, CatalogEntry } from './catalog.js';

/** What of a row of `netaclaw_tool` governs a tool. */
export interface GovernanceRow {
  name: string;
  label: string | null;
  toolset: string;
  source: string;
  description: string | null;
  status: Status;
  sort: number;
  promptHint: string | null;
}

/** Joins the catalog with the operator's rows. A tool without a row is not governed, so it is not there. */
export function buildSnapshot(
  catalog: Catalog,
  rows: readonly GovernanceRow[],
  version: string,
): RegistrySnapshot {
  const byName = new Map<string, GovernedTool>();
  const byToolset = new Map<string, GovernedTool[]>();
  for (const row of rows) {
    const tool = new RegistryTool(row, catalog.get(row.name) ?? null);
    byName.set(tool.name, tool);
    const members = byToolset.get(tool.toolset);
    if (members) members.push(tool);
    else byToolset.set(tool.toolset, [tool]);
  }
  for (const members of byToolset.values()) members.sort(byOrder);
  return {
    version,
    size: byName.size,
    get: (name) => byName.get(name),
    inToolset: (toolset) => byToolset.get(toolset) ?? [],
  };
}

class RegistryTool implements GovernedTool {
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
  readonly inCatalog: boolean;
  readonly status: Status;
  readonly sort: number;
  readonly promptHint: string | null;
  readonly offered: OfferedTool;

  constructor(row: GovernanceRow, entry: CatalogEntry | null) {
    this.name = row.name;
    this.label = row.label ?? row.name;
    this.toolset = entry?.toolset ?? row.toolset;
    this.source = entry?.source ?? row.source;
    this.visibility = entry?.visibility ?? 'tool';
    this.capability = entry?.capability ?? 'text';
    this.isCore = entry?.isCore ?? false;
    this.canDisable = entry?.canDisable ?? true;
    this.scene = entry?.scene ?? null;
    this.adminOnly = entry?.adminOnly ?? false;
    this.inCatalog = entry !== null;
    this.status = row.status;
    this.sort = row.sort;
    this.promptHint = hintOf(row, entry);
    this.offered = new LazyOffer(row, entry);
  }
}

function hintOf(row: GovernanceRow, entry: CatalogEntry | null): string | null {
  if (entry === null) return null;
  return (entry.supportsPromptHint ? row.promptHint : null) ?? entry.promptHint;
}

/** The operator's description stands in for the code's; the schema is converted when a model is told. */
class LazyOffer implements OfferedTool {
  readonly name: string;
  readonly description: string;

  constructor(
    row: GovernanceRow,
    private readonly entry: CatalogEntry | null,
  ) {
    this.name = row.name;
    this.description = row.description ?? entry?.description ?? '';
  }

  get parameters(): Readonly<Record<string, unknown>> {
    return this.entry?.parameters ?? {};
  }
}
