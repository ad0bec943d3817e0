import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const ID_BYTES = 16;
const pool = new Uint8Array(ID_BYTES * 256);
let used = pool.length;

/** A new id: a UUID of version 7 (RFC 9562), so that ids sort by time. Random bytes are drawn many at once. */
export const newId = (): string => v7({ rng: nextBytes });

function nextBytes(): Uint8Array {
  if (used >= pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.slice(used - ID_BYTES, used);
}
