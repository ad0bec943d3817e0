// Random situations, and what the design says of them: a second reading of its chapter on resolution,
// written without a look at the resolver, so that "the same everywhere" cannot mean "wrong everywhere".
import { z } from 'zod';
import type { Json } from './client.js';

export const TOOLSETS = ['base', 'planning', 'memory', 'skills', 'vision', 'document'] as const;
const DEFAULTS: readonly string[] = ['base', 'planning', 'memory', 'skills'];
const CAPABILITIES = ['text', 'vision', 'multimodal'] as const;
type Capability = (typeof CAPABILITIES)[number];

/** A tool as far as the rules look at it. */
export interface KnownTool {
  name: string;
  toolset: string;
  status: number;
  sort: number;
  canDisable: boolean;
  capability: Capability;
  scene: string | null;
  adminOnly: boolean;
}

/** What decides: an agent, as what it works, and who asks. */
export interface Situation {
  agent: {
    toolsets: string[] | null;
    disabled: string[];
    capability: Capability | null;
    memory: boolean;
    skills: boolean;
    runtime: 'none' | 'local';
  };
  seat: 'alone' | 'master' | 'sub';
  caller: 'admin' | 'operator' | 'client';
  denied: string[];
}

/** Mulberry32: the same situations for the same seed. */
export function randomFrom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    pick<T>(values: readonly T[]): T {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error('nothing to pick from');
      return value;
    },
    some: <T>(values: readonly T[], share: number): T[] => values.filter(() => next() < share),
  };
}
export type Random = ReturnType<typeof randomFrom>;

/** A situation; `names` are the tools that can be disabled, `members` those that a master delegates to. */
export function randomSituation(
  random: Random,
  { names, members }: { names: readonly string[]; members: readonly string[] },
): Situation {
  const { pick, some } = random;
  return {
    agent: {
      toolsets: pick([null, [], some(TOOLSETS, 0.5), some(TOOLSETS, 0.5), some(TOOLSETS, 0.8)]),
      disabled: some(names, 0.15),
      capability: pick([null, ...CAPABILITIES]),
      memory: pick([true, false]),
      skills: pick([true, false]),
      runtime: pick(['none', 'local']),
    },
    seat: pick(['alone', 'alone', 'master', 'sub']),
    caller: pick(['admin', 'operator', 'client']),
    denied: pick([[], some([...names, ...members], 0.15)]),
  };
}

/** A catalog's worth of declarations, each of a kind of its own. */
export const randomDeclarations = (random: Random, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: `odd_${String(at).padStart(2, '0')}`,
    description: `Odd tool ${at}.`,
    parameters: z.strictObject({}),
    toolset: random.pick(TOOLSETS),
    capability: random.pick(CAPABILITIES),
    visibility: random.pick(['tool', 'tool', 'internal', 'skill'] as const),
    scene: random.pick([null, null, 'memory', 'skills', 'computer_files'] as const),
    adminOnly: random.pick([false, false, false, true]),
    isCore: random.pick([false, false, false, true]),
  }));

const SERVES: Record<Capability, readonly Capability[]> = {
  text: ['text'],
  vision: ['text', 'vision'],
  multimodal: ['text', 'vision', 'multimodal'],
};

/** Why a tool is out, or null: the first of the design's table that is not met. */
function reasonFor(tool: KnownTool, { agent, caller, denied }: Situation): string | null {
  if (tool.status !== 1) return 'global_disabled';
  if (tool.canDisable && agent.disabled.includes(tool.name)) return 'agent_disabled';
  if (!SERVES[agent.capability ?? 'text'].includes(tool.capability)) return 'capability_mismatch';
  if (tool.scene === 'memory' && !agent.memory) return 'memory_off';
  if (tool.scene === 'skills' && !agent.skills) return 'no_skills';
  if (tool.scene?.startsWith('computer') && agent.runtime === 'none') return 'no_computer';
  if (tool.adminOnly && caller !== 'admin') return 'admin_only';
  if (denied.includes(tool.name)) return 'caller_removed';
  return null;
}

/** What the design says of a situation: the tools in their order, and why each other candidate is out. */
export function expected(
  situation: Situation,
  { tools, delegates }: { tools: readonly KnownTool[]; delegates: readonly string[] },
): { names: string[]; reasons: Record<string, string> } {
  const toolsets = situation.agent.toolsets ?? DEFAULTS;
  const ofCrew = situation.seat === 'master' ? delegates.map(delegateTool) : [];
  const isChosen = ({ toolset, name }: KnownTool): boolean =>
    toolsets.includes(toolset) || (isBroughtAlong(situation) && LOCAL_TOOLS.has(name));
  const candidates = [...tools.filter(isChosen), ...ofCrew];
  const names: KnownTool[] = [];
  const reasons: Record<string, string> = {};
  for (const tool of candidates) {
    const reason = reasonFor(tool, situation);
    if (reason === null) names.push(tool);
    else reasons[tool.name] = reason;
  }
  names.sort((a, b) => a.sort - b.sort || (a.name < b.name ? -1 : 1));
  return { names: names.map(({ name }) => name), reasons };
}

/** What the local driver brings along beyond the default toolsets, for agents that chose none. */
const LOCAL_TOOLS: ReadonlySet<string> = new Set(['python']);
const isBroughtAlong = ({ agent }: Situation): boolean =>
  agent.toolsets === null && agent.runtime === 'local';

const delegateTool = (name: string): KnownTool => ({
  name,
  toolset: 'crew',
  status: 1,
  sort: 0,
  canDisable: true,
  capability: 'text',
  scene: null,
  adminOnly: false,
});

/** A tool's row and declaration, as the API tells them. */
export const knownTool = ({ declaration, ...row }: Json): KnownTool => ({
  name: row.name,
  toolset: row.toolset,
  status: row.status,
  sort: row.sort,
  canDisable: row.canDisable === 1,
  capability: row.capability,
  scene: declaration?.scene ?? null,
  adminOnly: declaration?.adminOnly ?? false,
});
