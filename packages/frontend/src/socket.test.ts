import type { RunEvent } from '@netaclaw/contracts';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RequestFailure } from './failure.js';
import { useLocale } from './i18n/index.js';
import { runEvents } from './socket.js';
import { keepTokens } from './tokens.js';

beforeAll(() => useLocale('en'));

/** The browser's socket, played by the test. */
class PlayedSocket extends EventTarget {
  static made: PlayedSocket[] = [];
  readonly sent: { id: string; method: string; params: unknown }[] = [];
  isClosed = false;
  constructor(readonly url: string) {
    super();
    PlayedSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.isClosed = true;
  }
  open(): void {
    this.dispatchEvent(new Event('open'));
  }
  say(frame: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }));
  }
  end(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
}

const own = { at: '2026-01-01T00:00:00.000Z', type: 'text-delta', text: 'Hel' } as const;
const event = (seq: number): RunEvent => ({ ...own, seq, runId: 'run', sessionId: 'session' });
const frame = (seq: number) => ({
  type: 'event',
  event: 'text-delta',
  runId: 'run',
  sessionId: 'session',
  seq,
  payload: { ...own, seq },
});
const begin = () =>
  runEvents(
    { method: 'run.subscribe', params: { runId: 'run', after: 0 } },
    new AbortController().signal,
  );
const made = (): PlayedSocket => {
  const socket = PlayedSocket.made.at(-1);
  if (!socket) throw new Error('no socket was opened');
  return socket;
};

beforeEach(() => {
  vi.stubGlobal('WebSocket', PlayedSocket);
  keepTokens({ token: 'the-token', expire: 1, refreshToken: 'the-refresh', refreshExpire: 1 });
});
afterEach(() => vi.unstubAllGlobals());

describe('runEvents', () => {
  it('connects, asks, and answers the events until the connection ends', async () => {
    const events = begin();
    const first = events.next();
    made().open();
    expect(made().sent).toMatchObject([{ method: 'connect' }]);
    made().say({ type: 'res', id: 'connect', ok: true, payload: {} });
    expect(made().sent).toMatchObject([
      { method: 'connect', params: { token: 'the-token', protocol: 1 } },
      { method: 'run.subscribe', params: { runId: 'run', after: 0 } },
    ]);
    made().say(frame(1));
    expect((await first).value).toEqual(event(1));
    made().say(frame(2));
    made().end(1006);
    expect((await events.next()).value).toEqual(event(2));
    expect((await events.next()).done).toBe(true);
    expect(made().isClosed).toBe(true);
  });

  it('throws the sentence of a refusal', async () => {
    const next = begin().next();
    made().open();
    const error = { code: 1104, message: 'the run does not exist', retryable: false };
    made().say({ type: 'res', id: 'run', ok: false, error });
    await expect(next).rejects.toMatchObject({
      kind: 'notFound',
      message: 'the run does not exist',
    });
  });

  it('says that the server cannot be reached', async () => {
    const next = begin().next();
    made().end(1006);
    await expect(next).rejects.toBeInstanceOf(RequestFailure);
    await expect(next).rejects.toMatchObject({ kind: 'network' });
  });

  it('says that the server found the message too large, and does not call it a loss', async () => {
    const next = begin().next();
    made().open();
    made().say({ type: 'res', id: 'connect', ok: true, payload: {} });
    made().end(1009);
    await expect(next).rejects.toMatchObject({ kind: 'tooLarge' });
  });

  it('refuses a message larger than the server takes, counted in bytes, before it is sent', async () => {
    const message = 'é'.repeat(600_000);
    const before = PlayedSocket.made.length;
    const signal = new AbortController().signal;
    const next = runEvents({ method: 'chat.send', params: { message } }, signal).next();
    await expect(next).rejects.toMatchObject({
      kind: 'tooLarge',
      message: expect.stringContaining('1 MiB'),
    });
    expect(PlayedSocket.made).toHaveLength(before);
  });

  it('ends when the browser goes offline', async () => {
    const events = begin();
    const first = events.next();
    made().open();
    made().say(frame(1));
    await first;
    window.dispatchEvent(new Event('offline'));
    expect((await events.next()).done).toBe(true);
  });
});
