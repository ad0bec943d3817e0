import {
  toolsetNameSchema,
  type AgentConfig,
  type BooterKind,
  type Problem,
} from '@netaclaw/contracts';
import type { RegistrySnapshot } from '../../runtime/tools/governed_tool.js';

/** Every wrong place in an agent's configuration, as far as the registry can tell. Pure. */
export function agentProblems(
  config: Partial<AgentConfig>,
  registry: RegistrySnapshot,
  skillNames: { has(name: string): boolean },
): Problem[] {
  return [
    ...unknownToolsets(config.toolsets ?? []),
    ...unknownTools(config.tools?.disabled ?? [], registry),
    ...unknownSkills(config.skills ?? [], skillNames),
    ...pinnedProblems(config),
    ...driverProblems(config),
  ];
}

/** The driver that a configuration names and this server does not have. */
export function unknownDriver(
  { sandbox }: Partial<AgentConfig>,
  kinds: readonly BooterKind[],
): Problem[] {
  if (!sandbox || kinds.includes(sandbox.driver)) return [];
  const message = `there is no sandbox driver "${sandbox.driver}"; there are: ${kinds.join(', ')}`;
  return [{ path: 'sandbox.driver', message }];
}

/** Core tools that the configuration tries to disable. */
export const lockedTools = (config: Partial<AgentConfig>, registry: RegistrySnapshot): string[] =>
  (config.tools?.disabled ?? []).filter((name) => registry.get(name)?.canDisable === false);

function unknownToolsets(toolsets: readonly string[]): Problem[] {
  return toolsets.flatMap((name, index) => {
    if (toolsetNameSchema.safeParse(name).success) return [];
    const known = toolsetNameSchema.options.join(', ');
    return [
      { path: `toolsets.${index}`, message: `there is no toolset "${name}"; there are: ${known}` },
    ];
  });
}

function unknownTools(names: readonly string[], registry: RegistrySnapshot): Problem[] {
  return names.flatMap((name, index) =>
    registry.get(name)
      ? []
      : [{ path: `tools.disabled.${index}`, message: `there is no tool "${name}"` }],
  );
}

function unknownSkills(names: readonly string[], known: { has(name: string): boolean }): Problem[] {
  return names.flatMap((name, index) =>
    known.has(name) ? [] : [{ path: `skills.${index}`, message: `there is no skill "${name}"` }],
  );
}

/** Only what an agent has can be pinned; a draft that says nothing of its skills is not judged. */
function pinnedProblems({ skills, pinnedSkills }: Partial<AgentConfig>): Problem[] {
  if (!skills || !pinnedSkills) return [];
  return pinnedSkills.flatMap((name, index) =>
    skills.includes(name)
      ? []
      : [{ path: `pinnedSkills.${index}`, message: `"${name}" is no skill of this agent` }],
  );
}

function driverProblems({ runtime, sandbox }: Partial<AgentConfig>): Problem[] {
  if (runtime !== 'sandbox' || sandbox) return [];
  return [{ path: 'sandbox', message: 'the runtime sandbox needs a driver' }];
}
