import type { IncomingMessage } from 'node:http';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { API_KEY_PREFIX, type Access, type Role } from '@netaclaw/contracts';
import { z } from 'zod';
import { Database } from '../data/database.js';
import { jsonOf, timeOf, type RawTime } from '../data/raw.js';
import { DomainError } from '../error.js';
import { clientAddress } from '../http/client_address.js';
import type { Authorize } from '../http/dispatcher.js';
import type { Actor, UserActor } from './actor.js';
import { KeyUsage } from './key_usage.js';
import { mayUse } from './may_use.js';
import { AccessTokens, hashToken, unauthorized } from './tokens.js';

/** Plain statements: on this path, which every request takes, building a query would cost more than it. */
const USER_SQL = `
  SELECT u.id, u.username, u.role, u.status, s.expiresAt
  FROM base_sign_in s JOIN base_user u ON u.id = s.userId
  WHERE s.familyId = ?`;
const KEY_SQL = `
  SELECT id, name, agents, rateLimit, expiresAt, status FROM base_api_key WHERE keyHash = ?`;

interface UserRow {
  id: number;
  username: string;
  role: Role;
  status: number;
  expiresAt: RawTime;
}

interface KeyRow {
  id: number;
  name: string;
  agents: unknown;
  rateLimit: number | null;
  expiresAt: RawTime | null;
  status: number;
}

const agentsSchema = z.array(z.string()).nullable();

/** Says who calls and refuses who may not. Rights are read anew each time: a change counts at once. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class Authorizer {
  @Inject() database: Database;
  @Inject() tokens: AccessTokens;
  @Inject() usage: KeyUsage;

  /** For a request over HTTP. */
  readonly authorize: Authorize = async (incoming, route) => {
    if (route.access === 'open') return null;
    const actor = await this.identify(bearerOf(incoming), clientAddress(incoming));
    requireRight(route.access, actor);
    return actor;
  };

  /** The same for a message over a socket, which carries no header: who it is, if they may. */
  async authorizeMessage(
    { credential, ip }: { credential: string; ip: string | null },
    access: Access,
  ): Promise<Actor> {
    const actor = await this.identify(credential, ip);
    requireRight(access, actor);
    return actor;
  }

  /** Who holds this access token or API key. Throws `DomainError` when it is worth nothing. */
  async identify(credential: string, ip: string | null): Promise<Actor> {
    return credential.startsWith(API_KEY_PREFIX)
      ? this.keyActor(credential, ip)
      : this.userActor(credential, ip);
  }

  private async userActor(token: string, ip: string | null): Promise<Actor> {
    const { userId, familyId } = this.tokens.read(token);
    const [row] = await this.database.source.query<UserRow[]>(USER_SQL, [familyId]);
    if (!row || row.id !== userId) throw unauthorized('this sign-in has ended; sign in again');
    return toUserActor(row, { familyId, ip });
  }

  private async keyActor(key: string, ip: string | null): Promise<Actor> {
    const [row] = await this.database.source.query<KeyRow[]>(KEY_SQL, [hashToken(key)]);
    if (!row) throw unauthorized('this API key does not exist');
    const actor = toKeyActor(row, ip);
    this.usage.note(row.id);
    return actor;
  }
}

function bearerOf(incoming: IncomingMessage): string {
  const header = incoming.headers.authorization;
  if (header === undefined) {
    throw unauthorized('sign in first, and send the token as Authorization: Bearer');
  }
  const [, credential] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (credential === undefined)
    throw unauthorized('the header must read Authorization: Bearer <token>');
  return credential;
}

function requireRight(access: Access, actor: Actor): void {
  const verdict = mayUse(access, actor);
  if (verdict !== true) throw new DomainError('forbidden', verdict);
}

function toUserActor(row: UserRow, at: { familyId: string; ip: string | null }): UserActor {
  if (row.status !== 1) throw unauthorized('this user is disabled');
  if (isPast(row.expiresAt)) throw unauthorized('this sign-in has expired; sign in again');
  return { kind: 'user', id: row.id, name: row.username, role: row.role, ...at };
}

function toKeyActor(row: KeyRow, ip: string | null): Actor {
  if (row.status !== 1) throw unauthorized('this API key is disabled');
  if (row.expiresAt !== null && isPast(row.expiresAt))
    throw unauthorized('this API key has expired');
  const agents = agentsSchema.parse(jsonOf(row.agents));
  return {
    kind: 'key',
    id: row.id,
    name: row.name,
    role: 'client',
    agents,
    rateLimit: row.rateLimit,
    ip,
  };
}

const isPast = (time: RawTime): boolean => timeOf(time).getTime() <= Date.now();
