type Role = 'user' | 'assistant';

/** Said where a conversation does not begin or end with a user turn, as it must. */
const GO_ON = '{"type":"text","text":"Continue."}';
/** How a turn begins, as the first one and behind another. */
const openings = {
  user: ['{"role":"user","content":[', ']},{"role":"user","content":['],
  assistant: ['{"role":"assistant","content":[', ']},{"role":"assistant","content":['],
} as const;

/**
 * Writes the turns of a conversation as pieces of JSON: neighbours of one role become one turn, results
 * stand first in theirs, and the first and the last turn are a user's. It works on one list of pieces,
 * because a history has a thousand messages and is written before each call.
 */
export class AnthropicTurnWriter {
  private readonly pieces: string[] = [];
  private role: Role | null = null;
  /** Where this turn's next result belongs. */
  private resultsEnd = 0;
  private hasResults = false;
  private beginsSealed = false;
  private isBehindSealed = false;

  /** Adds blocks: JSON, with commas between them. */
  add(role: Role, blocks: string): void {
    if (this.role === role) this.pieces.push(',');
    else this.begin(role);
    this.pieces.push(blocks);
  }

  /** Adds sealed reasoning to the assistant's turn. */
  addSealed(blocks: string): void {
    const isFirst = this.role !== 'assistant';
    this.add('assistant', blocks);
    if (isFirst) this.beginsSealed = true;
  }

  /** Adds a result of a call to the user's turn. */
  addResult(block: string): void {
    if (this.role !== 'user') this.begin('user');
    if (this.hasResults) this.insertResult(',', block);
    else if (this.resultsEnd === this.pieces.length) this.insertResult(block);
    else this.insertResult(block, ',');
    this.hasResults = true;
  }

  /** The pieces of the whole conversation. */
  finish(): string[] {
    if (this.role !== 'user') this.add('user', GO_ON);
    this.pieces.push(']}');
    return this.pieces;
  }

  /**
   * Whether a model with a thinking budget can be asked to think: where it goes on from results, the
   * calls must stand behind its own thinking, which those of another model or protocol do not.
   */
  get mayThink(): boolean {
    return !this.hasResults || this.isBehindSealed;
  }

  private begin(role: Role): void {
    if (this.role === null && role === 'assistant') this.add('user', GO_ON);
    this.pieces.push(openings[role][this.role === null ? 0 : 1]);
    this.role = role;
    this.resultsEnd = this.pieces.length;
    this.hasResults = false;
    this.isBehindSealed = this.beginsSealed;
    this.beginsSealed = false;
  }

  private insertResult(...pieces: string[]): void {
    const isLast = this.resultsEnd === this.pieces.length;
    if (isLast) this.pieces.push(...pieces);
    else this.pieces.splice(this.resultsEnd, 0, ...pieces);
    this.resultsEnd += this.hasResults ? 2 : 1;
  }
}
