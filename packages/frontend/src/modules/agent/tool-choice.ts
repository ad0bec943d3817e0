import type { ToolChoice, ToolsForAgent } from '@netaclaw/contracts';

/** The tools of the chosen toolsets, in the two columns of the editor. */
export interface ToolColumns {
  available: ToolChoice[];
  disabled: ToolChoice[];
}

/** Sorts the tools of the chosen toolsets into the columns; `null` are the defaults. */
export function toolColumnsOf(
  offer: ToolsForAgent,
  toolsets: readonly string[] | null,
  disabledNames: readonly string[],
): ToolColumns {
  const chosen: readonly string[] = toolsets ?? offer.defaults;
  const tools = offer.toolsets
    .filter(({ name }) => chosen.includes(name))
    .flatMap((toolset) => toolset.tools);
  const isDisabled = (tool: ToolChoice): boolean => disabledNames.includes(tool.name);
  return {
    available: tools.filter((tool) => !isDisabled(tool)),
    disabled: tools.filter(isDisabled),
  };
}

/** The names with one of them moved to a side. */
export const withTool = (names: readonly string[], name: string, isDisabled: boolean): string[] => {
  const others = names.filter((other) => other !== name);
  return isDisabled ? [...others, name] : others;
};

/** Whether a tool answers to what was typed. */
export function matches({ name, label, description }: ToolChoice, typed: string): boolean {
  const word = typed.trim().toLowerCase();
  return [name, label, description].some((text) => text.toLowerCase().includes(word));
}
