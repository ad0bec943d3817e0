import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { EntityManager } from 'typeorm';
import { BaseCounterEntity } from '../entity/counter.js';
import { logger } from '../log/logger.js';
import { Database } from './database.js';

const NAME = 'governance';
/** How soon another node's change is noticed. */
const POLL_MS = 500;

/**
 * The version of everything that governs runs: tools, agents, channels. Every change of these goes
 * through `change`, which moves it; whoever keeps something made from them compares versions.
 *
 * On SQLite there is one process, which knows of its own changes. On MySQL other nodes change rows too,
 * so the number is read twice a second. When it cannot be read the version is unknown, so nothing kept
 * counts as current until the rows themselves can be read again: the set never widens by accident.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class ChangeCounter {
  @Inject() database: Database;
  private value = 0;
  /** Grows with every failed reading, so that each failure is a version of its own. */
  private failures = 0;
  private timer: NodeJS.Timeout | null = null;

  /** Equal versions mean equal rows. */
  get version(): string {
    return `${this.value}.${this.failures}`;
  }

  async start(): Promise<void> {
    await this.ensureRow();
    await this.refresh();
    if (this.database.isSqlite) return;
    this.timer = setInterval(() => void this.poll(), POLL_MS);
    this.timer.unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Stores a change of what governs runs and moves the version, in one transaction. */
  async change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.database.write(async (manager) => {
      const value = await work(manager);
      await manager.increment(BaseCounterEntity, { name: NAME }, 'value', 1);
      return value;
    });
    await this.refresh();
    return result;
  }

  private async ensureRow(): Promise<void> {
    await this.database.writeOne((manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(BaseCounterEntity)
        .values({ name: NAME, value: 1 })
        .orIgnore()
        .execute(),
    );
  }

  private async refresh(): Promise<void> {
    const row = await this.database.repository(BaseCounterEntity).findOneByOrFail({ name: NAME });
    this.value = row.value;
  }

  private async poll(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      this.failures += 1;
      logger().warn({ err: error }, 'the version of the governance could not be read');
    }
  }
}

/** Something made from governed rows and kept until their version moves. */
export class Versioned<T> {
  private kept: { version: string; value: Promise<T> } | null = null;

  constructor(
    private readonly counter: ChangeCounter,
    private readonly load: () => Promise<T>,
  ) {}

  /** The value of the current version; loaded once, however many ask. A failed loading is not kept. */
  async get(): Promise<T> {
    const { version } = this.counter;
    if (this.kept?.version === version) return this.kept.value;
    const kept = { version, value: this.load() };
    this.kept = kept;
    try {
      return await kept.value;
    } catch (error) {
      if (this.kept === kept) this.kept = null;
      throw error;
    }
  }
}
