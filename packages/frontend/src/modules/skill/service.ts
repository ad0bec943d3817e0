import {
  chatRoutes,
  skillRoutes,
  type Page,
  type Skill,
  type SkillImportBody,
  type SkillInfo,
  type SkillInfoQuery,
  type SkillPageBody,
  type SkillReviewBody,
  type SkillStepBody,
  type SkillUpdateBody,
} from '@netaclaw/contracts';
import { answerOf, call, send } from '../../request.js';

export const pageOfSkills = (body: SkillPageBody, signal: AbortSignal): Promise<Page<Skill>> =>
  call(skillRoutes.page, { body, signal });

export const skillInfo = (query: SkillInfoQuery, signal?: AbortSignal): Promise<SkillInfo> =>
  call(skillRoutes.info, { query, ...(signal ? { signal } : {}) });

export const addSkill = (content: string): Promise<Skill> =>
  call(skillRoutes.add, { body: { content } });

export const updateSkill = (body: SkillUpdateBody): Promise<Skill> =>
  call(skillRoutes.update, { body });

export const reviewSkill = (body: SkillReviewBody): Promise<Skill> =>
  call(skillRoutes.review, { body });

export const publishSkill = (body: SkillStepBody): Promise<Skill> =>
  call(skillRoutes.publish, { body });

export const archiveSkill = (body: SkillStepBody): Promise<Skill> =>
  call(skillRoutes.archive, { body });

export const rollbackSkill = (body: SkillStepBody & { to: number }): Promise<Skill> =>
  call(skillRoutes.rollback, { body });

export const deleteSkill = (id: number): Promise<{ deleted: number }> =>
  call(skillRoutes.delete, { body: { ids: [id] } });

export const importSkill = (body: SkillImportBody): Promise<Skill> =>
  call(skillRoutes.import, { body });

/** A version as a zip. */
export async function skillZip(id: number, number: number): Promise<Blob> {
  const response = await send(skillRoutes.export, { body: { id, number } });
  return response.blob();
}

/** Answers the id of the stored file. */
export async function uploadFile(file: File): Promise<string> {
  const form = new FormData();
  form.append('file', file);
  const stored = await answerOf(chatRoutes.upload, await send(chatRoutes.upload, { body: form }));
  return stored.fileId;
}
