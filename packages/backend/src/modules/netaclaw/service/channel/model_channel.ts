import type {
  Agent,
  AgentDraft,
  ChannelTest,
  ModelCapability,
  Protocol,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { SecretBox } from '../../../base/auth/secret_box.js';
import { ChangeCounter, Versioned } from '../../../base/data/change_counter.js';
import { Database } from '../../../base/data/database.js';
import { invalid } from '../../../base/error.js';
import { logger } from '../../../base/log/logger.js';
import { NetaClawModelChannelEntity } from '../../entity/model_channel.js';
import { createModel } from '../../provider/create_model.js';
import { withCircuit } from '../../provider/circuit.js';
import { withinWindow } from '../../provider/context_window.js';
import { withFallbacks, type HandOver } from '../../provider/fallback.js';
import { tokenMeterFor } from '../../provider/tokenizer.js';
import type { ChatModel } from '../../runtime/port.js';
import { ESTIMATE, type TokenMeter } from '../../runtime/tokens.js';
import { NetaClawChannelCircuitsService } from './channel_circuits.js';
import { openHeaders } from './channel_row.js';
import { NetaClawChannelStoreService } from './channel_store.js';
import { NetaClawEgressService } from '../server/egress.js';

/** How many channels a failing one may hand over to, one after the other. */
const MAX_FALLBACKS = 3;
const TEST_PROMPT = 'Answer with the single word: pong';
const TEST_TIMEOUT_MS = 60_000;

/** How an agent reaches its model, for everyone who needs to know. */
export interface ResolvedChannel {
  name: string;
  model: ChatModel;
  capability: ModelCapability;
  /** How its model counts tokens. Exact only where a window makes that worth it and the tokenizer is public. */
  meter: TokenMeter;
  contextWindow: number | null;
  maxOutputTokens: number | null;
}

interface Kept {
  rows: Map<number, NetaClawModelChannelEntity>;
  models: Map<string, ChatModel>;
}

/** Agent to channel to model. The one place that says what a model takes in. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawModelChannelService {
  @Inject() database: Database;
  @Inject() changes: ChangeCounter;
  @Inject() box: SecretBox;
  @Inject() egress: NetaClawEgressService;
  @Inject() store: NetaClawChannelStoreService;
  @Inject() circuits: NetaClawChannelCircuitsService;
  private kept: Versioned<Kept>;

  /** The agent's channel. Refuses an agent without one, and one that is turned off. */
  async forAgent(
    agent: Pick<Agent, 'name' | 'channelId' | 'capability'>,
  ): Promise<ResolvedChannel> {
    const kept = await this.load();
    const row = agent.channelId === null ? undefined : kept.rows.get(agent.channelId);
    if (!row) {
      const message = `the agent ${agent.name} has no model channel; choose one in Agents > Model`;
      throw invalid([{ path: 'agent', message }]);
    }
    if (row.status === 0) {
      const message = `the channel ${row.name} is turned off; see Channels`;
      throw invalid([{ path: 'agent', message }]);
    }
    const capability = capabilityOf(agent, row);
    return {
      name: row.name,
      model: this.modelOf(row, kept, capability),
      capability,
      meter: row.contextWindow === null ? ESTIMATE : await tokenMeterFor(row.model),
      contextWindow: row.contextWindow,
      maxOutputTokens: row.maxOutputTokens,
    };
  }

  /** What the model of an agent, stored or not, takes in, and how it is spoken to; null: no channel. */
  async factsFor(
    agent: Pick<AgentDraft, 'channelId' | 'capability'>,
  ): Promise<{ capability: ModelCapability; protocol: Protocol | null }> {
    const { rows } = await this.load();
    const channel = agent.channelId ? rows.get(agent.channelId) : undefined;
    return { capability: capabilityOf(agent, channel), protocol: channel?.protocol ?? null };
  }

  /** The model's name as run logs show it; empty when the agent has no channel. */
  async modelName(channelId: number | null | undefined): Promise<string> {
    const { rows } = await this.load();
    return (channelId ? rows.get(channelId)?.model : undefined) ?? '';
  }

  /** Makes one small call. A failure is an answer: it has the provider's words, without secrets. */
  async test(id: number): Promise<ChannelTest> {
    const row = await this.store.find(id);
    const startedAt = performance.now();
    const took = (): number => Math.round(performance.now() - startedAt);
    try {
      const reply = await this.askOnce(this.createModel(row, false));
      this.circuits.of(row).succeeded();
      return { ok: true, latencyMs: took(), reply, error: null };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { ok: false, latencyMs: took(), reply: null, error: message || 'no reason was given' };
    }
  }

  private async askOnce(model: ChatModel): Promise<string> {
    const request = {
      messages: [{ role: 'user' as const, content: TEST_PROMPT }],
      tools: [],
      stream: false,
    };
    for await (const event of model.call(request, AbortSignal.timeout(TEST_TIMEOUT_MS))) {
      const text = event.type === 'answer' ? event.answer.message.content.trim() : '';
      if (text !== '') return text;
    }
    throw new Error('the model answered without a word');
  }

  private load(): Promise<Kept> {
    this.kept ??= new Versioned(this.changes, async () => {
      const rows = await this.database.repository(NetaClawModelChannelEntity).find();
      return { rows: new Map(rows.map((row) => [row.id, row])), models: new Map() };
    });
    return this.kept.get();
  }

  /** One client per channel and kind of input, with the channels it falls back to behind it. */
  private modelOf(
    row: NetaClawModelChannelEntity,
    kept: Kept,
    capability: ModelCapability,
  ): ChatModel {
    const key = `${row.id}:${capability.value}:${capability.origin}`;
    const known = kept.models.get(key);
    if (known) return known;
    // A channel that does not say what its model takes means the same here as when it is asked directly.
    const unsaid = capability.origin === 'agent' ? capability.value : 'text';
    const chain = fallbackChain(row, kept.rows).map((link, index) => {
      const own = index === 0 ? capability.value : (link.capability ?? unsaid);
      const model = this.createModel(link, own !== 'text');
      const guarded = withCircuit(model, this.circuits.of(link), link.name);
      return withinWindow(guarded, this.circuits.windowOf(link), link.name);
    });
    const model = withFallbacks(chain, logHandOver);
    kept.models.set(key, model);
    return model;
  }

  private createModel(row: NetaClawModelChannelEntity, acceptsImages: boolean): ChatModel {
    return createModel(row.protocol, {
      baseUrl: row.baseUrl ?? '',
      apiKey: row.apiKey === null ? null : this.box.open(row.apiKey),
      headers: openHeaders(row, this.box),
      timeoutMs: row.timeoutMs,
      options: { model: row.model, maxOutputTokens: row.maxOutputTokens, params: row.params },
      acceptsImages,
      egress: this.egress.client,
    });
  }
}

function capabilityOf(
  agent: Pick<AgentDraft, 'capability'>,
  channel: NetaClawModelChannelEntity | undefined,
): ModelCapability {
  if (agent.capability) return { value: agent.capability, origin: 'agent' };
  if (channel?.capability) return { value: channel.capability, origin: 'channel' };
  return { value: 'text', origin: 'fallback' };
}

/** The channel and those behind it; a circle ends where it closes, a channel that is off is passed over. */
function fallbackChain(
  row: NetaClawModelChannelEntity,
  rows: ReadonlyMap<number, NetaClawModelChannelEntity>,
): NetaClawModelChannelEntity[] {
  const chain = [row];
  const seen = new Set([row.id]);
  let next = row.fallbackChannelId;
  while (next !== null && !seen.has(next) && chain.length <= MAX_FALLBACKS) {
    seen.add(next);
    const channel = rows.get(next);
    if (channel?.status === 1) chain.push(channel);
    next = channel?.fallbackChannelId ?? null;
  }
  return chain;
}

const logHandOver: HandOver = (from, to, error) =>
  logger().warn(
    { from: from.name, to: to.name, err: error.message },
    'a model is given up for its fallback',
  );
