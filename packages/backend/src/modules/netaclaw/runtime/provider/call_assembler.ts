import type { ToolCall } from '@netaclaw/contracts';
import type { NewCallId } from './answer_reader.js';
import { isJsonObject, parseJson, textField, type JsonObject } from './json_value.js';

interface OpenCall {
  index: number;
  id: string;
  name: string;
  arguments: string;
}

/**
 * Puts OpenAI-style tool calls together from their pieces. Servers differ: some send no index, some
 * the index 0 for every call, some repeat id and name in every piece, some send the name in pieces,
 * some a whole call at once. An id decides first, then the index (or, without one, the place in the
 * array); a name that comes when the arguments are already complete begins another call.
 */
export class CallAssembler {
  private readonly calls: OpenCall[] = [];

  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  /** Takes the `tool_calls` of one delta; what has no such form is passed over. */
  addPieces(entries: unknown): void {
    for (const [position, entry] of asArray(entries).entries()) {
      if (!isJsonObject(entry)) continue;
      const piece = toPiece(entry, position);
      append(this.find(piece) ?? this.begin(piece), piece);
    }
  }

  /** Takes the `tool_calls` of a whole message: each entry is a call of its own. */
  addWhole(entries: unknown): void {
    for (const [position, entry] of asArray(entries).entries()) {
      if (!isJsonObject(entry)) continue;
      const piece = toPiece(entry, position);
      append(this.begin(piece), piece);
    }
  }

  /** The calls in the order they began, each with an id of its own and JSON text as arguments. */
  finish(newCallId: NewCallId): ToolCall[] {
    const taken = new Set<string>();
    return this.calls
      .filter((call) => call.name !== '' || call.arguments !== '')
      .map((call) => {
        const id = call.id === '' || taken.has(call.id) ? newCallId() : call.id;
        taken.add(id);
        return { id, name: call.name, arguments: call.arguments.trim() || '{}' };
      });
  }

  private find(piece: Piece): OpenCall | undefined {
    const sameId = piece.id === '' ? undefined : this.findById(piece);
    if (sameId) return sameId;
    const sameIndex = this.calls.findLast((call) => call.index === piece.index);
    if (!sameIndex) return undefined;
    if (piece.id !== '' && sameIndex.id !== '') return undefined;
    return piece.name !== '' && isComplete(sameIndex) ? undefined : sameIndex;
  }

  /** One id under two indexes that the server itself gave means two calls. */
  private findById({ id, index, isIndexed }: Piece): OpenCall | undefined {
    return this.calls.find((call) => call.id === id && (!isIndexed || call.index === index));
  }

  private begin({ id, index }: Piece): OpenCall {
    const call = { index, id, name: '', arguments: '' };
    this.calls.push(call);
    return call;
  }
}

interface Piece extends OpenCall {
  /** The index is the server's word, not the place in the array. */
  isIndexed: boolean;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toPiece(entry: JsonObject, position: number): Piece {
  const fields = isJsonObject(entry['function']) ? entry['function'] : {};
  const { index } = entry;
  const isIndexed = typeof index === 'number';
  return {
    index: isIndexed ? index : position,
    isIndexed,
    id: textField(entry['id']),
    name: textField(fields['name']),
    arguments: argumentText(fields['arguments']),
  };
}

function append(call: OpenCall, piece: Piece): void {
  if (call.id === '') call.id = piece.id;
  if (piece.name !== call.name) call.name += piece.name;
  call.arguments += piece.arguments;
}

/** Arguments are text by the protocol; some servers send the object itself. */
function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isJsonObject(value) ? JSON.stringify(value) : '';
}

function isComplete(call: OpenCall): boolean {
  return isJsonObject(parseJson(call.arguments));
}
