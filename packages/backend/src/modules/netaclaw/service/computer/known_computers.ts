import type { ComputerFacts } from '../../runtime/tools/resolve_tools.js';

/** A computer as the resolver and the prompt need it: before boot from its kind, after boot exactly. */
export interface KnownComputer {
  /** The same for equal content, so that what is made from it can be kept. */
  readonly id: string;
  readonly facts: ComputerFacts;
  /** All tools that a computer of its kind may have. */
  readonly offers: readonly string[];
  readonly prompts: readonly string[];
  /** Tools that this server cannot serve, with the sentence that says what to do. */
  readonly unavailable: ReadonlyMap<string, string>;
}

/** What is known of a computer, in plain values. */
export interface KnownContent {
  label: string;
  /** All that a computer of this kind may have. */
  offers: readonly string[];
  /** What this one has. */
  tools: readonly string[];
  problem: string | null;
  prompts: readonly string[];
  unavailable: readonly (readonly [string, string])[];
}

const MOST_KEPT = 500;

/** One object for equal content. */
export class KnownComputers {
  private readonly kept = new Map<string, KnownComputer>();
  private count = 0;

  of(content: KnownContent): KnownComputer {
    const key = JSON.stringify(content);
    const known = this.kept.get(key);
    if (known) return known;
    if (this.kept.size >= MOST_KEPT) this.kept.clear();
    const { label, offers, tools, problem, prompts, unavailable } = content;
    this.count += 1;
    const made = {
      id: String(this.count),
      facts: { label, tools: new Set(tools), problem },
      offers,
      prompts,
      unavailable: new Map(unavailable),
    };
    this.kept.set(key, made);
    return made;
  }
}
