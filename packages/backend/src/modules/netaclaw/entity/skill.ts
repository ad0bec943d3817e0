import type { SkillStatus } from '@netaclaw/contracts';
import { Column, Entity } from 'typeorm';
import { BaseEntity } from '../../base/entity/base.js';

/** A skill as it stands; its texts are versions. What agents get is named by `publishedNumber`. */
@Entity('netaclaw_skill')
export class NetaClawSkillEntity extends BaseEntity {
  @Column({ type: 'varchar', length: 64, unique: true }) name: string;
  /** Of the newest version. */
  @Column({ type: 'text' }) description: string;
  @Column({ type: 'varchar', length: 20 }) status: SkillStatus;
  @Column({ type: 'int', nullable: true }) publishedNumber: number | null;
  @Column({ type: 'int', default: 1 }) latestNumber: number;
  @Column({ type: 'int', default: 1 }) version: number;
}
