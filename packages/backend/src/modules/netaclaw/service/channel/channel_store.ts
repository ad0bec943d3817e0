import type {
  Channel,
  ChannelAddBody,
  ChannelListItem,
  ChannelPageBody,
  ChannelUpdateBody,
  Page,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In, type EntityManager } from 'typeorm';
import { Audit } from '../../../base/audit/audit.js';
import type { Actor } from '../../../base/auth/actor.js';
import { SecretBox } from '../../../base/auth/secret_box.js';
import { ChangeCounter } from '../../../base/data/change_counter.js';
import { Database } from '../../../base/data/database.js';
import { isUniqueViolation } from '../../../base/data/errors.js';
import { pageQuery } from '../../../base/data/page_query.js';
import { versionedUpdate } from '../../../base/data/versioned_update.js';
import { DomainError, invalid, nameTaken, notFound, staleVersion } from '../../../base/error.js';
import { NetaClawAgentEntity } from '../../entity/agent.js';
import { NetaClawModelChannelEntity } from '../../entity/model_channel.js';
import { channelColumns, channelOf, openHeaders } from './channel_row.js';
import { unmaskedUrl } from './secret_url.js';
import { channelProblems, fallbackCircle, refuseSecrets } from './channel_rules.js';
import { NetaClawEgressService } from '../server/egress.js';

/** Storage of model channels. Keys and headers are sealed, and no answer holds them. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawChannelStoreService {
  @Inject() database: Database;
  @Inject() changes: ChangeCounter;
  @Inject() audit: Audit;
  @Inject() box: SecretBox;
  @Inject() egress: NetaClawEgressService;

  async page(body: ChannelPageBody): Promise<Page<Channel>> {
    const page = await pageQuery(this.database.repository(NetaClawModelChannelEntity), {
      request: body,
      keyWordColumns: ['name', 'model'],
      equal: { protocol: body.protocol, status: body.status },
    });
    return { ...page, list: page.list.map((row) => channelOf(row, this.box)) };
  }

  async list(): Promise<ChannelListItem[]> {
    const rows = await this.database
      .repository(NetaClawModelChannelEntity)
      .find({ order: { name: 'ASC' } });
    return rows.map(({ id, name, protocol, model, capability, status }) => ({
      id,
      name,
      protocol,
      model,
      capability,
      status,
    }));
  }

  async info(id: number): Promise<Channel> {
    return channelOf(await this.find(id), this.box);
  }

  async find(id: number): Promise<NetaClawModelChannelEntity> {
    const row = await this.database.repository(NetaClawModelChannelEntity).findOneBy({ id });
    if (!row) throw notFound(`the channel ${id}`);
    return row;
  }

  /** `actor` null: the server itself. */
  async add(body: ChannelAddBody, actor: Actor | null): Promise<Channel> {
    if (actor) refuseSecrets(actor, body, null);
    await this.refuseWrong(body, null);
    const now = new Date();
    const row = {
      ...channelColumns(body, {}, this.box),
      version: 1,
      createTime: now,
      updateTime: now,
    };
    return this.named(body.name, async (manager) => {
      const { id } = await manager.save(NetaClawModelChannelEntity, row);
      return this.recorded(manager, { id, actor, action: 'channel.add' });
    });
  }

  async update(body: ChannelUpdateBody, actor: Actor): Promise<Channel> {
    const { id, version, ...given } = body;
    const before = await this.find(id);
    const fields = given.baseUrl
      ? { ...given, baseUrl: unmaskedUrl(given.baseUrl, before.baseUrl ?? '') }
      : given;
    refuseSecrets(actor, fields, before);
    await this.refuseWrong({ ...before, ...fields }, id);
    const set = channelColumns(fields, openHeaders(before, this.box), this.box);
    return this.named(body.name ?? before.name, async (manager) => {
      const hit = await versionedUpdate(manager, NetaClawModelChannelEntity, { id, version, set });
      if (!hit) throw staleVersion(`the channel ${before.name}`, await this.info(id));
      const shown = channelOf(before, this.box);
      return this.recorded(manager, { id, actor, action: 'channel.update', before: shown });
    });
  }

  /** Refuses a channel that agents or other channels still use, naming them. */
  async delete(ids: readonly number[], actor: Actor): Promise<number> {
    return this.changes.change(async (manager) => {
      const rows = await manager.findBy(NetaClawModelChannelEntity, { id: In([...ids]) });
      const missing = ids.find((id) => !rows.some((row) => row.id === id));
      if (missing !== undefined) throw notFound(`the channel ${missing}`);
      await refuseUsed(manager, ids);
      await manager.delete(NetaClawModelChannelEntity, [...new Set(ids)]);
      const entries = rows.map((row) => ({
        actor,
        action: 'channel.delete' as const,
        target: `channel:${row.name}`,
        before: channelOf(row, this.box),
      }));
      await this.audit.record(manager, ...entries);
      return rows.length;
    });
  }

  private async refuseWrong(
    fields: Partial<Omit<ChannelAddBody, 'apiKey' | 'headers'>>,
    id: number | null,
  ): Promise<void> {
    const problems = channelProblems(fields);
    const fallback = fields.fallbackChannelId ?? null;
    if (fallback !== null) {
      const wrong = await this.wrongFallback({ id, name: fields.name ?? '', fallback });
      if (wrong !== null) problems.push({ path: 'fallbackChannelId', message: wrong });
    }
    if (problems.length > 0) throw invalid(problems);
    if (fields.baseUrl) await this.egress.refuseForbidden(fields.baseUrl, 'baseUrl');
  }

  /** What is wrong with falling back to `fallback`; null: nothing. `id` null: the channel is new. */
  private async wrongFallback(link: {
    id: number | null;
    name: string;
    fallback: number;
  }): Promise<string | null> {
    const { id, name, fallback } = link;
    if (fallback === id) return 'a channel cannot fall back to itself';
    const others = await this.database
      .repository(NetaClawModelChannelEntity)
      .find({ select: { id: true, name: true, fallbackChannelId: true } });
    if (!others.some((other) => other.id === fallback)) return `there is no channel ${fallback}`;
    if (id === null) return null;
    const circle = fallbackCircle({ id, name, fallbackChannelId: fallback }, others);
    return circle && `the fallbacks would go in a circle: ${circle.join(' > ')}`;
  }

  private async recorded(
    manager: EntityManager,
    entry: {
      id: number;
      actor: Actor | null;
      action: 'channel.add' | 'channel.update';
      before?: Channel;
    },
  ): Promise<Channel> {
    const row = await manager.findOneByOrFail(NetaClawModelChannelEntity, { id: entry.id });
    const after = channelOf(row, this.box);
    const { actor, action, before } = entry;
    await this.audit.record(manager, {
      actor,
      action,
      target: `channel:${after.name}`,
      before,
      after,
    });
    return after;
  }

  private async named(
    name: string,
    work: (manager: EntityManager) => Promise<Channel>,
  ): Promise<Channel> {
    try {
      return await this.changes.change(work);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw nameTaken(`there is already a channel named ${name}`);
    }
  }
}

async function refuseUsed(manager: EntityManager, ids: readonly number[]): Promise<void> {
  const agents = await manager.findBy(NetaClawAgentEntity, { channelId: In([...ids]) });
  const channels = await manager.findBy(NetaClawModelChannelEntity, {
    fallbackChannelId: In([...ids]),
  });
  const others = channels.filter(({ id }) => !ids.includes(id));
  const users = [
    ...agents.map(({ name }) => `agent ${name}`),
    ...others.map(({ name }) => `channel ${name}`),
  ];
  if (users.length > 0) throw new DomainError('conflict', `still used by ${users.join(', ')}`);
}
