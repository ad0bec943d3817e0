import { crewTarget, type Agent, type ChatBody } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { mayUseAgent, type Actor } from '../../../base/auth/actor.js';
import { DomainError, invalid } from '../../../base/error.js';
import { NetaClawAgentService } from '../agent/agent.js';
import {
  NetaClawCrewDirectoryService,
  type CrewSeat,
  type SeatName,
} from '../crew/crew_directory.js';

/** Who takes a turn, and as what. */
export interface Cast {
  agent: Agent;
  /** Null: an agent by itself. */
  seat: CrewSeat | null;
}

/** What of a request says who is meant. */
export interface Casting {
  body: Pick<ChatBody, 'agent' | 'crew'>;
  actor: Actor;
  /** Set for a member's turn. */
  parent?: { seat: SeatName };
}

/** Finds who is meant by a request: an agent, a crew's master, or a member at its master's word. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawTurnCastService {
  @Inject() agents: NetaClawAgentService;
  @Inject() crews: NetaClawCrewDirectoryService;

  /** Refuses, with a sentence, who is not there, turned off, or not this caller's to use. */
  async of({ body, actor, parent }: Casting): Promise<Cast> {
    if (body.crew !== undefined) return this.master(body.crew, actor);
    const { agent: name = '' } = body;
    // Whoever may use a crew may use its members through it.
    if (!parent && !mayUseAgent(actor, name)) {
      throw new DomainError('forbidden', `this API key may not use the agent ${name}`);
    }
    const agent = await this.usable(name, 'agent');
    return { agent, seat: parent ? await this.crews.seat(parent.seat, name) : null };
  }

  private async master(name: string, actor: Actor): Promise<Cast> {
    if (!mayUseAgent(actor, crewTarget(name))) {
      throw new DomainError('forbidden', `this API key may not use the crew ${name}`);
    }
    const crew = await this.crews.byName(name);
    if (!crew) throw invalid([{ path: 'crew', message: `there is no crew named ${name}` }]);
    if (crew.status !== 1) {
      throw invalid([{ path: 'crew', message: `the crew ${name} is turned off` }]);
    }
    return { agent: await this.usable(crew.masterName, 'crew'), seat: { crew, role: 'master' } };
  }

  private async usable(name: string, path: 'agent' | 'crew'): Promise<Agent> {
    const agent = await this.agents.byName(name);
    if (!agent) throw invalid([{ path, message: `there is no agent named ${name}` }]);
    if (agent.status === 1) return agent;
    throw invalid([{ path, message: `the agent ${name} is turned off` }]);
  }
}
