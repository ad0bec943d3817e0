import type { Message } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { ModelError, type ChatModel, type ModelEvent, type ModelRequest } from '../runtime/port.js';
import { tokensOfRequest } from '../runtime/fit_request.js';
import { tokenMeter } from '../runtime/tokens.js';
import { ContextWindow, withinWindow } from './context_window.js';

const meter = tokenMeter((text) => text.length);
const user = (content: string): Message => ({ role: 'user', content });
const system: Message = { role: 'system', content: 'be brief' };
const notes = user('notes');
const turns = Array.from({ length: 20 }, (_, at) => user(`${at} `.padEnd(96, 'x')));

/** Takes so many tokens. */
function provider(limit: number) {
  const sent: number[] = [];
  const requests: ModelRequest[] = [];
  const model: ChatModel = {
    name: 'm',
    rehearsal: false,
    async *call(request): AsyncGenerator<ModelEvent> {
      const tokens = tokensOfRequest(request, meter);
      sent.push(tokens);
      requests.push(request);
      if (tokens > limit) throw new ModelError(`prompt is too long: ${tokens} > ${limit}`, 400);
      yield { type: 'text-delta', text: 'ok' };
    },
  };
  return { model, sent, requests };
}

async function ask(model: ChatModel, messages: readonly Message[]): Promise<unknown> {
  const request = { messages, always: 2, tools: [], stream: true };
  const events: ModelEvent[] = [];
  for await (const event of model.call(request, new AbortController().signal)) events.push(event);
  return events;
}

const windowOf = (tokens: number | null) => new ContextWindow(tokens, async () => meter);

describe('withinWindow', () => {
  it('keeps to the window of its own channel', async () => {
    const { model, sent, requests } = provider(1000);
    await ask(withinWindow(model, windowOf(800), 'c'), [system, notes, ...turns]);
    expect(sent).toHaveLength(1);
    expect(requests[0]?.messages.slice(0, 2)).toEqual([system, notes]);
    expect(requests[0]?.messages.at(-1)).toBe(turns.at(-1));
  });

  it('asks again with half of what was refused, and begins with that the next time', async () => {
    const { model, sent } = provider(700);
    const within = withinWindow(model, windowOf(null), 'c');
    expect(await ask(within, [system, notes, ...turns])).toEqual([
      { type: 'text-delta', text: 'ok' },
    ]);
    expect(sent).toHaveLength(3);
    expect(sent[1]).toBeLessThanOrEqual((sent[0] ?? 0) / 2);
    await ask(within, [system, notes, ...turns]);
    expect(sent).toHaveLength(4);
    expect(sent[3]).toBe(sent[2]);
  });

  it('says what to do when the newest message alone is too long', async () => {
    const { model, sent } = provider(10);
    const within = withinWindow(model, windowOf(null), 'main');
    await expect(ask(within, [system, notes, ...turns])).rejects.toThrow(
      /newest message does not fit .* channel main: shorten it.*prompt is too long/s,
    );
    expect(sent.length).toBeLessThanOrEqual(6);
  });

  it('leaves a request alone where no window is known', async () => {
    const { model, requests } = provider(1e9);
    const messages = [system, notes, ...turns];
    await ask(withinWindow(model, windowOf(null), 'c'), messages);
    expect(requests[0]?.messages).toBe(messages);
  });

  it('passes any other refusal on', async () => {
    const model: ChatModel = {
      ...provider(0).model,
      // eslint-disable-next-line require-yield
      async *call() {
        throw new ModelError('Could not process image', 400);
      },
    };
    await expect(ask(withinWindow(model, windowOf(9), 'c'), [system])).rejects.toThrow(/image/);
  });
});
