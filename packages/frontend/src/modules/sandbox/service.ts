import {
  sandboxRoutes,
  type BooterKind,
  type LiveSandbox,
  type Page,
  type SandboxDriver,
  type SandboxPageBody,
  type SkillCandidate,
  type SkillPromotion,
  type SkillRelease,
  type SkillStage,
} from '@netaclaw/contracts';
import { call } from '../../request.js';
import type { CandidatesBody, ReleasesBody } from './release-lists.js';

export const listDrivers = (signal: AbortSignal): Promise<SandboxDriver[]> =>
  call(sandboxRoutes.drivers, { body: {}, signal });

export const pageOfSandboxes = (
  body: SandboxPageBody,
  signal: AbortSignal,
): Promise<Page<LiveSandbox>> => call(sandboxRoutes.page, { body, signal });

export const stopSandbox = (sessionId: string): Promise<LiveSandbox> =>
  call(sandboxRoutes.stop, { body: { id: sessionId } });

export const extendSandbox = (sessionId: string, seconds: number): Promise<LiveSandbox> =>
  call(sandboxRoutes.extend, { body: { id: sessionId, seconds } });

export const deleteSandbox = (sessionId: string): Promise<{ deleted: number }> =>
  call(sandboxRoutes.delete, { body: { ids: [sessionId] } });

export const pageOfCandidates = (
  body: CandidatesBody,
  signal: AbortSignal,
): Promise<Page<SkillCandidate>> => call(sandboxRoutes.skillCandidates, { body, signal });

export const pageOfReleases = (
  body: ReleasesBody,
  signal: AbortSignal,
): Promise<Page<SkillRelease>> => call(sandboxRoutes.skillReleases, { body, signal });

/** The content of a skill, as the service keeps it. */
export const payloadOf = (
  driver: BooterKind,
  payloadRef: string,
  signal: AbortSignal,
): Promise<{ payloadRef: string; kind: string | null; payload?: unknown }> =>
  call(sandboxRoutes.skillPayload, { body: { driver, payloadRef }, signal });

export interface Evaluation {
  driver: BooterKind;
  candidateId: string;
  passed: boolean;
  score?: number;
  report?: string;
}
export const evaluateCandidate = (body: Evaluation) => call(sandboxRoutes.skillEvaluate, { body });

export interface Promotion {
  driver: BooterKind;
  candidateId: string;
  stage: SkillStage;
  syncToLocal: boolean;
}
export const promoteCandidate = (body: Promotion): Promise<SkillPromotion> =>
  call(sandboxRoutes.skillPromote, { body });

export const rollBackRelease = (driver: BooterKind, releaseId: string): Promise<SkillRelease> =>
  call(sandboxRoutes.skillRollback, { body: { driver, releaseId } });

export const syncRelease = (driver: BooterKind, releaseId: string): Promise<SkillPromotion> =>
  call(sandboxRoutes.skillSync, { body: { driver, releaseId } });
