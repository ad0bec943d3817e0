import type { Capability, CatalogState, Status, ToolExtra, Visibility } from '@netaclaw/contracts';
import { Column, Entity, Index } from 'typeorm';
import { BaseEntity } from '../../base/entity/base.js';

/** A tool as it is governed: fields of the code's (kept by the sync) and fields of the operator's. */
@Entity('netaclaw_tool')
export class NetaClawToolEntity extends BaseEntity {
  @Column({ type: 'varchar', length: 100, unique: true }) name: string;
  @Column({ type: 'varchar', length: 200, nullable: true }) label: string | null;
  @Index()
  @Column({ type: 'varchar', length: 50 })
  toolset: string;
  @Column({ type: 'text', nullable: true }) description: string | null;
  @Column({ type: 'varchar', length: 20, nullable: true }) visibility: Visibility | null;
  @Column({ type: 'varchar', length: 20, nullable: true }) capability: Capability | null;
  @Index()
  @Column({ type: 'int', default: 1 })
  status: Status;
  @Column({ type: 'int' }) isCore: Status;
  @Column({ type: 'int' }) canDisable: Status;
  @Column({ type: 'text', nullable: true }) promptHint: string | null;
  @Column({ type: 'int', default: 0 }) sort: number;
  @Column({ type: 'json', nullable: true }) extra: ToolExtra | null;
  @Column({ type: 'varchar', length: 50 }) source: string;
  @Column({ type: 'varchar', length: 20 }) catalogState: CatalogState;
  @Column({ type: 'int', default: 1 }) version: number;
}
