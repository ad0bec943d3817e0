import { z } from 'zod';
import {
  deletedSchema,
  emptyBodySchema,
  idsBodySchema,
  pageBodyOf,
  pageOf,
  slugSchema,
  timeSchema,
} from './http.js';
import { editors, everyone } from './role.js';
import { defineRoutes } from './route.js';

/** What the Agent Skills standard allows of a SKILL.md, and what is held of its files. */
export const SKILL_LIMITS = {
  name: 64,
  description: 1024,
  compatibility: 500,
  /** Bytes of SKILL.md. */
  document: 256 * 1024,
  /** Files beside SKILL.md. */
  files: 200,
  /** Bytes of one file. */
  file: 1024 * 1024,
  /** Bytes of everything, unpacked. */
  total: 8 * 1024 * 1024,
  /** Characters of a file's path. */
  path: 255,
} as const;

/** The name of the document every skill has. */
export const SKILL_DOCUMENT = 'SKILL.md';

/**
 * How far a version has come. `draft` is being written; `in_review` waits for a person; `published`
 * is what agents get; `archived` was published and is not any more.
 */
export const skillStatusSchema = z
  .enum(['draft', 'in_review', 'published', 'archived'])
  .meta({ id: 'SkillStatus' });
export type SkillStatus = z.infer<typeof skillStatusSchema>;

/** The fields of a SKILL.md, as the standard names them. */
export const skillFrontMatterSchema = z
  .object({
    name: slugSchema,
    description: z.string(),
    license: z.string().nullable(),
    compatibility: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    /** As it is written, for example `read_file bash(git:*)`. */
    allowedTools: z.array(z.string()),
  })
  .meta({ id: 'SkillFrontMatter' });
export type SkillFrontMatter = z.infer<typeof skillFrontMatterSchema>;

export const skillSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    /** Of the newest version. */
    description: z.string(),
    /** Of the newest version, or `published` when an older one was brought back. */
    status: skillStatusSchema,
    /** What agents get; null: nothing. */
    publishedNumber: z.int().nullable(),
    latestNumber: z.int(),
    version: z.int(),
    createTime: timeSchema,
    updateTime: timeSchema,
  })
  .meta({ id: 'Skill' });
export type Skill = z.infer<typeof skillSchema>;

/** A version without its text. */
export const skillVersionSchema = z
  .object({
    number: z.int(),
    status: skillStatusSchema,
    /** Of SKILL.md and all files; an approval holds for this very hash. */
    hash: z.string(),
    author: z.string(),
    /** Null: nobody has approved it as it is now. */
    approvedBy: z.string().nullable(),
    /** What the last reviewer wrote. */
    comment: z.string().nullable(),
    publishedAt: timeSchema.nullable(),
    createTime: timeSchema,
    updateTime: timeSchema,
  })
  .meta({ id: 'SkillVersion' });
export type SkillVersion = z.infer<typeof skillVersionSchema>;

export const skillFileSchema = z
  .object({
    path: z.string(),
    /** Bytes. */
    size: z.int(),
    /** Null: it is no text. */
    text: z.string().nullable(),
  })
  .meta({ id: 'SkillFile' });
export type SkillFile = z.infer<typeof skillFileSchema>;

export const skillInfoSchema = skillSchema
  .extend({
    /** The version that is shown. */
    shown: skillVersionSchema,
    /** SKILL.md as it was written. */
    content: z.string(),
    frontMatter: skillFrontMatterSchema,
    /** What follows the front matter. */
    body: z.string(),
    files: z.array(skillFileSchema),
    /** Newest first. */
    versions: z.array(skillVersionSchema),
    /** Agents that have chosen it. */
    usedBy: z.array(z.object({ id: z.int(), name: z.string(), label: z.string() })),
  })
  .meta({ id: 'SkillInfo' });
export type SkillInfo = z.infer<typeof skillInfoSchema>;

/** Why a skill an agent has chosen is not shown to it. */
export const hiddenSkillReasonSchema = z
  .enum(['not_found', 'not_published', 'tools_not_granted'])
  .meta({ id: 'HiddenSkillReason' });
export type HiddenSkillReason = z.infer<typeof hiddenSkillReasonSchema>;

export const hiddenSkillSchema = z
  .object({
    name: z.string(),
    reason: hiddenSkillReasonSchema,
    /** One sentence an operator understands; for tools it names the missing ones. */
    detail: z.string(),
  })
  .meta({ id: 'HiddenSkill' });
export type HiddenSkill = z.infer<typeof hiddenSkillSchema>;

export const activeSkillSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    /** Which version it is. */
    number: z.int(),
    hash: z.string(),
    /** True: its text is a message of every turn. False: it is listed, and the model asks for it. */
    activated: z.boolean(),
    /** About how many its text has. */
    tokens: z.int(),
  })
  .meta({ id: 'ActiveSkill' });
export type ActiveSkill = z.infer<typeof activeSkillSchema>;

/** The skills of an agent in one situation. */
export const agentSkillsSchema = z
  .object({ active: z.array(activeSkillSchema), hidden: z.array(hiddenSkillSchema) })
  .meta({ id: 'AgentSkills' });
export type AgentSkills = z.infer<typeof agentSkillsSchema>;

const idSchema = z.int().min(1);
const contentSchema = z.string().min(1).max(SKILL_LIMITS.document);

export const skillPageBodySchema = pageBodyOf(
  ['id', 'name', 'status', 'createTime', 'updateTime'],
  {
    status: skillStatusSchema.optional(),
  },
);
export type SkillPageBody = z.infer<typeof skillPageBodySchema>;

export const skillListItemSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    status: skillStatusSchema,
    publishedNumber: z.int().nullable(),
  })
  .meta({ id: 'SkillListItem' });
export type SkillListItem = z.infer<typeof skillListItemSchema>;

export const skillInfoQuerySchema = z.strictObject({
  id: z.coerce.number().int().min(1),
  /** Which version to show; the newest when left out. */
  number: z.coerce.number().int().min(1).optional(),
});
export type SkillInfoQuery = z.infer<typeof skillInfoQuerySchema>;

/** `content` is the text of a SKILL.md: it says the name. */
export const skillAddBodySchema = z
  .strictObject({ content: contentSchema })
  .meta({ id: 'SkillAdd' });
export type SkillAddBody = z.infer<typeof skillAddBodySchema>;

/** Changes the draft; where the newest version is published, it begins the next. Files stay. */
export const skillUpdateBodySchema = z
  .strictObject({ id: idSchema, version: idSchema, content: contentSchema })
  .meta({ id: 'SkillUpdate' });
export type SkillUpdateBody = z.infer<typeof skillUpdateBodySchema>;

/** Uploaded before: one zip or SKILL.md (`fileId`), or a folder's files with their paths (`files`). */
export const skillImportBodySchema = z
  .strictObject({
    fileId: z.uuid().optional(),
    files: z
      .array(z.strictObject({ path: z.string().min(1).max(1000), fileId: z.uuid() }))
      .min(1)
      .max(SKILL_LIMITS.files + 1)
      .optional(),
    /** Of the skill that is there already under this name; without it that is a conflict. */
    version: idSchema.optional(),
  })
  .refine((body) => (body.fileId === undefined) !== (body.files === undefined), {
    path: ['fileId'],
    message: 'give the fileId of a zip or of a SKILL.md, or the files of a folder',
  })
  .meta({ id: 'SkillImport' });
export type SkillImportBody = z.infer<typeof skillImportBodySchema>;

export const skillExportBodySchema = z.strictObject({
  id: idSchema,
  /** The newest version when left out. */
  number: idSchema.optional(),
});
export type SkillExportBody = z.infer<typeof skillExportBodySchema>;

/** `submit`: to review. `approve`: as its hash stands now. `reject`: back to its writer. */
export const skillDecisionSchema = z.enum(['submit', 'approve', 'reject']);
export type SkillDecision = z.infer<typeof skillDecisionSchema>;

export const skillReviewBodySchema = z
  .strictObject({
    id: idSchema,
    version: idSchema,
    decision: skillDecisionSchema,
    comment: z.string().trim().max(2000).optional(),
  })
  .meta({ id: 'SkillReview' });
export type SkillReviewBody = z.infer<typeof skillReviewBodySchema>;

/** A skill as the caller has it before them. */
export const skillStepBodySchema = z
  .strictObject({ id: idSchema, version: idSchema })
  .meta({ id: 'SkillStep' });
export type SkillStepBody = z.infer<typeof skillStepBodySchema>;

export const skillRollbackBodySchema = z
  .strictObject({
    id: idSchema,
    /** The number of a version that has been published. */
    to: idSchema,
    version: idSchema.optional(),
  })
  .meta({ id: 'SkillRollback' });
export type SkillRollbackBody = z.infer<typeof skillRollbackBodySchema>;

const base = '/admin/netaclaw/skill';
export const skillRoutes = defineRoutes({
  page: {
    method: 'post',
    path: `${base}/page`,
    summary: 'Skills, page by page',
    access: { roles: everyone },
    reads: true,
    body: skillPageBodySchema,
    answer: pageOf(skillSchema),
  },
  list: {
    method: 'post',
    path: `${base}/list`,
    summary: 'The names of all skills, to choose from',
    access: { roles: everyone },
    reads: true,
    body: emptyBodySchema,
    answer: z.array(skillListItemSchema),
  },
  info: {
    method: 'get',
    path: `${base}/info`,
    summary:
      'One skill with the text and the files of a version, all versions and the agents that use it',
    access: { roles: everyone },
    reads: true,
    query: skillInfoQuerySchema,
    answer: skillInfoSchema,
  },
  add: {
    method: 'post',
    path: `${base}/add`,
    summary: 'Add a skill as a draft',
    access: { roles: editors },
    body: skillAddBodySchema,
    answer: skillSchema,
  },
  update: {
    method: 'post',
    path: `${base}/update`,
    summary: "Change a skill's draft, or begin its next version",
    access: { roles: editors },
    body: skillUpdateBodySchema,
    answer: skillSchema,
  },
  import: {
    method: 'post',
    path: `${base}/import`,
    summary: 'Add a skill, or the next version of one, from an uploaded zip or folder',
    access: { roles: editors },
    body: skillImportBodySchema,
    answer: skillSchema,
  },
  export: {
    method: 'post',
    path: `${base}/export`,
    summary: 'A version of a skill as a zip',
    access: { roles: everyone },
    reads: true,
    body: skillExportBodySchema,
    answer: z.string(),
    media: '*/*',
    form: 'stream',
  },
  review: {
    method: 'post',
    path: `${base}/review`,
    summary: 'Submit the newest version for review, approve it, or send it back',
    access: { roles: editors },
    body: skillReviewBodySchema,
    answer: skillSchema,
  },
  publish: {
    method: 'post',
    path: `${base}/publish`,
    summary: 'Give the approved version to the agents',
    access: { roles: editors },
    body: skillStepBodySchema,
    answer: skillSchema,
  },
  rollback: {
    method: 'post',
    path: `${base}/rollback`,
    summary: 'Give an earlier published version to the agents again',
    access: { roles: editors },
    body: skillRollbackBodySchema,
    answer: skillSchema,
  },
  archive: {
    method: 'post',
    path: `${base}/archive`,
    summary: 'Take the published version from the agents',
    access: { roles: editors },
    body: skillStepBodySchema,
    answer: skillSchema,
  },
  delete: {
    method: 'post',
    path: `${base}/delete`,
    summary: 'Delete skills that no agent has chosen',
    access: { roles: editors },
    body: idsBodySchema,
    answer: deletedSchema,
  },
});
