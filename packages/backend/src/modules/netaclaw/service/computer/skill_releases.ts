import type {
  AuditAction,
  BooterKind,
  Page,
  SkillCandidate,
  SkillPromoteBody,
  SkillPromotion,
  SkillRelease,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Audit } from '../../../base/audit/audit.js';
import type { Actor } from '../../../base/auth/actor.js';
import { DomainError, invalid } from '../../../base/error.js';
import type { ServiceRecord, SkillComponent } from '../../sandbox/components.js';
import {
  itemsOf,
  promoteSkill,
  syncRelease,
  type SaveSkillDraft,
} from '../../sandbox/skill_release.js';
import { packageOfText } from '../skill/skill_package.js';
import { NetaClawSkillService } from '../skill/skill.js';
import { answered } from './computer_failure.js';
import { NetaClawSandboxDriversService } from './sandbox_drivers.js';
import { candidateRow, releaseRow } from './skill_rows.js';

const ASK_MS = 30_000;

interface ListRequest {
  driver: BooterKind;
  skillKey?: string | undefined;
  page: number;
  size: number;
}

/** Skills that were made in sandboxes: what operators see of them and decide about them. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSandboxSkillsService {
  @Inject() drivers: NetaClawSandboxDriversService;
  @Inject() audit: Audit;
  @Inject() store: NetaClawSkillService;

  async candidates(request: ListRequest): Promise<Page<SkillCandidate>> {
    const skills = await this.skillsOf(request.driver);
    const call = { fields: listFields(request), signal: limit() };
    return pageOf(await answered(() => skills.candidates(call)), request, candidateRow);
  }

  async releases(
    request: ListRequest & { stage?: string | undefined; activeOnly: boolean },
  ): Promise<Page<SkillRelease>> {
    const skills = await this.skillsOf(request.driver);
    const { stage, activeOnly } = request;
    const fields = { ...listFields(request), stage, active_only: activeOnly || undefined };
    const answer = await answered(() => skills.releases({ fields, signal: limit() }));
    return pageOf(answer, request, releaseRow);
  }

  async payload(driver: BooterKind, payloadRef: string) {
    const skills = await this.skillsOf(driver);
    const record = await answered(() => skills.payload(payloadRef, limit()));
    const { kind, payload } = record;
    return { payloadRef, kind: typeof kind === 'string' ? kind : null, payload: payload ?? null };
  }

  async evaluate(
    { driver, candidateId, ...fields }: EvaluateRequest,
    actor: Actor,
  ): Promise<{ candidateId: string; passed: boolean }> {
    const skills = await this.skillsOf(driver);
    await answered(() => skills.evaluate(candidateId, { fields, signal: limit() }));
    await this.record(actor, { action: 'sandbox.skillEvaluate', id: candidateId, after: fields });
    return { candidateId, passed: fields.passed };
  }

  async promote(
    { driver, candidateId, stage, syncToLocal }: SkillPromoteBody,
    actor: Actor,
  ): Promise<SkillPromotion> {
    const skills = await this.skillsOf(driver);
    const saveDraft = syncToLocal && stage === 'stable' ? this.saverFor(actor) : null;
    const promotion = { candidateId, stage, saveDraft, signal: limit() };
    const { release, draft } = await answered(() => promoteSkill(skills, promotion));
    await this.record(actor, {
      action: 'sandbox.skillPromote',
      id: candidateId,
      after: { release, draft },
    });
    return { release: releaseRow(release), draft };
  }

  async rollback(driver: BooterKind, releaseId: string, actor: Actor): Promise<SkillRelease> {
    const skills = await this.skillsOf(driver);
    const release = await answered(() => skills.rollback(releaseId, limit()));
    await this.record(actor, {
      action: 'sandbox.skillRollback',
      id: releaseId,
      after: { release },
    });
    return releaseRow(release);
  }

  async sync(driver: BooterKind, releaseId: string, actor: Actor): Promise<SkillPromotion> {
    const skills = await this.skillsOf(driver);
    const request = { releaseId, saveDraft: this.saverFor(actor), signal: limit() };
    const { release, draft } = await answered(() => syncRelease(skills, request));
    await this.record(actor, { action: 'sandbox.skillSync', id: releaseId, after: { draft } });
    return { release: releaseRow(release), draft };
  }

  /** Writes a draft into the skill store in somebody's name: a new skill, or the next version of one. */
  saverFor(actor: Actor): SaveSkillDraft {
    return async ({ markdown }) => {
      const { name } = packageOfText(markdown).skill.frontMatter;
      const known = await this.store.byName(name);
      if (!known) await this.store.add({ content: markdown }, actor);
      else {
        const { id, version } = known;
        await this.store.update({ id, version, content: markdown }, actor);
      }
      return name;
    };
  }

  private async skillsOf(kind: BooterKind): Promise<SkillComponent> {
    if (this.drivers.get(kind)?.hasSkillReleases !== true) {
      const message = `the driver ${kind} has no releases of skills`;
      throw invalid([{ path: 'driver', message }]);
    }
    const { skills } = await answered(() => this.drivers.host(kind));
    if (skills) return skills;
    throw new DomainError('conflict', `The driver ${kind} has no releases of skills.`);
  }

  private record(actor: Actor, { action, id, after }: Recorded): Promise<void> {
    return this.audit.recordMany([{ actor, action, target: `sandboxSkill:${id}`, after }]);
  }
}

interface Recorded {
  action: AuditAction;
  id: string;
  after: ServiceRecord;
}

interface EvaluateRequest {
  driver: BooterKind;
  candidateId: string;
  passed: boolean;
  score?: number | undefined;
  report?: string | undefined;
}

const limit = (): AbortSignal => AbortSignal.timeout(ASK_MS);

const listFields = ({ skillKey, page, size }: ListRequest): ServiceRecord => ({
  skill_key: skillKey,
  limit: size,
  offset: (page - 1) * size,
});

function pageOf<T>(
  answer: ServiceRecord,
  { page, size }: ListRequest,
  row: (record: ServiceRecord) => T,
): Page<T> {
  const list = itemsOf(answer).map(row);
  const { total } = answer;
  return {
    list,
    pagination: { page, size, total: typeof total === 'number' ? total : list.length },
  };
}
