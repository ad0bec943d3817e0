/** What a member is told of the work it is part of. */
export interface DelegatedFacts {
  crew: string;
  member: string;
  parentRunId: string;
  /** What the run that delegates was asked. */
  parentTask: string;
  /** What the master adds; null: nothing. */
  context: string | null;
  expectedOutput: string | null;
  /** Milliseconds the member has. */
  timeLeftMs: number;
  /** Whether it leads a crew of its own, to which it may delegate on. */
  leads: boolean;
}

const MAX_PARENT_TASK = 2000;

/** The `# Execution Context` of a member's run: whom it works for, under which conditions, and to what end. */
export function delegatedContext(facts: DelegatedFacts): string {
  const { crew, member, parentRunId, context, expectedOutput } = facts;
  const sections = [
    `- Crew: ${crew}\n- You are its member: ${member}\n- Parent run: ${parentRunId}`,
    `## Parent task\n${shortened(facts.parentTask)}`,
    WORKER_NOTE,
    `## Constraints\n${constraintsOf(facts)}`,
  ];
  if (context !== null) sections.push(`## Context\n${context}`);
  if (expectedOutput !== null) sections.push(`## Expected output\n${expectedOutput}`);
  return sections.join('\n\n');
}

const WORKER_NOTE =
  'You are a delegated worker: the user message is your whole task, given by the agent that leads the crew. ' +
  'The parent task is there to be understood, not to be done by you. Your answer goes to that agent and to no ' +
  'one else: give the result itself, and say plainly what failed, is uncertain or was left undone.';

function constraintsOf({ timeLeftMs, leads }: DelegatedFacts): string {
  const seconds = Math.max(1, Math.floor(timeLeftMs / 1000));
  const onward = leads
    ? 'You may delegate parts of it to the members of your own crew.'
    : 'Do it yourself: you cannot delegate it on.';
  return [
    `- ${onward}`,
    '- Nobody can answer a question while you work: decide sensibly and say what you assumed.',
    `- Be done within ${seconds} s.`,
  ].join('\n');
}

const shortened = (text: string): string => {
  const characters = [...text];
  if (characters.length <= MAX_PARENT_TASK) return text;
  return `${characters.slice(0, MAX_PARENT_TASK - 1).join('')}…`;
};

/** What a master is told, as long as there is anyone to delegate to. Names no tool: the list says which there are. */
export const masterGuidance = (crew: string): string => `## Crew
You lead the crew ${crew}; its members are the tools whose names begin with "delegate_".
- Delegate what a member is better placed to do; do small things yourself.
- A member sees nothing of this conversation: write the task so that it can be done from its words and the context alone.
- Give independent tasks in one answer, so that they are worked on side by side.
- Check what comes back. A member that failed did not do its task: say so, or do without it. Giving the same member the same task again will not help.
- The answer to the user is yours.`;
