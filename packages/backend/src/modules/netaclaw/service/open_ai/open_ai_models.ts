import type { Agent, OpenAiModel, OpenAiModelList } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { mayUseAgent, type Actor } from '../../../base/auth/actor.js';
import { OpenAiError } from '../../../base/filter/open_ai_error.js';
import { NetaClawAgentService } from '../agent/agent.js';

/** Agents as the models of the OpenAI-compatible API: each caller sees those it may use. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawOpenAiModelsService {
  @Inject() agents: NetaClawAgentService;

  async list(actor: Actor): Promise<OpenAiModelList> {
    const agents = await this.agents.active();
    const data = agents.filter(({ name }) => mayUseAgent(actor, name)).map(modelOf);
    return { object: 'list', data };
  }

  /** 404 in that API's words for what is not there, turned off, or not this caller's to use. */
  async find(model: string, actor: Actor): Promise<OpenAiModel> {
    const { data } = await this.list(actor);
    const found = data.find(({ id }) => id === model);
    if (!found) throw modelNotFound(model);
    return found;
  }

  /** The name of the agent that a model stands for; the same 404. On the path of every turn. */
  async agentFor(model: string, actor: Actor): Promise<string> {
    const agent = mayUseAgent(actor, model) ? await this.agents.byName(model) : null;
    if (agent?.status !== 1) throw modelNotFound(model);
    return agent.name;
  }
}

const modelOf = ({ name, createTime }: Pick<Agent, 'name' | 'createTime'>): OpenAiModel => ({
  id: name,
  object: 'model',
  created: Math.floor(Date.parse(createTime) / 1000),
  owned_by: 'netaclaw',
});

const modelNotFound = (model: string): OpenAiError =>
  new OpenAiError('notFound', `The model ${model} does not exist, or you may not use it.`, {
    code: 'model_not_found',
    param: 'model',
  });
