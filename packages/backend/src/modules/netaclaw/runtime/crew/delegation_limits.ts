/** How often one member may be given the very same work by one run. */
const SAME_TASK_AT_MOST = 2;
/** Delegations that one turn of a crew may come to, those of members that delegate on included. */
const DELEGATIONS_AT_MOST = 200;

/** Counts the delegations of one turn, over all its depths: one object for the whole tree. */
export class DelegationBudget {
  private taken = 0;

  constructor(readonly atMost = DELEGATIONS_AT_MOST) {}

  /** False when nothing is left. */
  take(): boolean {
    if (this.taken >= this.atMost) return false;
    this.taken += 1;
    return true;
  }
}

/** What a member is given to do. */
interface Delegated {
  member: string;
  task: string;
  context: string | null;
  expectedOutput: string | null;
}

/** Notices that a run gives a member the very same work again; one for a run. */
export class RepeatWatch {
  private readonly counts = new Map<string, number>();

  /** True when this is once too often. Another context or expected output is other work; spacing and case are not. */
  isRepeat({ member, task, context, expectedOutput }: Delegated): boolean {
    const key = JSON.stringify([member, ...[task, context, expectedOutput].map(essenceOf)]);
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count > SAME_TASK_AT_MOST;
  }
}

const essenceOf = (text: string | null): string =>
  (text ?? '').replace(/\s+/g, ' ').trim().toLowerCase();
