import type { ToolCall } from '@netaclaw/contracts';
import type { DeltaSink, NewCallId } from './answer_reader.js';
import { isJsonObject, textField, type JsonObject } from './json_value.js';

/** One item of an answer, as far as it has come. */
interface Item {
  index: number;
  id: string;
  /** The id that a call's result will name. */
  callId: string;
  name: string;
  arguments: string;
  /** Words of this item have been handed on. */
  isHeard: boolean;
  isCall: boolean;
  isEnded: boolean;
  sealed: JsonObject | null;
}

/**
 * Puts the items of a `/responses` answer together from a stream's events, or from whole items. An
 * event names its item by its place in the output and by its id; where a server gives every item the
 * place 0, or an item another id in each event, the other one decides.
 */
export class ResponseItems {
  content = '';
  reasoning = '';
  private readonly items: Item[] = [];
  /** Where the last words and the last reasoning belong: a new place begins a new paragraph. */
  private place = { content: '', reasoning: '' };

  get hasCalls(): boolean {
    return this.items.some(({ isCall }) => isCall);
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  /** An item that begins; what it already has is taken. */
  begin(event: JsonObject): void {
    const value = event['item'];
    if (!isJsonObject(value)) return;
    const index = indexOf(event);
    const id = textField(value['id']);
    const item = this.named(id, index) ?? this.add(index, id);
    if (value['type'] === 'function_call') takeCall(item, value);
  }

  /** A piece of text, a refusal's included. */
  text(event: JsonObject, sink: DeltaSink): void {
    const item = this.at(event);
    this.say(item, { kind: 'content', part: '', text: textField(event['delta']) }, sink);
  }

  /** A piece of reasoning, or of a summary of it. */
  thought(event: JsonObject, sink: DeltaSink): void {
    const part = String(event['summary_index'] ?? event['content_index'] ?? '');
    const item = this.at(event);
    this.say(item, { kind: 'reasoning', part, text: textField(event['delta']) }, sink);
  }

  /** A piece of a call's arguments. */
  argumentsPiece(event: JsonObject): void {
    const item = this.at(event);
    item.isCall = true;
    item.arguments += textField(event['delta']);
  }

  /** A call's arguments are complete. */
  argumentsEnd(event: JsonObject): void {
    takeCall(this.at(event), event);
  }

  /** An item is complete: what the stream did not say is taken from it. */
  end(event: JsonObject, sink: DeltaSink): void {
    const value = event['item'];
    if (!isJsonObject(value)) return;
    const item = this.at(event, textField(value['id']));
    this.take(item, value, sink);
    item.isEnded = true;
  }

  /** The whole output at once. */
  takeAll(output: unknown, sink: DeltaSink): void {
    for (const [index, value] of (Array.isArray(output) ? output : []).entries()) {
      if (isJsonObject(value)) this.take(this.add(index, textField(value['id'])), value, sink);
    }
  }

  /** The calls in the order they began, each with an id of its own and JSON text as arguments. */
  calls(newCallId: NewCallId): ToolCall[] {
    const taken = new Set<string>();
    return this.items
      .filter(({ isCall, name, arguments: text }) => isCall && (name !== '' || text !== ''))
      .map((item) => {
        const id = item.callId === '' || taken.has(item.callId) ? newCallId() : item.callId;
        taken.add(id);
        return { id, name: item.name, arguments: item.arguments.trim() || '{}' };
      });
  }

  /** The reasoning items that can be sent back. */
  get sealed(): JsonObject[] {
    return this.items.flatMap((item) => (item.sealed ? [item.sealed] : []));
  }

  private take(item: Item, value: JsonObject, sink: DeltaSink): void {
    switch (value['type']) {
      case 'function_call':
        return takeCall(item, value);
      case 'message':
        if (!item.isHeard) this.sayParts(item, { kind: 'content', parts: value['content'] }, sink);
        return;
      case 'reasoning':
        item.sealed = sealedItem(value);
        if (!item.isHeard) this.sayThoughts(item, value, sink);
        return;
      default:
    }
  }

  /** A summary is for people; where there is none, the reasoning itself is shown. */
  private sayThoughts(item: Item, { summary, content }: JsonObject, sink: DeltaSink): void {
    const hasSummary = Array.isArray(summary) && summary.length > 0;
    this.sayParts(item, { kind: 'reasoning', parts: hasSummary ? summary : content }, sink);
  }

  private sayParts(
    item: Item,
    { kind, parts }: { kind: 'content' | 'reasoning'; parts: unknown },
    sink: DeltaSink,
  ): void {
    for (const [index, part] of (Array.isArray(parts) ? parts : []).entries()) {
      if (!isJsonObject(part)) continue;
      const text = textField(part['text']) || textField(part['refusal']);
      this.say(item, { kind, part: kind === 'content' ? '' : String(index), text }, sink);
    }
  }

  private say(
    item: Item,
    { kind, part, text }: { kind: 'content' | 'reasoning'; part: string; text: string },
    sink: DeltaSink,
  ): void {
    if (text === '') return;
    item.isHeard = true;
    const place = `${this.items.indexOf(item)}:${part}`;
    const words = this[kind] !== '' && this.place[kind] !== place ? `\n\n${text}` : text;
    this.place[kind] = place;
    this[kind] += words;
    if (kind === 'content') sink.text(words);
    else sink.reasoning(words);
  }

  private at(event: JsonObject, id = textField(event['item_id'])): Item {
    const index = indexOf(event);
    const last = this.items.at(-1);
    if (last?.id === id && last.index === index && !last.isEnded) return last;
    return (
      this.named(id, index) ??
      this.named(id) ??
      this.items.findLast((item) => item.index === index && !item.isEnded) ??
      this.add(index, id)
    );
  }

  private named(id: string, index?: number): Item | undefined {
    if (id === '') return undefined;
    return this.items.findLast(
      (item) => item.id === id && (index === undefined || item.index === index),
    );
  }

  private add(index: number, id: string): Item {
    const item: Item = {
      index,
      id,
      callId: '',
      name: '',
      arguments: '',
      isHeard: false,
      isCall: false,
      isEnded: false,
      sealed: null,
    };
    this.items.push(item);
    return item;
  }
}

const indexOf = ({ output_index: index }: JsonObject): number =>
  typeof index === 'number' ? index : 0;

/** What is said last about a call counts; what is left out stays. */
function takeCall(item: Item, value: JsonObject): void {
  item.isCall = true;
  item.callId = textField(value['call_id']) || item.callId;
  item.name = textField(value['name']) || item.name;
  const text = value['arguments'];
  // Text by the protocol; some servers send the object itself.
  item.arguments = (isJsonObject(text) ? JSON.stringify(text) : textField(text)) || item.arguments;
}

/** What a reasoning item needs to be sent back; null when it cannot be. */
function sealedItem({ id, summary, encrypted_content }: JsonObject): JsonObject | null {
  return textField(encrypted_content) === ''
    ? null
    : { type: 'reasoning', id, summary, encrypted_content };
}
