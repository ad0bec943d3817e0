import type { ToolOutput } from '../runtime/port.js';
import type { CommandResult } from '../sandbox/components.js';
import { failed, ok } from './common.js';

/** What the model is told of a command that is over; anything but exit code 0 is an error. */
export function reportCommand(result: CommandResult, timeoutMs: number): ToolOutput {
  const verdict = describeEnd(result, timeoutMs);
  const content = [
    verdict,
    ...section('stdout', result.stdout),
    ...section('stderr', result.stderr),
  ];
  const text = content.join('\n');
  if (result.timedOut) return { status: 'timeout', content: text };
  return (result.exitCode === 0 ? ok : failed)(text);
}

function describeEnd(result: CommandResult, timeoutMs: number): string {
  if (result.timedOut) {
    return `Time limit: the command and all it had started were ended after ${result.allowedMs ?? timeoutMs} ms${allowedNote(result)}. What it wrote until then is below. Do less at once, or allow more time.`;
  }
  if (result.endedBecause !== undefined) {
    return `The command and all it had started were ended because ${result.endedBecause}. What it wrote until then is below.`;
  }
  if (result.exitCode === null) return 'The command was ended by a signal.';
  return `Exit code: ${result.exitCode}`;
}

const allowedNote = ({ allowedMs }: CommandResult): string =>
  allowedMs === undefined ? '' : ', which is what this computer allows';

function section(name: string, text: string): string[] {
  const trimmed = text.replace(/\n+$/, '');
  return trimmed === '' ? [`${name}: (empty)`] : [`${name}:`, trimmed];
}
