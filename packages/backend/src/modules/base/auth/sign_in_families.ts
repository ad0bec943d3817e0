import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { LessThanOrEqual, MoreThan, Not, type EntityManager } from 'typeorm';
import { Database } from '../data/database.js';
import { BaseSignInEntity } from '../entity/sign_in.js';
import { BaseUserEntity } from '../entity/user.js';
import type { UserActor } from './actor.js';
import { familyOf, hashToken, newRefreshToken, REFRESH_SECONDS, unauthorized } from './tokens.js';

/** A family and whose it is. */
interface Family {
  familyId: string;
  user: BaseUserEntity;
}

/** The families of refresh tokens: each sign-in is one, and only its newest token is good. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class SignInFamilies {
  @Inject() database: Database;

  /** Begins a family and clears away those of the user that ran out. Resolves to its first token. */
  async begin(manager: EntityManager, { id: userId, familyId }: UserActor): Promise<string> {
    const now = new Date();
    const refreshToken = newRefreshToken(familyId);
    await manager.delete(BaseSignInEntity, { userId, expiresAt: LessThanOrEqual(now) });
    await manager.insert(BaseSignInEntity, {
      familyId,
      userId,
      createTime: now,
      ...columnsOf(refreshToken, now),
    });
    return refreshToken;
  }

  /** The family that a refresh token names. Throws 401 when it has ended, or cannot be used. */
  async find(refreshToken: string): Promise<Family> {
    const familyId = familyOf(refreshToken);
    if (familyId === null) throw unauthorized('this is not a refresh token');
    const row = await this.database.repository(BaseSignInEntity).findOneBy({ familyId });
    const user =
      row && (await this.database.repository(BaseUserEntity).findOneBy({ id: row.userId }));
    if (!row || !user) throw unauthorized('this sign-in has ended; sign in again');
    if (row.expiresAt.getTime() <= Date.now()) throw unauthorized('the refresh token has expired');
    if (user.status !== 1) throw unauthorized('this user is disabled');
    return { familyId, user };
  }

  /**
   * Spends a refresh token for the next one, in one guarded statement: of two at once one wins. Null
   * when it is not the newest of its family.
   */
  async rotate(refreshToken: string, familyId: string): Promise<string | null> {
    const now = new Date();
    const next = newRefreshToken(familyId);
    const guard = { familyId, tokenHash: hashToken(refreshToken), expiresAt: MoreThan(now) };
    const { affected } = await this.database.writeOne((manager) =>
      manager.update(BaseSignInEntity, guard, columnsOf(next, now)),
    );
    return affected === 1 ? next : null;
  }

  /** Gives a family a new token, whatever its newest was. Null when it has ended. */
  async renew(manager: EntityManager, familyId: string): Promise<string | null> {
    const next = newRefreshToken(familyId);
    const { affected } = await manager.update(
      BaseSignInEntity,
      { familyId },
      columnsOf(next, new Date()),
    );
    return affected === 1 ? next : null;
  }

  /** Ends a sign-in: its tokens are worth nothing from now on. False when it had ended before. */
  async end(manager: EntityManager, familyId: string): Promise<boolean> {
    const { affected } = await manager.delete(BaseSignInEntity, { familyId });
    return (affected ?? 0) > 0;
  }

  /** Ends every sign-in of a user, or every other than the one named. */
  async endAll(manager: EntityManager, userId: number, exceptFamilyId?: string): Promise<void> {
    const others = exceptFamilyId === undefined ? {} : { familyId: Not(exceptFamilyId) };
    await manager.delete(BaseSignInEntity, { userId, ...others });
  }
}

const columnsOf = (refreshToken: string, now: Date) => ({
  tokenHash: hashToken(refreshToken),
  expiresAt: new Date(now.getTime() + REFRESH_SECONDS * 1000),
  updateTime: now,
});
