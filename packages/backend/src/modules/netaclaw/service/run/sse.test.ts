import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { setImmediate as tick, setTimeout as wait } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStreamWriter } from './sse.js';

describe('on a response', () => {
  let response: ServerResponse;
  let written: string[];

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    response = new ServerResponse(new IncomingMessage(new Socket()));
    written = [];
    vi.spyOn(response, 'write').mockImplementation((chunk) => {
      written.push(String(chunk));
      return true;
    });
  });
  afterEach(() => {
    response.emit('close');
    vi.useRealTimers();
  });

  it('writes the events of one tick at once, in order', async () => {
    const writer = new EventStreamWriter(response);
    writer.event(1, 'text-delta', '{"text":"a"}');
    writer.event(2, 'text-delta', '{"text":"b"}');
    expect(written).toEqual([]);
    await tick();
    expect(written).toEqual([
      'id: 1\nevent: text-delta\ndata: {"text":"a"}\n\n' +
        'id: 2\nevent: text-delta\ndata: {"text":"b"}\n\n',
    ]);
    writer.event(3, 'run-end', '{}');
    await tick();
    expect(written).toHaveLength(2);
  });

  it('writes data alone where no id and no type is wanted', async () => {
    new EventStreamWriter(response).data('[DONE]');
    await tick();
    expect(written).toEqual(['data: [DONE]\n\n']);
  });

  it('writes the last events with the end', async () => {
    const end = vi.spyOn(response, 'end');
    const writer = new EventStreamWriter(response);
    writer.event(1, 'run-end', '{}');
    writer.end();
    await tick();
    expect(end.mock.calls).toEqual([['id: 1\nevent: run-end\ndata: {}\n\n']]);
    expect(written).toEqual([]);
  });

  it('writes nothing after the end', async () => {
    const end = vi.spyOn(response, 'end');
    const writer = new EventStreamWriter(response);
    writer.end();
    await tick();
    writer.event(1, 'late', '{}');
    await tick();
    expect(end.mock.calls).toEqual([['']]);
    expect(written).toEqual([]);
  });

  it('says every fifteen seconds that it is alive', async () => {
    const writer = new EventStreamWriter(response);
    vi.advanceTimersByTime(14_999);
    await tick();
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    await tick();
    expect(written).toEqual([': alive\n\n']);
    vi.advanceTimersByTime(15_000);
    await tick();
    expect(written).toHaveLength(2);
    writer.end();
  });

  it.each([
    ['the reader has gone', () => response.emit('close')],
    ['it has ended', (writer: EventStreamWriter) => writer.end()],
  ])('has no heartbeat when %s', (_when, stop) => {
    const writer = new EventStreamWriter(response);
    expect(vi.getTimerCount()).toBe(1);
    stop(writer);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('writes nothing to a response that is destroyed', async () => {
    const writer = new EventStreamWriter(response);
    writer.event(1, 'text-delta', '{}');
    response.destroy();
    await tick();
    expect(written).toEqual([]);
  });
});

describe('over a connection', () => {
  /** A server whose answer is what `play` writes. */
  async function serve(play: (writer: EventStreamWriter, response: ServerResponse) => void) {
    const server = createServer((_request, response) => {
      play(new EventStreamWriter(response), response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port }: Pick<AddressInfo, 'port'> = addressOf(server.address());
    return {
      port,
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  function addressOf(address: AddressInfo | string | null): AddressInfo {
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return address;
  }

  it('is what a parser of server-sent events reads', async () => {
    const server = await serve((writer) => {
      writer.event(1, 'text-delta', JSON.stringify({ text: 'line\nline: 漢字' }));
      writer.event(2, 'run-end', '{"status":"completed"}');
      writer.end();
    });
    const answer = await fetch(`http://127.0.0.1:${server.port}/`);
    const events: EventSourceMessage[] = [];
    createParser({ onEvent: (event) => events.push(event) }).feed(await answer.text());
    await server.close();
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(events).toEqual([
      { id: '1', event: 'text-delta', data: '{"text":"line\\nline: 漢字"}' },
      { id: '2', event: 'run-end', data: '{"status":"completed"}' },
    ]);
  });

  it('sends its head before the first event', async () => {
    const server = await serve(() => {});
    const answer = await fetch(`http://127.0.0.1:${server.port}/`);
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    await server.close();
  });

  it('lets a reader go that does not read, and holds no more for it than its limit', async () => {
    const chunk = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    let mostHeld = 0;
    let isLetGo = false;
    const server = await serve(async (writer, response) => {
      for (let id = 1; id <= 200 && !response.destroyed; id += 1) {
        writer.event(id, 'text-delta', chunk);
        await wait(1);
        mostHeld = Math.max(mostHeld, response.writableLength);
      }
      isLetGo = response.destroyed;
    });
    const socket = connect(server.port, '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await vi.waitUntil(() => isLetGo, { timeout: 10_000 });
    socket.destroy();
    await server.close();
    expect(mostHeld).toBeLessThan(20 * 1024 * 1024);
  });
});
