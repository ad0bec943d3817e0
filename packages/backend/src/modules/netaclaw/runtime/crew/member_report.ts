import type { EndStatus } from '@netaclaw/contracts';
import type { ToolOutput } from '../port.js';

/** How a member's run ended. */
export interface MemberEnding {
  member: string;
  runId: string;
  status: EndStatus;
  error: string | null;
  reply: string;
}

/** What the master reads of a member's run: its answer, or that there is none and why. Never a failure as done. */
export function memberReport({ member, runId, status, error, reply }: MemberEnding): ToolOutput {
  const head = `[${member}, run ${runId}]`;
  const partial = reply.trim() === '' ? '' : `\n\nWhat it had said by then:\n${reply}`;
  const failed = (sentence: string): ToolOutput => ({
    status: 'error',
    content: `${head} ${sentence} The task is not done.${partial}`,
  });
  switch (status) {
    case 'completed':
      return { status: 'ok', content: `${head}\n${reply}` };
    case 'limit':
      if (reply.trim() === '') return failed(`Its tool budget was spent: ${error ?? 'no answer'}`);
      return {
        status: 'ok',
        content: `${head} Its tool budget was spent before it was done; this is what it has.\n${reply}`,
      };
    case 'cancelled':
      return failed('It was cancelled.');
    case 'failed':
      return failed(`It failed: ${error ?? 'without saying why'}`);
    default:
      return status satisfies never;
  }
}
