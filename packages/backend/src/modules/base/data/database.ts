import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { TypeORMDataSourceManager } from '@midwayjs/typeorm';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { migrate } from './migrate.js';
import { StatementBatch } from './statement_batch.js';

/**
 * The database. Reads go straight to it; every write goes through `write` or `writeOne`.
 *
 * TypeORM's SQLite driver is one connection: two transactions at once collide, and a write beside an
 * open transaction is rolled back with it. So there all writes queue up; MySQL's run side by side.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class Database {
  @Inject() dataSources: TypeORMDataSourceManager;
  private tail: Promise<unknown> = Promise.resolve();
  private readonly batch = new StatementBatch(
    () => this.source.manager,
    (work) => this.inTurn(work),
  );

  get source(): DataSource {
    return this.dataSources.getDataSource('default');
  }

  get manager(): EntityManager {
    return this.source.manager;
  }

  get isSqlite(): boolean {
    return this.source.options.type === 'better-sqlite3';
  }

  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return this.source.getRepository(entity);
  }

  /** Runs `work` in a transaction: all of it is stored, or nothing. */
  write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.inTurn(() => this.source.transaction(work));
  }

  /**
   * Runs a single statement, which is atomic by itself. On SQLite the statements of one turn of the
   * event loop share a commit, which is most of what a write costs there; each still fails alone.
   */
  writeOne<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.isSqlite ? this.batch.add(work) : work(this.source.manager);
  }

  /** Brings the schema up to date; one process at a time where several share a database. */
  async migrate(): Promise<void> {
    await migrate(this.source);
  }

  /** Resolves when every write so far is done. */
  async drained(): Promise<void> {
    await this.batch.drained();
    await this.tail;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (!this.isSqlite) return work();
    const run = this.tail.then(work);
    this.tail = run.then(
      () => undefined,
      () => undefined,
    );
    return run;
  }
}
