import type { SealedReasoning, ToolCall } from '@netaclaw/contracts';
import type { NewCallId } from './answer_reader.js';
import { isJsonObject, textField, type JsonObject } from './json_value.js';

/** A piece of an answer for its reader; empty when there is nothing to show. */
export interface ShownPiece {
  kind: 'text' | 'reasoning';
  text: string;
}

type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; whole: string; pieces: string };

/**
 * Puts the content blocks of an answer together, whole or from their deltas. A delta belongs to the
 * newest block of its index; one whose block was never begun begins it. Blocks and deltas of unknown
 * types are passed over.
 */
export class AnthropicBlockReader {
  private readonly blocks: Block[] = [];
  private readonly newest = new Map<unknown, Block>();

  /** Takes a `content_block`, which may be empty or hold everything already. */
  begin(index: unknown, content: unknown): ShownPiece | null {
    if (!isJsonObject(content)) return null;
    const block = toBlock(content);
    if (block === null) return null;
    this.blocks.push(block);
    this.newest.set(index, block);
    if (block.type === 'text') return { kind: 'text', text: block.text };
    return block.type === 'thinking' ? { kind: 'reasoning', text: block.thinking } : null;
  }

  /** Takes the `delta` of a block. */
  add(index: unknown, delta: unknown): ShownPiece | null {
    if (!isJsonObject(delta)) return null;
    switch (delta['type']) {
      case 'text_delta': {
        const text = textField(delta['text']);
        const block = this.blockAt(index, 'text');
        if (block?.type === 'text') block.text += text;
        return { kind: 'text', text };
      }
      case 'thinking_delta': {
        const text = textField(delta['thinking']);
        const block = this.blockAt(index, 'thinking');
        if (block?.type === 'thinking') block.thinking += text;
        return { kind: 'reasoning', text };
      }
      case 'signature_delta': {
        const block = this.blockAt(index, 'thinking');
        if (block?.type === 'thinking') block.signature += textField(delta['signature']);
        return null;
      }
      case 'input_json_delta': {
        const block = this.blockAt(index, 'tool_use');
        if (block?.type === 'tool_use') block.pieces += textField(delta['partial_json']);
        return null;
      }
      default:
        return null;
    }
  }

  get hasCalls(): boolean {
    return this.blocks.some(({ type }) => type === 'tool_use');
  }

  get content(): string {
    return this.join((block) => (block.type === 'text' ? block.text : ''));
  }

  get reasoning(): string {
    return this.join((block) => (block.type === 'thinking' ? block.thinking : ''));
  }

  /** The calls in their order, each with an id of its own and JSON text as arguments. */
  toolCalls(newCallId: NewCallId): ToolCall[] {
    const taken = new Set<string>();
    return this.blocks.flatMap((block) => {
      if (block.type !== 'tool_use') return [];
      const id = block.id === '' || taken.has(block.id) ? newCallId() : block.id;
      taken.add(id);
      return [{ id, name: block.name, arguments: block.pieces.trim() || block.whole || '{}' }];
    });
  }

  /** The blocks the provider wants back as they are: what it signed, and what it hid. */
  sealedItems(): SealedReasoning['items'] {
    return this.blocks.filter(
      (block) =>
        block.type === 'redacted_thinking' || (block.type === 'thinking' && block.signature !== ''),
    );
  }

  private blockAt(index: unknown, type: Block['type']): Block | undefined {
    if (!this.newest.has(index)) this.begin(index, { type });
    return this.newest.get(index);
  }

  private join(textOf: (block: Block) => string): string {
    let text = '';
    for (const block of this.blocks) text += textOf(block);
    return text;
  }
}

function toBlock(content: JsonObject): Block | null {
  switch (content['type']) {
    case 'text':
      return { type: 'text', text: textField(content['text']) };
    case 'thinking': {
      const thinking = textField(content['thinking']);
      return { type: 'thinking', thinking, signature: textField(content['signature']) };
    }
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: textField(content['data']) };
    case 'tool_use':
      return {
        type: 'tool_use',
        id: textField(content['id']),
        name: textField(content['name']),
        whole: inputText(content['input']),
        pieces: '',
      };
    default:
      return null;
  }
}

/** The input is an object by the protocol; a confused server may send its text. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input.trim();
  return isJsonObject(input) ? JSON.stringify(input) : '';
}
