import { z } from 'zod';
import { ComputerError, type ServiceRecord, type SkillComponent } from './components.js';

/** A skill on its way from a sandbox into the skill store. */
export interface SandboxSkillDraft {
  skillKey: string;
  /** The text of a SKILL.md. */
  markdown: string;
  releaseId: string;
}

/** Writes a draft for review and answers what it is called there. Rejects with a sentence. */
export type SaveSkillDraft = (draft: SandboxSkillDraft) => Promise<string>;

export interface Promotion {
  candidateId: string;
  stage: 'canary' | 'stable';
  /** Null: this is not wanted, or not stable. */
  saveDraft: SaveSkillDraft | null;
  signal: AbortSignal;
}

/** A release, and the draft that was written of it; null: none was asked for. */
export interface Promoted {
  release: ServiceRecord;
  draft: string | null;
}

const releaseSchema = z.object({ id: z.string() });
const MOST_LISTED = 200;

/**
 * Releases a candidate. A stable release that is to be drafted into the skill store and cannot is rolled back:
 * nothing is in production that nobody will review. Throws `ComputerError`.
 */
export async function promoteSkill(
  skills: SkillComponent,
  { candidateId, stage, saveDraft, signal }: Promotion,
): Promise<Promoted> {
  const release = await skills.promote(candidateId, { fields: { stage }, signal });
  if (saveDraft === null || stage !== 'stable') return { release, draft: null };
  const parsed = releaseSchema.safeParse(release);
  if (!parsed.success) {
    throw new ComputerError('failed', 'The service released the candidate, but names no release.');
  }
  try {
    const candidate = await candidateOf(skills, candidateId, signal);
    const draft = await draftOf(skills, { candidate, releaseId: parsed.data.id, signal });
    return { release, draft: await saveDraft(draft) };
  } catch (error) {
    const undone = await rolledBack(skills, parsed.data.id);
    const message = `The skill could not be drafted into the skill store: ${sentenceOf(error)} ${undone}`;
    throw new ComputerError('failed', message, { cause: error });
  }
}

/** Drafts a stable release into the skill store. Throws `ComputerError`. */
export async function syncRelease(
  skills: SkillComponent,
  {
    releaseId,
    saveDraft,
    signal,
  }: { releaseId: string; saveDraft: SaveSkillDraft; signal: AbortSignal },
): Promise<Promoted> {
  const release = await found(skills.releases, { skills, id: releaseId, signal }, 'release');
  if (release['stage'] !== 'stable') {
    const message = `The release ${releaseId} is not stable (${String(release['stage'])}). Only stable releases go into the skill store: promote its candidate to stable first.`;
    throw new ComputerError('failed', message);
  }
  const candidateId = textOf(release['candidate_id']);
  const candidate = await candidateOf(skills, candidateId, signal);
  const draft = await draftOf(skills, { candidate, releaseId, signal });
  return { release, draft: await saveDraft(draft) };
}

const candidateOf = (skills: SkillComponent, id: string, signal: AbortSignal) =>
  found(skills.candidates, { skills, id, signal }, 'candidate');

async function found(
  list: SkillComponent['candidates'],
  { skills, id, signal }: { skills: SkillComponent; id: string; signal: AbortSignal },
  what: string,
): Promise<ServiceRecord> {
  const answer = await list.call(skills, { fields: { limit: MOST_LISTED }, signal });
  const item = itemsOf(answer).find((each) => each['id'] === id);
  if (item) return item;
  throw new ComputerError('not_found', `There is no ${what} ${id} at the service.`);
}

async function draftOf(
  skills: SkillComponent,
  {
    candidate,
    releaseId,
    signal,
  }: { candidate: ServiceRecord; releaseId: string; signal: AbortSignal },
): Promise<SandboxSkillDraft> {
  const payloadRef = textOf(candidate['payload_ref']);
  if (payloadRef === '') {
    throw new ComputerError('failed', 'The candidate has no payload. Make one with a payload_ref.');
  }
  const markdown = markdownIn(await skills.payload(payloadRef, signal));
  if (markdown === '') {
    throw new ComputerError('failed', `The payload ${payloadRef} has no skill_markdown.`);
  }
  return { skillKey: textOf(candidate['skill_key']), markdown, releaseId };
}

const payloadSchema = z.object({ skill_markdown: z.string() });

function markdownIn(record: ServiceRecord): string {
  for (const place of [record['payload'], record]) {
    const parsed = payloadSchema.safeParse(place);
    if (parsed.success) return parsed.data.skill_markdown;
  }
  return '';
}

async function rolledBack(skills: SkillComponent, releaseId: string): Promise<string> {
  try {
    await skills.rollback(releaseId, AbortSignal.timeout(30_000));
    return `The release ${releaseId} was rolled back.`;
  } catch (error) {
    return `Rolling the release ${releaseId} back failed too: ${sentenceOf(error)} Roll it back by hand.`;
  }
}

/** The records of a list, however the service calls it. */
export function itemsOf(answer: ServiceRecord): ServiceRecord[] {
  const items = answer['items'] ?? answer['candidates'] ?? answer['releases'];
  const parsed = z.array(z.record(z.string(), z.unknown())).safeParse(items);
  return parsed.success ? parsed.data : [];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const sentenceOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : 'no reason given.';
