import { z } from 'zod';
import type { ToolOutput } from '../runtime/port.js';
import type {
  BrowserComponent,
  HistoryComponent,
  ServiceRecord,
  SkillComponent,
} from '../sandbox/components.js';
import { failed, ok, onComputer } from './common.js';
import type { RunFacilities } from './source.js';

/** A service's record as the model reads it: its own field names, what is empty left out. */
export const showRecord = (record: ServiceRecord): string =>
  JSON.stringify(record, (_name, value) => (value === null || value === '' ? undefined : value), 1);

/** What a service answered; it says itself when it failed. */
export const recordOutput = (record: ServiceRecord): ToolOutput =>
  (record['success'] === false ? failed : ok)(showRecord(record));

type Answer<C> = (component: C) => Promise<ServiceRecord>;

/** Does something in the sandbox's browser. */
export const inBrowser = (
  facilities: RunFacilities,
  signal: AbortSignal,
  work: Answer<BrowserComponent>,
): Promise<ToolOutput> =>
  onComputer(facilities, signal, async ({ browser }) =>
    browser === null
      ? failed('This sandbox has no browser. Choose a profile with one in Agents > Sandbox.')
      : recordOutput(await work(browser)),
  );

/** Looks at, or writes on, what was executed in the sandbox. */
export const inHistory = (
  facilities: RunFacilities,
  signal: AbortSignal,
  work: Answer<HistoryComponent>,
): Promise<ToolOutput> =>
  onComputer(facilities, signal, async ({ history }) =>
    history === null
      ? failed('This sandbox keeps no history of what was executed.')
      : recordOutput(await work(history)),
  );

/** Does something with skills that are made in sandboxes. */
export const withSkills = (
  facilities: RunFacilities,
  signal: AbortSignal,
  work: Answer<SkillComponent>,
): Promise<ToolOutput> =>
  onComputer(facilities, signal, async ({ skills }) =>
    skills === null ? failed('This sandbox makes no skills.') : recordOutput(await work(skills)),
  );

/** The id of a record at the service, as an earlier result named it. */
export const recordId = (meaning: string): z.ZodString =>
  z.string().min(1).max(200).describe(meaning);

/** Which part of a list is wanted. */
export const listFields = {
  limit: z.int().min(1).max(200).default(20).describe('How many to list.'),
  offset: z.int().min(0).default(0).describe('How many to pass over.'),
};

/** Seconds that a call may take: no more than is left of its own time. */
export const secondsWithin = (asked: number, timeoutMs: number): number =>
  Math.max(1, Math.min(asked, Math.floor(timeoutMs / 1000)));
