import { z } from 'zod';

const STORAGE_KEY = 'netaclaw.playground.turn';
const storedSchema = z.object({
  sessionId: z.string(),
  runId: z.string(),
  user: z.string(),
  files: z.array(z.string()),
});
export type StoredTurn = z.infer<typeof storedSchema>;

/** Remembers the turn under way, for a page that is loaded anew in the middle of it. */
export function keepTurn({ sessionId, runId, user, files }: StoredTurn): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ sessionId, runId, user, files }));
}

export function forgetTurn(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}

export function readTurn(): StoredTurn | null {
  try {
    return storedSchema.parse(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null'));
  } catch {
    return null;
  }
}
