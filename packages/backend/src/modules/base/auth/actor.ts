import type { Role } from '@netaclaw/contracts';
import type { EntityManager } from 'typeorm';

/** Who acts: a signed-in user or an API key. Passed along as an argument; no service reads it elsewhere. */
export type Actor =
  | { kind: 'user'; id: number; name: string; role: Role; familyId: string; ip: string | null }
  | {
      kind: 'key';
      id: number;
      name: string;
      role: 'client';
      agents: readonly string[] | null;
      rateLimit: number | null;
      ip: string | null;
    };

export type UserActor = Extract<Actor, { kind: 'user' }>;

/** Who owns a session, a run or a file: `user:1`, `key:3`. */
export const ownerOf = (actor: Actor): string => `${actor.kind}:${actor.id}`;

/** Takes what belongs to owners that are being deleted, in the same transaction. */
export type OwnersLeave = (manager: EntityManager, owners: readonly string[]) => Promise<void>;

/** How the audit names the actor: `user:admin`, `key:reporting`. */
export const actorLabel = (actor: Actor): string => `${actor.kind}:${actor.name}`;

/** An API key may be held to some agents; a user may use all. */
export const mayUseAgent = (actor: Actor, agent: string): boolean =>
  actor.kind === 'user' || actor.agents === null || actor.agents.includes(agent);
