/** How often the same call with the same result may come in a row. */
const NOTE_AT = 3;
const STOP_AT = 5;
/** How often a run may call names that are not there. */
const UNKNOWN_STOP_AT = 3;

export type GuardVerdict = 'go-on' | 'note' | 'stop';

/** Said to a model that repeats itself. */
export const REPEAT_NOTE =
  '[This call has now been made with the same arguments and the same result several times in a row. ' +
  'Repeating it will not change anything: use what is there or do something else.]';

/** Notices a model that runs in circles; one for a run. */
export class LoopGuard {
  private last = '';
  private repeats = 0;
  private unknown = 0;
  /** True once the run should go to its final answer. */
  stopped = false;

  /** Takes note of a finished call. `refused`: its name was not in the resolved set. */
  see(call: { name: string; arguments: string; result: string; refused: boolean }): GuardVerdict {
    const key = JSON.stringify([call.name, call.arguments, call.result]);
    this.repeats = key === this.last ? this.repeats + 1 : 1;
    this.last = key;
    if (call.refused) this.unknown += 1;
    if (this.repeats >= STOP_AT || this.unknown >= UNKNOWN_STOP_AT) this.stopped = true;
    if (this.stopped) return 'stop';
    return this.repeats >= NOTE_AT ? 'note' : 'go-on';
  }
}
