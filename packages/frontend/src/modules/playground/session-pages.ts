import type { SessionMessage, SessionMessages, SessionTurn } from '@netaclaw/contracts';

/** Messages a page of the server holds. */
export const PAGE_SIZE = 100;
const ENOUGH = 50;

/** What has been read of a session so far: the newest messages, and what page comes before them. */
export interface ReadSoFar {
  messages: readonly SessionMessage[];
  /** The turns that they are of. */
  turns: readonly SessionTurn[];
  /** Of the files in them, by their ids. */
  fileNames: Readonly<Record<string, string>>;
  /** The page before the first message that is here; 0 when nothing is older. */
  olderPage: number;
}

export const NOTHING_READ: ReadSoFar = { messages: [], turns: [], fileNames: {}, olderPage: 0 };

type Load = (page: number) => Promise<SessionMessages>;

/** The newest messages of a session. The server counts pages from the oldest on. */
export async function readNewest(load: Load): Promise<ReadSoFar> {
  const first = await load(1);
  const pages = Math.ceil(first.pagination.total / PAGE_SIZE);
  if (pages <= 1) return withPage(NOTHING_READ, first);
  return readOlder(load, { ...NOTHING_READ, olderPage: pages });
}

/** The same with older messages before them: enough to look at, and no turn cut in the middle. */
export async function readOlder(load: Load, before: ReadSoFar): Promise<ReadSoFar> {
  let read = before;
  do {
    const page = await load(read.olderPage);
    read = { ...withPage(read, page), olderPage: read.olderPage - 1 };
  } while (read.olderPage > 0 && !isWhole(read.messages, before.messages.length));
  return read;
}

/** With a page before what is there. A turn may lie on two pages. */
function withPage(read: ReadSoFar, { list, turns, fileNames }: SessionMessages): ReadSoFar {
  const known = new Set(read.turns.map(({ runId }) => runId));
  return {
    ...read,
    messages: [...list, ...read.messages],
    turns: [...turns.filter(({ runId }) => !known.has(runId)), ...read.turns],
    fileNames: { ...fileNames, ...read.fileNames },
  };
}

const isWhole = (messages: readonly SessionMessage[], before: number): boolean =>
  messages.length - before >= ENOUGH && messages[0]?.message.role === 'user';
