import { agentAddBodySchema, channelAddBodySchema } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Database } from '../../../base/data/database.js';
import { isUniqueViolation } from '../../../base/data/errors.js';
import { BaseCounterEntity } from '../../../base/entity/counter.js';
import { NetaClawAgentService } from '../agent/agent.js';
import { NetaClawChannelStoreService } from '../channel/channel_store.js';

const MARK = 'first_start';

const demoPrompt = `You are the demo agent of a fresh NetaClaw installation.
Help the operator find out what the platform does: which tools you have, what they do, and why one may be missing.`;

/** What a fresh installation begins with: a rehearsal channel and an agent that uses it. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawFirstStartService {
  @Inject() database: Database;
  @Inject() channels: NetaClawChannelStoreService;
  @Inject() agents: NetaClawAgentService;

  /** Once in the life of a database, on one node; true when it was now. */
  async run(): Promise<boolean> {
    if (!(await this.claim())) return false;
    const channel = await this.channels.add(
      channelAddBodySchema.parse({ name: 'Rehearsal', protocol: 'rehearsal', model: 'rehearsal' }),
      null,
    );
    await this.agents.add(
      agentAddBodySchema.parse({
        name: 'demo',
        label: 'Demo',
        description: 'Tries out tools without a model: it speaks through the rehearsal channel.',
        systemPrompt: demoPrompt,
        channelId: channel.id,
        runtime: 'local',
      }),
      null,
    );
    return true;
  }

  private async claim(): Promise<boolean> {
    const marks = this.database.repository(BaseCounterEntity);
    if (await marks.existsBy({ name: MARK })) return false;
    try {
      await this.database.writeOne((manager) =>
        manager.insert(BaseCounterEntity, { name: MARK, value: 1 }),
      );
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }
}
