import type {
  CallerRole,
  Capability,
  DisabledReason,
  DisabledTool,
  ModelCapability,
} from '@netaclaw/contracts';
import type { ToolFit } from '../provider/tool_fit.js';
import { candidatesOf, CREW_TOOLSET, type CandidateFacts } from './candidates.js';
import type { GovernedTool } from './governed_tool.js';

/** The computer an agent has, as far as it is known: before boot from its kind, after boot exactly. */
export interface ComputerFacts {
  /** How sentences name it, for example `the local computer`. */
  label: string;
  /** The tools that are its own; those that need only its files are not named here. */
  tools: ReadonlySet<string>;
  /** Why it cannot be had at all, or null. */
  problem: string | null;
}

/** Everything a decision depends on. Nothing else is looked at. */
export interface ResolveFacts extends CandidateFacts {
  /** The agent's `tools.disabled`. */
  agentDisabled: readonly string[];
  capability: ModelCapability;
  memory: boolean;
  skills: boolean;
  /** Null: the agent has none. */
  computer: ComputerFacts | null;
  callerRole: CallerRole;
  /** Names the caller does without. */
  callerDenied: readonly string[];
  /** Why a tool's source cannot serve it now, by the tool's name. */
  unavailable: ReadonlyMap<string, string>;
  /** What the model's provider takes of a tool; null: anything, or there is no model yet. */
  fit: ToolFit | null;
}

export interface ResolvedTools {
  /** In the order in which the model is told of them. */
  tools: readonly GovernedTool[];
  toolNames: readonly string[];
  /** For the skill system: without internal, crew and sandbox tools. */
  builtinToolNames: readonly string[];
  toolPromptHints: readonly { name: string; hint: string }[];
  disabledReasons: readonly DisabledTool[];
  warnings: readonly string[];
}

interface Finding {
  reason: DisabledReason;
  detail: string;
}
type Check = (tool: GovernedTool, facts: PreparedFacts) => Finding | null;

interface PreparedFacts extends ResolveFacts {
  disabledSet: ReadonlySet<string>;
  deniedSet: ReadonlySet<string>;
  /** The tools that are in so far. */
  included: GovernedTool[];
  /** Those of them that the provider would know by another name: by that name. */
  renamed: Map<string, string>;
}

/** Toolsets that live on a sandbox or a crew: skills do not count on them. */
const notBuiltin = new Set([CREW_TOOLSET, 'sandbox', 'browser', 'skill_lifecycle']);

/**
 * Decides, for one agent in one situation, which tools are in and why the others are out. Pure,
 * synchronous and total: the same facts give the same answer in the same order.
 */
export function resolveTools(facts: ResolveFacts): ResolvedTools {
  const prepared = {
    ...facts,
    disabledSet: new Set(facts.agentDisabled),
    deniedSet: new Set(facts.callerDenied),
    included: [] as GovernedTool[],
    renamed: new Map<string, string>(),
  };
  const tools = prepared.included;
  const disabledReasons: DisabledTool[] = [];
  for (const tool of candidatesOf(facts)) {
    const finding = firstFinding(tool, prepared);
    if (finding) disabledReasons.push({ name: tool.name, ...finding });
    else tools.push(tool);
  }
  disabledReasons.push(...namesOutsideCatalog(prepared, disabledReasons));
  return { ...describe(tools), disabledReasons, warnings: warningsOf(tools, prepared) };
}

/** The names and hints of the tools that are in; one pass, since there may be thousands. */
function describe(tools: readonly GovernedTool[]) {
  const toolNames: string[] = [];
  const builtinToolNames: string[] = [];
  const toolPromptHints: { name: string; hint: string }[] = [];
  for (const tool of tools) {
    const { name, promptHint } = tool;
    toolNames.push(name);
    if (isBuiltin(tool)) builtinToolNames.push(name);
    if (promptHint !== null) toolPromptHints.push({ name, hint: promptHint });
  }
  return { tools, toolNames, builtinToolNames, toolPromptHints };
}

function firstFinding(tool: GovernedTool, facts: PreparedFacts): Finding | null {
  for (let at = 0; at < checks.length; at += 1) {
    const finding = checks[at]?.(tool, facts) ?? null;
    if (finding !== null) return finding;
  }
  return null;
}

const isBuiltin = ({ visibility, toolset }: GovernedTool): boolean =>
  visibility !== 'internal' && !notBuiltin.has(toolset);

/** An agent may still disable by name what has left the code; once is enough to say so. */
function namesOutsideCatalog(
  { disabledSet, registry }: PreparedFacts,
  known: readonly DisabledTool[],
): DisabledTool[] {
  const said = new Set(known.map(({ name }) => name));
  return [...disabledSet]
    .filter((name) => !registry.get(name)?.inCatalog && !said.has(name))
    .map((name) => ({
      name,
      reason: 'not_in_catalog',
      detail: `The agent's disabled tools name "${name}", which the code does not declare. Remove it in Agents > Tool configuration.`,
    }));
}

function warningsOf(tools: readonly GovernedTool[], facts: PreparedFacts): string[] {
  const ignored = [...facts.disabledSet]
    .filter((name) => facts.registry.get(name)?.canDisable === false)
    .map(
      (name) => `"${name}" is a core tool and cannot be disabled; the agent's setting is ignored.`,
    );
  const empty = tools.length === 0 ? ['This agent has no tools in this situation.'] : [];
  return [...ignored, ...empty];
}

const finding = (reason: DisabledReason, detail: string): Finding => ({ reason, detail });

const notInCatalog: Check = (tool) =>
  tool.inCatalog
    ? null
    : finding(
        'not_in_catalog',
        'The code does not declare this tool any more; its row is kept for when it comes back.',
      );

const globalDisabled: Check = (tool) =>
  tool.status === 1
    ? null
    : finding('global_disabled', `Turned off for all agents. Turn it on in Tools > ${tool.name}.`);

const agentDisabled: Check = (tool, { disabledSet }) =>
  tool.canDisable && disabledSet.has(tool.name)
    ? finding(
        'agent_disabled',
        'Turned off for this agent. Turn it on in Agents > Tool configuration.',
      )
    : null;

/** What each capability of a model serves. */
const serves: Record<Capability, readonly Capability[]> = {
  text: ['text'],
  vision: ['text', 'vision'],
  multimodal: ['text', 'vision', 'multimodal'],
};

const originWords: Record<ModelCapability['origin'], string> = {
  agent: 'set on the agent',
  channel: 'set on the channel',
  fallback: 'the fallback, since neither agent nor channel says',
};

const capabilityMismatch: Check = (tool, { capability }) =>
  serves[capability.value].includes(tool.capability)
    ? null
    : finding(
        'capability_mismatch',
        `Needs a model with ${tool.capability}; this one has ${capability.value} ` +
          `(${capability.origin}: ${originWords[capability.origin]}). Change it in Agents > Model or in Channels.`,
      );

const sceneMissing: Check = (tool, facts) => {
  switch (tool.scene) {
    case null:
      return null;
    case 'memory':
      return facts.memory
        ? null
        : finding('memory_off', "The agent's memory is off. Turn it on in Agents > Memory.");
    case 'skills':
      return facts.skills
        ? null
        : finding('no_skills', 'The agent has no skills. Choose some in Agents > Skills.');
    case 'crew_master':
      return facts.crewMaster
        ? null
        : finding('not_crew_master', 'Only the master of a crew can delegate.');
    case 'computer':
    case 'computer_files':
      return computerMissing(tool, facts);
    default:
      return impossible(tool.scene);
  }
};

function computerMissing(tool: GovernedTool, { computer }: ResolveFacts): Finding | null {
  if (computer === null) {
    return finding(
      'no_computer',
      'The agent has no computer: its runtime is none. Choose local or sandbox in Agents > Sandbox.',
    );
  }
  if (tool.scene === 'computer_files' || computer.problem !== null) return null;
  if (computer.tools.has(tool.name)) return null;
  return finding('sandbox_capability_missing', `${computer.label} does not offer ${tool.name}.`);
}

const adminOnly: Check = (tool, { callerRole }) =>
  tool.adminOnly && callerRole !== 'admin'
    ? finding('admin_only', `Only for the role admin; the caller has the role ${callerRole}.`)
    : null;

const callerRemoved: Check = (tool, { deniedSet }) =>
  deniedSet.has(tool.name)
    ? finding('caller_removed', 'The request itself removed it (denyTools).')
    : null;

const NO_SENTENCE = 'Its source cannot serve it now and does not say why.';

const sourceUnavailable: Check = (tool, { unavailable, computer }) => {
  const onComputer = tool.scene === 'computer' || tool.scene === 'computer_files';
  const problem = onComputer ? (computer?.problem ?? null) : null;
  const detail = unavailable.get(tool.name) ?? problem;
  // Even a problem without a sentence is one.
  return detail === null ? null : finding('source_unavailable', detail || NO_SENTENCE);
};

/** What the code declares comes before a member whose tool would have the same name. */
const shadowedMember: Check = (tool, { registry }) => {
  if (tool.toolset !== CREW_TOOLSET) return null;
  const declared = registry.get(tool.name);
  if (declared === undefined || declared === tool) return null;
  return finding(
    'name_conflict',
    `There is a tool of this name already. Give the crew's member another alias in Crews.`,
  );
};

/** The last check: what passes it is in, and has its name at the provider from then on. */
const refusedByProvider: Check = (tool, facts) => {
  if (facts.fit === null) return null;
  const { problem, wireName } = facts.fit(tool.offered);
  if (problem === null) return nameConflict(tool.name, wireName, facts);
  return finding('schema_rejected', `The model's provider would refuse this tool: ${problem}.`);
};

/** Names that stay as they are cannot meet. */
function nameConflict(name: string, wireName: string, facts: PreparedFacts): Finding | null {
  const { included, renamed } = facts;
  const isRenamed = wireName !== name;
  if (!isRenamed && renamed.size === 0) return null;
  const unchanged = isRenamed ? included.find((tool) => tool.name === wireName)?.name : undefined;
  const taken = renamed.get(wireName) ?? unchanged;
  if (taken !== undefined) {
    return finding(
      'name_conflict',
      `The model's provider would know it as "${wireName}", which is what it calls ${taken}.`,
    );
  }
  if (isRenamed) renamed.set(wireName, name);
  return null;
}

/** The order of the table in the design: the first that fails is the reason. */
const checks: readonly Check[] = [
  notInCatalog,
  globalDisabled,
  agentDisabled,
  capabilityMismatch,
  sceneMissing,
  adminOnly,
  callerRemoved,
  sourceUnavailable,
  shadowedMember,
  refusedByProvider,
];

const impossible = (value: never): never => {
  throw new Error(`no such scene: ${String(value)}`);
};
