/** What matters here of the events that make the text; all others are of no interest. */
export type TextEvent = { type: 'text-delta' | 'message'; text: string } | { type: 'tool-call' };

/** Stands between what the model said before its tool calls and what it says after them. */
const BETWEEN = '\n\n';

/**
 * Where a call that is printed as text could begin (see `raw_calls.ts`): its tag, a fence with JSON in it.
 * At the end of what has come so far the beginnings of those as well.
 */
const mayBeCall =
  /<(?:tool_call>|[tol_ca]{0,9}$)|`{1,2}$|```(?:[a-z_]{0,9}[ \t]*$|(?:json|tool_call)?[ \t]*\n\s*(?:[{[]|$))/;
/** A whole answer of JSON can be one too; blank text is not yet known to be anything. */
const mayBeWholeCall = /^\s*(?:[{[]|$)/;
/** Held back text that has begun like a call: only the end of the answer tells what it is. */
const hasBegun = /[{[]|<tool_call>/;

/**
 * Makes of a run's events the text that its user sees, piece by piece: all that the model addresses to
 * the user, also between tool calls, but no tool call, not even one that the model prints as text. What
 * could be one is held back until it is clear; the final `message` says what was not.
 */
export class VisibleText {
  /** Something was shown by an earlier model call. */
  private saidBefore = false;
  /** Of the current model call: what was shown, and what is held back for now. */
  private said = '';
  private held = '';
  /** The rest of the current model call is not looked at any more: its `message` will tell. */
  private waits = false;

  /** What an event adds to the text; empty when nothing. */
  take(event: TextEvent): string {
    switch (event.type) {
      case 'text-delta':
        return this.show(this.clear(event.text));
      case 'tool-call':
        this.endCall();
        return '';
      case 'message':
        return this.finish(event.text);
      default:
        return event satisfies never;
    }
  }

  /** What of the text so far cannot be a call. */
  private clear(delta: string): string {
    if (this.waits) return '';
    const text = this.held + delta;
    const at = this.said === '' && mayBeWholeCall.test(text) ? 0 : text.search(mayBeCall);
    this.held = at < 0 ? '' : text.slice(at);
    this.waits = hasBegun.test(this.held);
    return at < 0 ? text : text.slice(0, at);
  }

  private show(text: string): string {
    if (text === '') return '';
    const isFirst = this.said === '';
    this.said += text;
    return isFirst && this.saidBefore ? BETWEEN + text : text;
  }

  private endCall(): void {
    if (this.said !== '') this.saidBefore = true;
    this.said = '';
    this.held = '';
    this.waits = false;
  }

  /** The reply is authoritative: what of it has not been shown yet comes now. */
  private finish(reply: string): string {
    if (!reply.startsWith(this.said)) this.endCall();
    return this.show(reply.slice(this.said.length));
  }
}
