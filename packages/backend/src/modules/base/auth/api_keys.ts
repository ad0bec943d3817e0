import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import {
  API_KEY_PREFIX,
  type ApiKey,
  type ApiKeyAddBody,
  type ApiKeyAdded,
  type ApiKeyPageBody,
  type ApiKeyUpdateBody,
  type Page,
} from '@netaclaw/contracts';
import { In, type EntityManager } from 'typeorm';
import { Audit } from '../audit/audit.js';
import { Database } from '../data/database.js';
import { isUniqueViolation } from '../data/errors.js';
import { pageQuery } from '../data/page_query.js';
import { versionedUpdate } from '../data/versioned_update.js';
import { BaseApiKeyEntity } from '../entity/api_key.js';
import { invalid, nameTaken, notFound, staleVersion } from '../error.js';
import type { Actor, OwnersLeave } from './actor.js';
import { hashToken, randomText } from './tokens.js';

const HINT_LENGTH = 4;

/** Keys of client programs. A key is shown once, and only its hash is stored. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class ApiKeys {
  @Inject() database: Database;
  @Inject() audit: Audit;
  /** Which of these names are no agents; set by whoever knows agents. */
  unknownAgents: (names: readonly string[]) => Promise<string[]> = async () => [];
  /** What goes with owners (`key:3`) that are deleted; set at the start by whoever keeps something of theirs. */
  withOwners: OwnersLeave = async () => {};

  async page(body: ApiKeyPageBody): Promise<Page<ApiKey>> {
    const page = await pageQuery(this.database.repository(BaseApiKeyEntity), {
      request: body,
      keyWordColumns: ['name'],
      equal: { status: body.status },
    });
    return { ...page, list: page.list.map(toApiKey) };
  }

  async info(id: number): Promise<ApiKey> {
    return load(this.database.manager, id);
  }

  async add(actor: Actor, body: ApiKeyAddBody): Promise<ApiKeyAdded> {
    await this.refuseUnknownAgents(body.agents);
    const key = API_KEY_PREFIX + randomText();
    const row = newRow(body, key);
    return uniqueName(body.name, () =>
      this.database.write(async (manager) => {
        const added = toApiKey(await manager.save(BaseApiKeyEntity, row));
        const target = targetOf(added);
        await this.audit.record(manager, { actor, action: 'apiKey.add', target, after: added });
        return { ...added, key };
      }),
    );
  }

  async update(
    actor: Actor,
    { id, version, expiresAt, ...fields }: ApiKeyUpdateBody,
  ): Promise<ApiKey> {
    await this.refuseUnknownAgents(fields.agents ?? null);
    const set = { ...fields, ...(expiresAt === undefined ? {} : { expiresAt: dateOf(expiresAt) }) };
    return uniqueName(fields.name ?? '', () =>
      this.database.write(async (manager) => {
        const before = await load(manager, id);
        if (!(await versionedUpdate(manager, BaseApiKeyEntity, { id, version, set }))) {
          throw staleVersion('this API key', await load(manager, id));
        }
        const after = await load(manager, id);
        const target = targetOf(after);
        await this.audit.record(manager, { actor, action: 'apiKey.update', target, before, after });
        return after;
      }),
    );
  }

  private async refuseUnknownAgents(agents: readonly string[] | null): Promise<void> {
    if (agents === null || agents.length === 0) return;
    const unknown = new Set(await this.unknownAgents(agents));
    const problems = agents.flatMap((name, index) =>
      unknown.has(name)
        ? [{ path: `agents.${index}`, message: `there is no agent named ${name}` }]
        : [],
    );
    if (problems.length > 0) throw invalid(problems);
  }

  async delete(actor: Actor, ids: readonly number[]): Promise<number> {
    return this.database.write(async (manager) => {
      const keys = await manager.findBy(BaseApiKeyEntity, { id: In(ids) });
      const missing = ids.find((id) => !keys.some((key) => key.id === id));
      if (missing !== undefined) throw notFound(`API key ${missing}`);
      await manager.delete(BaseApiKeyEntity, ids);
      await this.withOwners(
        manager,
        ids.map((id) => `key:${id}`),
      );
      const entries = keys.map((key) => {
        const before = toApiKey(key);
        return { actor, action: deleted, target: targetOf(before), before };
      });
      await this.audit.record(manager, ...entries);
      return keys.length;
    });
  }
}

const deleted = 'apiKey.delete' as const;

async function load(manager: EntityManager, id: number): Promise<ApiKey> {
  const key = await manager.findOneBy(BaseApiKeyEntity, { id });
  if (!key) throw notFound(`API key ${id}`);
  return toApiKey(key);
}

/** Turns the database's word about a name that is taken into a sentence. */
async function uniqueName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw nameTaken(`an API key named ${name} already exists`);
  }
}

function newRow(
  { expiresAt, ...fields }: ApiKeyAddBody,
  key: string,
): Omit<BaseApiKeyEntity, 'id'> {
  const now = new Date();
  return {
    ...fields,
    expiresAt: dateOf(expiresAt),
    keyHash: hashToken(key),
    hint: key.slice(-HINT_LENGTH),
    lastUsedAt: null,
    version: 1,
    createTime: now,
    updateTime: now,
  };
}

const dateOf = (time: string | null): Date | null => (time === null ? null : new Date(time));

const targetOf = ({ name }: Pick<ApiKey, 'name'>): string => `apiKey:${name}`;

/** Names what is shown: a column that is added later stays inside until somebody decides otherwise. */
const toApiKey = (key: BaseApiKeyEntity): ApiKey => ({
  id: key.id,
  name: key.name,
  agents: key.agents,
  rateLimit: key.rateLimit,
  status: key.status,
  hint: key.hint,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  version: key.version,
  createTime: key.createTime.toISOString(),
  updateTime: key.updateTime.toISOString(),
});
