import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { LoginBody, PasswordBody, Person, Tokens } from '@netaclaw/contracts';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { Audit } from '../audit/audit.js';
import { Database } from '../data/database.js';
import { BaseUserEntity } from '../entity/user.js';
import { DomainError, invalid } from '../error.js';
import type { Actor, UserActor } from './actor.js';
import { hashPassword, verifyPassword } from './password.js';
import { PasswordGuard } from './password_guard.js';
import { SignInFamilies } from './sign_in_families.js';
import { AccessTokens, ACCESS_SECONDS, REFRESH_SECONDS, unauthorized } from './tokens.js';

/** Signing in and out, and what signed-in people do with their own account. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class SignIn {
  @Inject() database: Database;
  @Inject() audit: Audit;
  @Inject() accessTokens: AccessTokens;
  @Inject() guard: PasswordGuard;
  @Inject() families: SignInFamilies;

  /** Wrong name and wrong password are answered alike, in words and in time. */
  async login({ username, password }: LoginBody, ip: string): Promise<Tokens> {
    const user = await this.database.repository(BaseUserEntity).findOneBy({ username });
    const right = await this.isRight({ name: username, ip, password, user });
    if (!user || !right) throw unauthorized('wrong name or password');
    if (user.status !== 1) throw unauthorized('this user is disabled');
    const actor = actorOf(user, { familyId: uuid(), ip });
    const refreshToken = await this.database.write(async (manager) => {
      await requireUnchanged(manager, user);
      await this.audit.record(manager, { actor, action: 'user.login', target: targetOf(actor) });
      return this.families.begin(manager, actor);
    });
    return this.tokensOf(actor, refreshToken);
  }

  /** New tokens for a refresh token, which is spent. One used twice has been stolen: its family ends. */
  async refresh(refreshToken: string, ip: string): Promise<Tokens> {
    const { familyId, user } = await this.families.find(refreshToken);
    const actor = actorOf(user, { familyId, ip });
    const next = await this.families.rotate(refreshToken, familyId);
    if (next !== null) return this.tokensOf(actor, next);
    await this.end(actor, 'a refresh token was used twice');
    throw unauthorized('this refresh token was used before: the sign-in has ended; sign in again');
  }

  async logout(actor: Actor): Promise<void> {
    await this.end(requireUser(actor), 'signed out');
  }

  person(actor: Actor): Person {
    const { id, name, role } = requireUser(actor);
    return { id, username: name, role };
  }

  /** Ends every other sign-in of the user and answers new tokens for this one. */
  async changePassword(actor: Actor, { password, newPassword }: PasswordBody): Promise<Tokens> {
    const own = requireUser(actor);
    const user = await this.database.repository(BaseUserEntity).findOneByOrFail({ id: own.id });
    const ip = own.ip ?? 'unknown';
    if (!(await this.isRight({ name: own.name, ip, password, user }))) {
      throw invalid([{ path: 'password', message: 'this is not your current password' }]);
    }
    const passwordHash = await hashPassword(newPassword);
    const refreshToken = await this.database.write(async (manager) => {
      await storePassword(manager, user, passwordHash);
      await this.families.endAll(manager, own.id, own.familyId);
      await this.audit.record(manager, { actor, action: 'user.password', target: targetOf(own) });
      return this.families.renew(manager, own.familyId);
    });
    if (refreshToken === null) throw unauthorized('this sign-in has ended; sign in again');
    return this.tokensOf(own, refreshToken);
  }

  private isRight(attempt: {
    name: string;
    ip: string;
    password: string;
    user: BaseUserEntity | null;
  }): Promise<boolean> {
    const { password, user } = attempt;
    return this.guard.check(attempt, () => verifyPassword(password, user?.passwordHash ?? null));
  }

  private async end(actor: UserActor, why: string): Promise<void> {
    await this.database.write(async (manager) => {
      if (!(await this.families.end(manager, actor.familyId))) return;
      const target = targetOf(actor);
      await this.audit.record(manager, { actor, action: 'user.logout', target, after: { why } });
    });
  }

  private tokensOf({ id, familyId }: UserActor, refreshToken: string): Tokens {
    return {
      token: this.accessTokens.sign({ userId: id, familyId }),
      expire: ACCESS_SECONDS,
      refreshToken,
      refreshExpire: REFRESH_SECONDS,
    };
  }
}

const actorOf = (user: BaseUserEntity, at: { familyId: string; ip: string }): UserActor => ({
  kind: 'user',
  id: user.id,
  name: user.username,
  role: user.role,
  ...at,
});

const targetOf = ({ name }: UserActor): string => `user:${name}`;

function requireUser(actor: Actor): UserActor {
  if (actor.kind === 'user') return actor;
  throw new DomainError('forbidden', 'an API key has no account of its own');
}

/** Checking a password takes a while; who was changed meanwhile signs in again. Locks the row as well. */
async function requireUnchanged(manager: EntityManager, user: BaseUserEntity): Promise<void> {
  const { id, passwordHash } = user;
  const same = { updateTime: () => 'updateTime' };
  const result = await manager.update(BaseUserEntity, { id, passwordHash, status: 1 }, same);
  if (result.affected !== 1) throw unauthorized('this user was just changed; sign in again');
}

async function storePassword(
  manager: EntityManager,
  { id, passwordHash: old }: BaseUserEntity,
  passwordHash: string,
): Promise<void> {
  const change = { passwordHash, version: () => 'version + 1', updateTime: new Date() };
  const result = await manager.update(BaseUserEntity, { id, passwordHash: old, status: 1 }, change);
  if (result.affected !== 1)
    throw new DomainError('conflict', 'the password was just changed elsewhere');
}
