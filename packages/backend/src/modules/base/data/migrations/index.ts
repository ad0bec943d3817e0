import { Foundation1764500000000 } from './1764500000000_foundation.js';
import { SessionSummary1764600000000 } from './1764600000000_session_summary.js';
import { Crew1764700000000 } from './1764700000000_crew.js';
import { Memory1764800000000 } from './1764800000000_memory.js';
import { Skill1764900000000 } from './1764900000000_skill.js';
import { RequestDigest1765000000000 } from './1765000000000_request_digest.js';

/** Every migration, in order. */
export const migrations = [
  Foundation1764500000000,
  SessionSummary1764600000000,
  Crew1764700000000,
  Memory1764800000000,
  Skill1764900000000,
  RequestDigest1765000000000,
];
