import type { SessionMessage, SessionMessages, SessionTurn } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { PAGE_SIZE, readNewest, readOlder } from './session-pages.js';

const turn = (runId: string): SessionTurn => ({
  runId,
  status: 'completed',
  error: null,
  model: 'm',
  rehearsal: false,
  durations: {},
  files: [],
});

/** A session of so many messages, with a user's at every `everyNth`, and what was asked of it. */
function session(total: number, everyNth = 2) {
  const all = Array.from({ length: total }, (_, index): SessionMessage => ({
    runId: `run-${Math.floor(index / everyNth)}`,
    at: '2026-01-01T00:00:00.000Z',
    message:
      index % everyNth === 0
        ? { role: 'user', content: String(index) }
        : { role: 'assistant', content: String(index) },
  }));
  const asked: number[] = [];
  const load = async (page: number): Promise<SessionMessages> => {
    asked.push(page);
    const list = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
    const turns = [...new Set(list.map(({ runId }) => runId))].map((runId) => turn(runId));
    return { list, pagination: { page, size: PAGE_SIZE, total }, turns, fileNames: {} };
  };
  return { load, asked };
}
const contents = (messages: readonly SessionMessage[]) =>
  [messages[0], messages.at(-1)].map((entry) => entry?.message.content);

describe('the messages of a session', () => {
  it('come with one request when they are few', async () => {
    const { load, asked } = session(100);
    expect(await readNewest(load)).toMatchObject({ olderPage: 0 });
    expect(asked).toEqual([1]);
  });

  it('are the newest of many, and more than the rest of a page', async () => {
    const { load, asked } = session(1010);
    const { messages, olderPage } = await readNewest(load);
    expect([contents(messages), olderPage, asked]).toEqual([['900', '1009'], 9, [1, 11, 10]]);
  });

  it('begin with a whole turn', async () => {
    const { load } = session(400, 160);
    expect(contents((await readNewest(load)).messages)).toEqual(['0', '399']);
  });

  it('go back page by page to the first', async () => {
    const { load } = session(350);
    const newest = await readNewest(load);
    const more = await readOlder(load, newest);
    const all = await readOlder(load, more);
    expect(
      [newest, more, all].map(({ messages, olderPage }) => [messages.length, olderPage]),
    ).toEqual([
      [50, 3],
      [150, 2],
      [250, 1],
    ]);
    const last = await readOlder(load, all);
    expect([contents(last.messages), last.olderPage]).toEqual([['0', '349'], 0]);
  });
});
