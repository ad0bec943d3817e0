import { hostname, networkInterfaces } from 'node:os';
import { Config, Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { LessThan } from 'typeorm';
import { v5 as named, v7 as random } from 'uuid';
import type { Settings } from '../../../../settings.js';
import { Database } from '../../../base/data/database.js';
import { BaseNodeEntity } from '../../../base/entity/node.js';
import { logger } from '../../../base/log/logger.js';

const BEAT_MS = 5_000;
/** A node not seen for so long is taken for dead. */
const DEAD_AFTER_MS = 30_000;

/** This process among the nodes of the installation: who it is, and which others are alive. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawNodeService {
  @Config('settings') settings: Settings;
  @Inject() database: Database;
  private known: string | null = null;
  private timer: NodeJS.Timeout | null = null;

  /**
   * The same for a server that starts again at the same place, so that it knows the runs of its earlier
   * life for its own, whose end nobody has to wait for.
   */
  get id(): string {
    return (this.known ??= idOf(this.settings));
  }

  /** Calls `onBeat` after each sign of life, and once at start. */
  async start(onBeat: () => Promise<void>): Promise<void> {
    await this.beat();
    await onBeat();
    this.timer = setInterval(() => void this.beatAnd(onBeat), BEAT_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.database.writeOne((manager) => manager.delete(BaseNodeEntity, { id: this.id }));
  }

  /** Ids of the nodes that are alive; on the embedded database there is only this one. */
  async alive(): Promise<string[]> {
    if (this.database.isSqlite) return [this.id];
    const rows = await this.database.repository(BaseNodeEntity).find();
    return rows.map(({ id }) => id);
  }

  private async beatAnd(onBeat: () => Promise<void>): Promise<void> {
    try {
      await this.beat();
      await onBeat();
    } catch (error) {
      logger().warn({ err: error }, 'the sign of life of this node could not be stored');
    }
  }

  private async beat(): Promise<void> {
    const seenAt = new Date();
    await this.database.write(async (manager) => {
      await manager.upsert(BaseNodeEntity, { id: this.id, seenAt }, ['id']);
      const dead = LessThan(new Date(seenAt.getTime() - DEAD_AFTER_MS));
      await manager.delete(BaseNodeEntity, { seenAt: dead });
    });
  }
}

/** A name space of our own, for ids that follow from a place. */
const PLACES = '5f2c1f0e-6a53-4a0b-9d0c-3c6a7d3f1b52';

/** A port can be had by one process of a machine; without a fixed one there is no place to come back to. */
export function idOf({ host, port, dataDir }: Pick<Settings, 'host' | 'port' | 'dataDir'>): string {
  if (port === 0) return random();
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address, mac }) => `${address} ${mac}`)
    .toSorted();
  return named(JSON.stringify([hostname(), addresses, host, port, dataDir]), PLACES);
}
