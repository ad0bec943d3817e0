import { z } from 'zod';
import {
  deletedSchema,
  emptyBodySchema,
  keyParamSchema,
  keysBodySchema,
  pageBodyOf,
  pageOf,
  timeSchema,
} from './http.js';
import { admins, editors, everyone } from './role.js';
import { defineRoutes } from './route.js';

/** Where an agent's shell and files live. */
export const runtimeSchema = z.enum(['none', 'local', 'sandbox']);
export type Runtime = z.infer<typeof runtimeSchema>;

/** The kinds of computer that come with the server. The strings stand nowhere else. */
export const booterKinds = {
  local: 'local',
  shipyard: 'shipyard',
  shipyardNeo: 'shipyard_neo',
  boxlite: 'boxlite',
} as const;

/**
 * A kind of computer. Any name of this form: a driver is one file more on the server, and an agent that names
 * one the server does not have is refused when it is saved.
 */
export const booterKindSchema = z
  .string()
  .max(50)
  .regex(/^[a-z][a-z0-9_]*$/, 'use lower case letters, digits and underscores');
export type BooterKind = z.infer<typeof booterKindSchema>;

/** What a computer can do for a tool. */
export const computerCapabilitySchema = z.enum(['shell', 'python', 'filesystem', 'browser']);
export type ComputerCapability = z.infer<typeof computerCapabilitySchema>;

/** A driver of this server: what it is, whether it can be used, and why not. */
export const sandboxDriverSchema = z
  .object({
    kind: booterKindSchema,
    label: z.string(),
    /** The runtime an agent chooses to get it. */
    runtime: runtimeSchema.exclude(['none']),
    isConfigured: z.boolean(),
    /** What to set where it is not configured; else null. */
    problem: z.string().nullable(),
    /** The service's address; null for what is no service. */
    address: z.string().nullable(),
    /** The tools a session has before anything is known of its sandbox. */
    tools: z.array(z.string()),
    hasProfiles: z.boolean(),
    hasSkillReleases: z.boolean(),
  })
  .meta({ id: 'SandboxDriver' });
export type SandboxDriver = z.infer<typeof sandboxDriverSchema>;

/** A kind of sandbox that a service offers. `capabilities` are its own words. */
export const sandboxProfileSchema = z
  .object({
    id: z.string(),
    capabilities: z.array(z.string()),
    description: z.string().nullable(),
  })
  .meta({ id: 'SandboxProfile' });
export type SandboxProfile = z.infer<typeof sandboxProfileSchema>;

/** Whether a driver's service answers, how fast, and its error in full. */
export const sandboxTestSchema = z
  .object({
    ok: z.boolean(),
    latencyMs: z.int(),
    version: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'SandboxTest' });
export type SandboxTest = z.infer<typeof sandboxTestSchema>;

/** How a session's computer stands. `starting`: it boots; `stopped`: it starts again at the next use. */
export const sandboxStatusSchema = z.enum(['starting', 'running', 'stopped']);
export type SandboxStatus = z.infer<typeof sandboxStatusSchema>;

/** A live computer of one session. */
export const liveSandboxSchema = z
  .object({
    sessionId: z.string(),
    agent: z.string(),
    driver: booterKindSchema,
    profile: z.string().nullable(),
    /** What the service calls it; null while it boots and for what is no service. */
    remoteId: z.string().nullable(),
    status: sandboxStatusSchema,
    capabilities: z.array(z.string()),
    tools: z.array(z.string()),
    startedAt: timeSchema,
    lastUsedAt: timeSchema,
    /** When its service ends it; null: never, or not known. */
    expiresAt: timeSchema.nullable(),
  })
  .meta({ id: 'LiveSandbox' });
export type LiveSandbox = z.infer<typeof liveSandboxSchema>;

export const sandboxPageBodySchema = pageBodyOf(
  ['startedAt', 'lastUsedAt', 'agent', 'driver', 'status'],
  {
    driver: booterKindSchema.optional(),
    agent: z.string().max(64).optional(),
    status: sandboxStatusSchema.optional(),
  },
);
export type SandboxPageBody = z.infer<typeof sandboxPageBodySchema>;

export const sandboxDriverBodySchema = z.strictObject({ driver: booterKindSchema });
export const sandboxExtendBodySchema = keyParamSchema.extend({
  /** Seconds from now on; the service may allow less. */
  seconds: z.int().min(60).max(86_400).default(3600),
});

/** Where a release is used: `canary` for trial, `stable` for production. */
export const skillStageSchema = z.enum(['canary', 'stable']);
export type SkillStage = z.infer<typeof skillStageSchema>;

/** A skill made in a sandbox, before it is released. */
export const skillCandidateSchema = z
  .object({
    id: z.string(),
    skillKey: z.string(),
    status: z.string().nullable(),
    payloadRef: z.string().nullable(),
    /** The result of the last evaluation; null: not evaluated. */
    passed: z.boolean().nullable(),
    score: z.number().nullable(),
    createTime: z.string().nullable(),
  })
  .meta({ id: 'SandboxSkillCandidate' });
export type SkillCandidate = z.infer<typeof skillCandidateSchema>;

export const skillReleaseSchema = z
  .object({
    id: z.string(),
    skillKey: z.string(),
    candidateId: z.string().nullable(),
    stage: z.string().nullable(),
    version: z.int().nullable(),
    isActive: z.boolean().nullable(),
    createTime: z.string().nullable(),
  })
  .meta({ id: 'SandboxSkillRelease' });
export type SkillRelease = z.infer<typeof skillReleaseSchema>;

const idText = z.string().min(1).max(200);
const skillListFields = {
  driver: booterKindSchema,
  skillKey: idText.optional(),
  page: z.int().min(1).default(1),
  size: z.int().min(1).max(200).default(50),
};
export const skillCandidatesBodySchema = z.strictObject(skillListFields);
export const skillReleasesBodySchema = z.strictObject({
  ...skillListFields,
  stage: skillStageSchema.optional(),
  activeOnly: z.boolean().default(false),
});
export const skillPayloadBodySchema = z.strictObject({
  driver: booterKindSchema,
  payloadRef: idText,
});
export const skillEvaluateBodySchema = z.strictObject({
  driver: booterKindSchema,
  candidateId: idText,
  passed: z.boolean(),
  score: z.number().min(0).max(1).optional(),
  report: z.string().max(20_000).optional(),
});
export const skillPromoteBodySchema = z.strictObject({
  driver: booterKindSchema,
  candidateId: idText,
  stage: skillStageSchema,
  /** Writes a draft of a stable release into the skill store, for review. */
  syncToLocal: z.boolean().default(true),
});
export type SkillPromoteBody = z.infer<typeof skillPromoteBodySchema>;
export const skillReleaseBodySchema = z.strictObject({
  driver: booterKindSchema,
  releaseId: idText,
});

/** What a promotion or a sync came to. `draft` names the draft in the skill store; null: none was written. */
export const skillPromotionSchema = z
  .object({ release: skillReleaseSchema, draft: z.string().nullable() })
  .meta({ id: 'SandboxSkillPromotion' });
export type SkillPromotion = z.infer<typeof skillPromotionSchema>;

const base = '/admin/netaclaw/sandbox';
export const sandboxRoutes = defineRoutes({
  drivers: {
    method: 'post',
    path: `${base}/drivers`,
    summary: 'The sandbox drivers of this server, and which of them can be used',
    access: { roles: everyone },
    reads: true,
    body: emptyBodySchema,
    answer: z.array(sandboxDriverSchema),
  },
  profiles: {
    method: 'post',
    path: `${base}/profiles`,
    summary: "The profiles that a driver's service offers",
    access: { roles: everyone },
    reads: true,
    body: sandboxDriverBodySchema,
    answer: z.array(sandboxProfileSchema),
  },
  test: {
    method: 'post',
    path: `${base}/test`,
    summary: "Ask a driver's service whether it is there",
    access: { roles: editors },
    reads: true,
    body: sandboxDriverBodySchema,
    answer: sandboxTestSchema,
  },
  page: {
    method: 'post',
    path: `${base}/page`,
    summary: 'Live sandboxes of this server, page by page',
    access: { roles: everyone },
    reads: true,
    body: sandboxPageBodySchema,
    answer: pageOf(liveSandboxSchema),
  },
  stop: {
    method: 'post',
    path: `${base}/stop`,
    summary: "Stop a session's sandbox; it starts again at the next use",
    access: { roles: editors },
    body: keyParamSchema,
    answer: liveSandboxSchema,
  },
  extend: {
    method: 'post',
    path: `${base}/extend`,
    summary: "Let a session's sandbox live longer",
    access: { roles: editors },
    body: sandboxExtendBodySchema,
    answer: liveSandboxSchema,
  },
  delete: {
    method: 'post',
    path: `${base}/delete`,
    summary: 'Delete sandboxes of sessions with the files in them',
    access: { roles: editors },
    body: keysBodySchema,
    answer: deletedSchema,
  },
  skillCandidates: {
    method: 'post',
    path: `${base}/skillCandidates`,
    summary: 'Skills that were made in sandboxes and are not released',
    access: { roles: everyone },
    reads: true,
    body: skillCandidatesBodySchema,
    answer: pageOf(skillCandidateSchema),
  },
  skillReleases: {
    method: 'post',
    path: `${base}/skillReleases`,
    summary: 'Releases of skills that were made in sandboxes',
    access: { roles: everyone },
    reads: true,
    body: skillReleasesBodySchema,
    answer: pageOf(skillReleaseSchema),
  },
  skillPayload: {
    method: 'post',
    path: `${base}/skillPayload`,
    summary: 'The content of a skill that was made in a sandbox',
    access: { roles: everyone },
    reads: true,
    body: skillPayloadBodySchema,
    answer: z.object({ payloadRef: z.string(), kind: z.string().nullable(), payload: z.unknown() }),
  },
  skillEvaluate: {
    method: 'post',
    path: `${base}/skillEvaluate`,
    summary: 'Record an evaluation of a candidate',
    access: { roles: editors },
    body: skillEvaluateBodySchema,
    answer: z.object({ candidateId: z.string(), passed: z.boolean() }),
  },
  skillPromote: {
    method: 'post',
    path: `${base}/skillPromote`,
    summary: 'Release a candidate that an evaluation has passed',
    access: { roles: admins },
    body: skillPromoteBodySchema,
    answer: skillPromotionSchema,
  },
  skillRollback: {
    method: 'post',
    path: `${base}/skillRollback`,
    summary: 'Go back to the release before this one',
    access: { roles: admins },
    body: skillReleaseBodySchema,
    answer: skillReleaseSchema,
  },
  skillSync: {
    method: 'post',
    path: `${base}/skillSync`,
    summary: 'Write a draft of a stable release into the skill store',
    access: { roles: admins },
    body: skillReleaseBodySchema,
    answer: skillPromotionSchema,
  },
});
