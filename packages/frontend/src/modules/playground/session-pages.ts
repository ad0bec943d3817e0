import type { Page, SessionMessage } from '@netaclaw/contracts';

/** Messages a page of the server holds. */
export const PAGE_SIZE = 100;
const ENOUGH = 50;

/** What has been read of a session so far: the newest messages, and what page comes before them. */
export interface ReadSoFar {
  messages: readonly SessionMessage[];
  /** The page before the first message that is here; 0 when nothing is older. */
  olderPage: number;
}

type Load = (page: number) => Promise<Page<SessionMessage>>;

/** The newest messages of a session. The server counts pages from the oldest on. */
export async function readNewest(load: Load): Promise<ReadSoFar> {
  const first = await load(1);
  const pages = Math.ceil(first.pagination.total / PAGE_SIZE);
  if (pages <= 1) return { messages: first.list, olderPage: 0 };
  return readOlder(load, { messages: [], olderPage: pages });
}

/** The same with older messages before them: enough to look at, and no turn cut in the middle. */
export async function readOlder(
  load: Load,
  { messages, olderPage }: ReadSoFar,
): Promise<ReadSoFar> {
  let read: ReadSoFar = { messages, olderPage };
  do {
    const { list } = await load(read.olderPage);
    read = { messages: [...list, ...read.messages], olderPage: read.olderPage - 1 };
  } while (read.olderPage > 0 && !isWhole(read.messages, messages.length));
  return read;
}

const isWhole = (messages: readonly SessionMessage[], before: number): boolean =>
  messages.length - before >= ENOUGH && messages[0]?.message.role === 'user';
