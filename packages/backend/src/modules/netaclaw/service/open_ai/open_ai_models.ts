import {
  CREW_PREFIX,
  crewTarget,
  type OpenAiModel,
  type OpenAiModelList,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { mayUseAgent, type Actor } from '../../../base/auth/actor.js';
import { OpenAiError } from '../../../base/filter/open_ai_error.js';
import { NetaClawAgentService } from '../agent/agent.js';
import { NetaClawCrewDirectoryService } from '../crew/crew_directory.js';

/** Whom a turn is for, as a chat request names it. */
export type ChatTarget = { agent: string } | { crew: string };

/** Agents and crews as the models of the OpenAI-compatible API: each caller sees those it may use. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawOpenAiModelsService {
  @Inject() agents: NetaClawAgentService;
  @Inject() crews: NetaClawCrewDirectoryService;

  async list(actor: Actor): Promise<OpenAiModelList> {
    const agents = await this.agents.active();
    const crews = (await this.crews.active()).map(({ name, createTime }) => ({
      name: crewTarget(name),
      createTime,
    }));
    const data = [...agents, ...crews].filter(({ name }) => mayUseAgent(actor, name)).map(modelOf);
    return { object: 'list', data };
  }

  /** 404 in that API's words for what is not there, turned off, or not this caller's to use. */
  async find(model: string, actor: Actor): Promise<OpenAiModel> {
    const { data } = await this.list(actor);
    const found = data.find(({ id }) => id === model);
    if (!found) throw modelNotFound(model);
    return found;
  }

  /** The agent or crew that a model stands for; the same 404. On the path of every turn. */
  async targetOf(model: string, actor: Actor): Promise<ChatTarget> {
    if (!mayUseAgent(actor, model)) throw modelNotFound(model);
    if (model.startsWith(CREW_PREFIX)) {
      const crew = await this.crews.byName(model.slice(CREW_PREFIX.length));
      if (crew?.status !== 1) throw modelNotFound(model);
      return { crew: crew.name };
    }
    const agent = await this.agents.byName(model);
    if (agent?.status !== 1) throw modelNotFound(model);
    return { agent: agent.name };
  }
}

const modelOf = ({ name, createTime }: { name: string; createTime: string }): OpenAiModel => ({
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
