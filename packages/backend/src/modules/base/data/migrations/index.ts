import { Foundation1764500000000 } from './1764500000000_foundation.js';

/** Every migration, in order. */
export const migrations = [Foundation1764500000000];
