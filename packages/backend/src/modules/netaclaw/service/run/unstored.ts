import type { RunOutcome } from '../../runtime/agent_loop.js';

/** What a run comes to that ended well or not, and could not be stored. */
export const unstored = (outcome: RunOutcome): RunOutcome => ({
  ...outcome,
  status: 'failed',
  error: `The run ended as ${outcome.status}, but what came of it could not be stored. What its tools did stands.`,
});
