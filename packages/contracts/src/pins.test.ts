import { expect, it } from 'vitest';
import {
  capabilityOriginSchema,
  capabilitySchema,
  disabledReasonSchema,
  endStatusSchema,
  failures,
  hiddenSkillReasonSchema,
  runEventBodySchema,
  runStatusSchema,
  skillStatusSchema,
  SUCCESS_CODE,
  toolsetNameSchema,
  toolStatusSchema,
  visibilitySchema,
} from './index.js';

// Clients, stored rows and the console depend on these words: changing one is a choice.

it('pins the reasons for which a tool is left out, in the order of the checks', () => {
  expect(disabledReasonSchema.options).toEqual([
    'not_in_catalog',
    'global_disabled',
    'agent_disabled',
    'capability_mismatch',
    'memory_off',
    'no_skills',
    'not_crew_master',
    'no_computer',
    'sandbox_capability_missing',
    'admin_only',
    'caller_removed',
    'source_unavailable',
    'schema_rejected',
    'name_conflict',
  ]);
});

it('pins how a tool call ends', () => {
  expect(toolStatusSchema.options).toEqual(['ok', 'error', 'refused', 'cancelled', 'timeout']);
});

it('pins how a run stands and how it ends', () => {
  expect(runStatusSchema.options).toEqual(['running', 'completed', 'limit', 'cancelled', 'failed']);
  expect(endStatusSchema.options).toEqual(['completed', 'limit', 'cancelled', 'failed']);
});

it('pins the types of events', () => {
  expect(runEventBodySchema.options.map(({ shape }) => shape.type.value)).toEqual([
    'run-start',
    'text-delta',
    'reasoning-delta',
    'tool-call',
    'tool-result',
    'delegate-start',
    'delegate-end',
    'file',
    'message',
    'usage',
    'run-end',
  ]);
});

it('pins the codes of answers', () => {
  expect(SUCCESS_CODE).toBe(1000);
  expect(failures).toEqual({
    validation: { status: 400, code: 1002 },
    unauthorized: { status: 401, code: 1101 },
    forbidden: { status: 403, code: 1103 },
    notFound: { status: 404, code: 1104 },
    conflict: { status: 409, code: 1109 },
    tooLarge: { status: 413, code: 1113 },
    rateLimited: { status: 429, code: 1129 },
    internal: { status: 500, code: 1003 },
    notReady: { status: 503, code: 1153 },
  });
});

it('pins the words that govern a tool', () => {
  expect(visibilitySchema.options).toEqual(['tool', 'internal', 'skill']);
  expect(capabilitySchema.options).toEqual(['text', 'vision', 'multimodal']);
  expect(capabilityOriginSchema.options).toEqual(['agent', 'channel', 'fallback']);
  expect(toolsetNameSchema.options).toEqual([
    'base',
    'planning',
    'memory',
    'skills',
    'crew',
    'sandbox',
    'browser',
    'skill_lifecycle',
    'vision',
    'document',
  ]);
});

it('pins how far a version of a skill has come, and why a skill is hidden', () => {
  expect(skillStatusSchema.options).toEqual(['draft', 'in_review', 'published', 'archived']);
  expect(hiddenSkillReasonSchema.options).toEqual([
    'not_found',
    'not_published',
    'tools_not_granted',
  ]);
});
