import {
  booterKinds,
  booterKindSchema,
  skillCandidatesBodySchema,
  skillReleasesBodySchema,
  type SandboxDriver,
} from '@netaclaw/contracts';
import type { z } from 'zod';

/** An address without a driver means the one that comes with the server. */
const driver = booterKindSchema.default(booterKinds.shipyardNeo);

export const candidatesBodySchema = skillCandidatesBodySchema.extend({ driver });
export type CandidatesBody = z.output<typeof candidatesBodySchema>;

export const releasesBodySchema = skillReleasesBodySchema.extend({ driver });
export type ReleasesBody = z.output<typeof releasesBodySchema>;

/** The drivers whose services keep candidates and releases of skills, and can be asked. */
export const releaseDrivers = (drivers: readonly SandboxDriver[]): SandboxDriver[] =>
  drivers.filter(({ hasSkillReleases, isConfigured }) => hasSkillReleases && isConfigured);
