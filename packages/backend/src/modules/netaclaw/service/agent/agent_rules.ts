import {
  toolsetNameSchema,
  type AgentConfig,
  type BooterKind,
  type Problem,
} from '@netaclaw/contracts';
import type { RegistrySnapshot } from '../../runtime/tools/governed_tool.js';

/** Every wrong place in an agent's configuration, as far as the registry can tell. Pure. */
export function agentProblems(config: Partial<AgentConfig>, registry: RegistrySnapshot): Problem[] {
  return [
    ...unknownToolsets(config.toolsets ?? []),
    ...unknownTools(config.tools?.disabled ?? [], registry),
    ...(config.skills ?? []).map((name, index) => ({
      path: `skills.${index}`,
      message: `there is no skill "${name}"`,
    })),
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

function driverProblems({ runtime, sandbox }: Partial<AgentConfig>): Problem[] {
  if (runtime !== 'sandbox' || sandbox) return [];
  return [{ path: 'sandbox', message: 'the runtime sandbox needs a driver' }];
}
