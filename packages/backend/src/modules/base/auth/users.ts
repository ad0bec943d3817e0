import { randomBytes } from 'node:crypto';
import { Config, Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { Page, User, UserAddBody, UserPageBody, UserUpdateBody } from '@netaclaw/contracts';
import { In, Not, type EntityManager } from 'typeorm';
import type { Settings } from '../../../settings.js';
import { Audit } from '../audit/audit.js';
import { Database } from '../data/database.js';
import { isUniqueViolation } from '../data/errors.js';
import { pageQuery } from '../data/page_query.js';
import { versionedUpdate } from '../data/versioned_update.js';
import { BaseUserEntity } from '../entity/user.js';
import { DomainError, nameTaken, notFound, staleVersion } from '../error.js';
import type { Actor, OwnersLeave } from './actor.js';
import { hashPassword } from './password.js';
import { SignInFamilies } from './sign_in_families.js';
import { isActiveAdmin, losesAdmin } from './user_rules.js';

const FIRST_USER = 'admin';
const GENERATED_BYTES = 18;

/** The people who may sign in. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class Users {
  @Inject() database: Database;
  @Inject() audit: Audit;
  @Inject() families: SignInFamilies;
  @Config('settings') settings: Settings;
  /** What goes with owners (`user:1`) that are deleted; set at the start by whoever keeps something of theirs. */
  withOwners: OwnersLeave = async () => {};

  async page(body: UserPageBody): Promise<Page<User>> {
    const page = await pageQuery(this.database.repository(BaseUserEntity), {
      request: body,
      keyWordColumns: ['username'],
      equal: { role: body.role, status: body.status },
      order: { column: 'id', sort: 'asc' },
    });
    return { ...page, list: page.list.map(toUser) };
  }

  async info(id: number): Promise<User> {
    return load(this.database.manager, id);
  }

  async add(actor: Actor, { username, password, role }: UserAddBody): Promise<User> {
    const user = newUser({ username, role, passwordHash: await hashPassword(password) });
    try {
      return await this.database.write(async (manager) => {
        const added = toUser(await manager.save(BaseUserEntity, user));
        const target = targetOf(added);
        await this.audit.record(manager, { actor, action: 'user.add', target, after: added });
        return added;
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw nameTaken(`a user named ${username} already exists`, { path: 'username' });
    }
  }

  /** A new password and a disabled user end all sign-ins; a new role counts from the next request on. */
  async update(actor: Actor, body: UserUpdateBody): Promise<User> {
    const { id, password } = body;
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    return this.database.write(async (manager) => {
      await lockAdmins(manager);
      const before = await load(manager, id);
      const after = await this.change(manager, before, { body, passwordHash });
      const passwordChanged = passwordHash !== undefined;
      await this.audit.record(manager, {
        actor,
        action: 'user.update',
        target: targetOf(after),
        before,
        after: passwordChanged ? { ...after, passwordChanged } : after,
      });
      return after;
    });
  }

  async delete(actor: Actor, ids: readonly number[]): Promise<number> {
    return this.database.write(async (manager) => {
      await lockAdmins(manager);
      const users = await loadAll(manager, ids);
      if (actor.kind === 'user' && users.some(({ id }) => id === actor.id)) {
        throw new DomainError('conflict', 'nobody can delete their own user; ask another admin');
      }
      if (users.some(isActiveAdmin)) await requireAdminBeside(manager, ids);
      await manager.delete(BaseUserEntity, ids);
      for (const { id } of users) await this.families.endAll(manager, id);
      await this.withOwners(
        manager,
        users.map(({ id }) => `user:${id}`),
      );
      const entries = users.map((before) => ({
        actor,
        action: deleted,
        target: targetOf(before),
        before,
      }));
      await this.audit.record(manager, ...entries);
      return users.length;
    });
  }

  /**
   * Makes the user `admin` where there is no user at all. Answers the password when it was generated:
   * it is known nowhere else. Of several nodes that start at once one makes the user.
   */
  async ensureFirstUser(): Promise<{ generatedPassword: string | null }> {
    if (await this.database.repository(BaseUserEntity).exists()) return { generatedPassword: null };
    const generated = randomBytes(GENERATED_BYTES).toString('base64url');
    const password = this.settings.adminPassword ?? generated;
    const user = newUser({
      username: FIRST_USER,
      role: 'admin',
      passwordHash: await hashPassword(password),
    });
    try {
      await this.database.writeOne((manager) => manager.insert(BaseUserEntity, user));
    } catch (error) {
      if (isUniqueViolation(error)) return { generatedPassword: null };
      throw error;
    }
    return { generatedPassword: this.settings.adminPassword === null ? generated : null };
  }

  private async change(
    manager: EntityManager,
    before: User,
    { body, passwordHash }: { body: UserUpdateBody; passwordHash: string | undefined },
  ): Promise<User> {
    const { id, role = before.role, status = before.status, version = before.version } = body;
    if (losesAdmin(before, { role, status })) await requireAdminBeside(manager, [id]);
    const set = { role, status, passwordHash };
    if (!(await versionedUpdate(manager, BaseUserEntity, { id, version, set }))) {
      throw staleVersion('this user', await load(manager, id));
    }
    if (passwordHash !== undefined || status === 0) await this.families.endAll(manager, id);
    return load(manager, id);
  }
}

const deleted = 'user.delete' as const;

/**
 * Held until the transaction ends, so that two admins cannot remove each other at the same moment.
 * SQLite's writes queue up anyway; on MySQL this locks the rows that the rule counts.
 */
async function lockAdmins(manager: EntityManager): Promise<void> {
  await manager.update(BaseUserEntity, { role: 'admin' }, { updateTime: () => 'updateTime' });
}

async function requireAdminBeside(manager: EntityManager, ids: readonly number[]): Promise<void> {
  const others = { role: 'admin', status: 1, id: Not(In(ids)) } as const;
  if (await manager.existsBy(BaseUserEntity, others)) return;
  throw new DomainError('conflict', 'this is the last active admin; make another user admin first');
}

async function load(manager: EntityManager, id: number): Promise<User> {
  const user = await manager.findOneBy(BaseUserEntity, { id });
  if (!user) throw notFound(`user ${id}`);
  return toUser(user);
}

async function loadAll(manager: EntityManager, ids: readonly number[]): Promise<User[]> {
  const users = await manager.findBy(BaseUserEntity, { id: In(ids) });
  const missing = ids.find((id) => !users.some((user) => user.id === id));
  if (missing !== undefined) throw notFound(`user ${missing}`);
  return users.map(toUser);
}

type NewUser = Pick<BaseUserEntity, 'username' | 'role' | 'passwordHash'>;

function newUser(fields: NewUser): Omit<BaseUserEntity, 'id'> {
  const now = new Date();
  return { ...fields, status: 1, version: 1, createTime: now, updateTime: now };
}

const targetOf = ({ username }: Pick<User, 'username'>): string => `user:${username}`;

/** Names what is shown: a column that is added later stays inside until somebody decides otherwise. */
const toUser = (user: BaseUserEntity): User => ({
  id: user.id,
  username: user.username,
  role: user.role,
  status: user.status,
  version: user.version,
  createTime: user.createTime.toISOString(),
  updateTime: user.updateTime.toISOString(),
});
