import type { ToolChoice, ToolsForAgentBody, ToolsetName } from '@netaclaw/contracts';
import { watchDebounced } from '@vueuse/core';
import { computed, ref, type ComputedRef, type Ref } from 'vue';
import { useLoad, type Loaded } from '../../composables/use-load.js';
import { toolsForAgent } from './service.js';

/** Tools of a column; more than a person reads, and beyond them they search. */
const MOST_SHOWN = 100;
const DEBOUNCE_MS = 250;

/** One column of the editor: its first tools, and how many there are. */
export interface ToolSide {
  tools: ToolChoice[];
  total: number;
}
/** The tools of the chosen toolsets, by whether the agent's `tools.disabled` names them. */
export interface ToolColumns {
  available: ToolSide;
  disabled: ToolSide;
}

/** Where an agent's computer is, as the server needs it to know the tools that come with it. */
export type ToolComputer = NonNullable<ToolsForAgentBody['computer']>;

/** What the draft says. */
export interface ToolChoosing {
  toolsets: () => readonly ToolsetName[];
  /** The computer that brings tools along; null for an agent with toolsets of its own choice. */
  computer: () => ToolComputer | null;
  disabled: () => readonly string[];
}

export interface ToolChoices {
  /** What is searched for in both columns. */
  typed: Ref<string>;
  /** Null until the first answer is there. */
  columns: ComputedRef<ToolColumns | null>;
  loaded: Loaded<ToolColumns>;
}

/**
 * The two columns of the tool configuration, searched and counted by the server: the toolsets may hold
 * thousands. What is moved changes sides at once; the server's answer follows.
 */
export function useToolChoices({ toolsets, computer, disabled }: ToolChoosing): ToolChoices {
  const typed = ref('');
  const loaded = useLoad(async (signal) => {
    const names = [...disabled()];
    const machine = computer();
    const shared = {
      toolsets: [...toolsets()],
      ...(machine ? { computer: machine } : {}),
      keyWord: typed.value.trim(),
      size: MOST_SHOWN,
    };
    const [available, off] = await Promise.all([
      sideOf({ ...shared, except: names }, signal),
      sideOf({ ...shared, names }, signal),
    ]);
    return { available, disabled: off };
  });
  const columns = computed(() => loaded.data.value && resorted(loaded.data.value, disabled()));
  watchDebounced([toolsets, computer, disabled, typed], loaded.reload, { debounce: DEBOUNCE_MS });
  return { typed, columns, loaded };
}

async function sideOf(
  body: Parameters<typeof toolsForAgent>[0],
  signal: AbortSignal,
): Promise<ToolSide> {
  const { toolsets } = await toolsForAgent(body, signal);
  return {
    tools: toolsets.flatMap(({ tools }) => tools),
    total: toolsets.reduce((sum, { total }) => sum + total, 0),
  };
}

/** The columns as they are once every tool stands where the draft has it by now. */
export function resorted(
  { available, disabled }: ToolColumns,
  disabledNames: readonly string[],
): ToolColumns {
  const names = new Set(disabledNames);
  const left = available.tools.filter(({ name }) => names.has(name));
  const back = disabled.tools.filter(({ name }) => !names.has(name));
  return {
    available: moved(available, { away: left, here: back }),
    disabled: moved(disabled, { away: back, here: left }),
  };
}

function moved(
  { tools, total }: ToolSide,
  { away, here }: { away: readonly ToolChoice[]; here: readonly ToolChoice[] },
): ToolSide {
  return {
    tools: [...here, ...tools.filter((tool) => !away.includes(tool))],
    total: total + here.length - away.length,
  };
}
