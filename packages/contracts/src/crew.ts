import { z } from 'zod';
import {
  deletedSchema,
  idQuerySchema,
  idsBodySchema,
  pageBodyOf,
  pageOf,
  slugSchema,
  statusSchema,
  timeSchema,
} from './http.js';
import { editors, everyone } from './role.js';
import { defineRoutes } from './route.js';

/** What an agent is in a crew: `master` leads it and delegates, `sub` does what is delegated to it. */
export const crewRoleSchema = z.enum(['master', 'sub']).meta({ id: 'CrewRole' });
export type CrewRole = z.infer<typeof crewRoleSchema>;

/** How API keys and the models of the OpenAI-compatible API name a crew. */
export const CREW_PREFIX = 'crew:';
export const crewTarget = (name: string): string => `${CREW_PREFIX}${name}`;

/** An agent that a crew's master can delegate to. */
export const crewMemberSchema = z
  .strictObject({
    agentId: z.int().min(1),
    /** What the master calls it; without one the agent's name. Its tool is `delegate_` and this. */
    alias: z
      .string()
      .max(55)
      .regex(
        /^[a-z0-9]+([_-][a-z0-9]+)*$/,
        'use lower case letters, digits and single hyphens or underscores',
      )
      .optional(),
    /** What the master is told of it; without one the agent's own description. */
    description: z.string().trim().max(4000).optional(),
  })
  .meta({ id: 'CrewMember' });
export type CrewMember = z.infer<typeof crewMemberSchema>;

const crewFields = {
  name: slugSchema,
  label: z.string().trim().max(200),
  description: z.string().max(4000),
  masterAgentId: z.int().min(1),
  members: z.array(crewMemberSchema).min(1, 'a crew needs a member').max(200),
  /**
   * How deep delegations go. 1: members do the work themselves. With more, a member that is the master
   * of a crew of its own may delegate on.
   */
  maxDepth: z.int().min(1).max(5),
  /** Members of one run at work at once. */
  maxParallel: z.int().min(1).max(64),
  status: statusSchema,
};

export const crewSchema = z
  .object({
    id: z.int(),
    ...crewFields,
    version: z.int(),
    createTime: timeSchema,
    updateTime: timeSchema,
  })
  .meta({ id: 'Crew' });
export type Crew = z.infer<typeof crewSchema>;
/** What an operator decides about a crew. */
export type CrewConfig = Pick<Crew, keyof typeof crewFields>;

export const crewAddBodySchema = z
  .strictObject({
    ...crewFields,
    label: crewFields.label.default(''),
    description: crewFields.description.default(''),
    maxDepth: crewFields.maxDepth.default(1),
    maxParallel: crewFields.maxParallel.default(8),
    status: crewFields.status.default(1),
  })
  .meta({ id: 'CrewAdd' });
export type CrewAddBody = z.infer<typeof crewAddBodySchema>;

export const crewUpdateBodySchema = z
  .strictObject({
    id: z.int().min(1),
    version: z.int().min(1),
    ...z.strictObject(crewFields).partial().shape,
  })
  .meta({ id: 'CrewUpdate' });
export type CrewUpdateBody = z.infer<typeof crewUpdateBodySchema>;

export const crewPageBodySchema = pageBodyOf(
  ['id', 'name', 'label', 'status', 'createTime', 'updateTime'],
  { status: statusSchema.optional(), masterAgentId: z.int().min(1).optional() },
);
export type CrewPageBody = z.infer<typeof crewPageBodySchema>;

const base = '/admin/netaclaw/crew';
export const crewRoutes = defineRoutes({
  page: {
    method: 'post',
    path: `${base}/page`,
    summary: 'Crews, page by page',
    access: { roles: everyone },
    reads: true,
    body: crewPageBodySchema,
    answer: pageOf(crewSchema),
  },
  info: {
    method: 'get',
    path: `${base}/info`,
    summary: 'One crew',
    access: { roles: everyone },
    reads: true,
    query: idQuerySchema,
    answer: crewSchema,
  },
  add: {
    method: 'post',
    path: `${base}/add`,
    summary: 'Add a crew',
    access: { roles: editors },
    body: crewAddBodySchema,
    answer: crewSchema,
  },
  update: {
    method: 'post',
    path: `${base}/update`,
    summary: 'Change a crew',
    access: { roles: editors },
    body: crewUpdateBodySchema,
    answer: crewSchema,
  },
  delete: {
    method: 'post',
    path: `${base}/delete`,
    summary: 'Delete crews',
    access: { roles: editors },
    body: idsBodySchema,
    answer: deletedSchema,
  },
});
