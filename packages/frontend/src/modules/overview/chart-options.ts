import type { FiguresStep, ToolUse } from '@netaclaw/contracts';
import type { ECBasicOption } from 'echarts/types/dist/shared';

const OK_COLOR = '#4c8dd6';
const FAILED_COLOR = '#d9534f';
const grid = { left: 8, right: 16, top: 36, bottom: 4, containLabel: true };
const common = { backgroundColor: 'transparent', animationDuration: 300 };
const shadow = { type: 'shadow' };

export interface RunNames {
  succeeded: string;
  failed: string;
}

/** Bars of runs over time, those that failed on top. `nameOf` words the time of a step. */
export function runsOption(
  steps: readonly FiguresStep[],
  names: RunNames,
  nameOf: (at: string) => string,
): ECBasicOption {
  const bar = { type: 'bar', stack: 'runs', barMaxWidth: 28 };
  const succeeded = steps.map(({ runs, failed }) => runs - failed);
  return {
    ...common,
    grid,
    color: [OK_COLOR, FAILED_COLOR],
    legend: { top: 0, left: 0 },
    tooltip: { trigger: 'axis', axisPointer: shadow },
    xAxis: { type: 'category', data: steps.map(({ at }) => nameOf(at)) },
    yAxis: { type: 'value', minInterval: 1 },
    series: [
      { ...bar, name: names.succeeded, data: succeeded },
      { ...bar, name: names.failed, data: steps.map(({ failed }) => failed) },
    ],
  };
}

/** A bar for each tool, the one called most on top. */
export function toolsOption(tools: readonly ToolUse[], name: string): ECBasicOption {
  const data = tools.map(({ calls }) => calls);
  return {
    ...common,
    grid: { ...grid, top: 8 },
    color: [OK_COLOR],
    tooltip: { trigger: 'axis', axisPointer: shadow },
    xAxis: { type: 'value', minInterval: 1 },
    yAxis: { type: 'category', inverse: true, data: tools.map((tool) => tool.name) },
    series: [
      { type: 'bar', name, data, barMaxWidth: 18, label: { show: true, position: 'right' } },
    ],
  };
}
