import type { SkillStatus } from '@netaclaw/contracts';
import { Column, Entity, Index } from 'typeorm';
import { BaseEntity } from '../../base/entity/base.js';

/** One text of a skill. Once published it stays as it is, so that it can be brought back. */
@Entity('netaclaw_skill_version')
@Index(['skillId', 'number'], { unique: true })
export class NetaClawSkillVersionEntity extends BaseEntity {
  @Column({ type: 'int' }) skillId: number;
  @Column({ type: 'int' }) number: number;
  @Column({ type: 'varchar', length: 20 }) status: SkillStatus;
  /** SKILL.md as it was written. */
  @Column({ type: 'text' }) content: string;
  /** Of SKILL.md and all files. */
  @Column({ type: 'varchar', length: 64 }) hash: string;
  @Column({ type: 'text' }) description: string;
  @Column({ type: 'json' }) allowedTools: string[];
  /** About how many the body has. */
  @Column({ type: 'int' }) tokens: number;
  @Column({ type: 'varchar', length: 120 }) author: string;
  /** The hash that was approved; of an earlier text it counts for nothing. */
  @Column({ type: 'varchar', length: 64, nullable: true }) approvedHash: string | null;
  @Column({ type: 'varchar', length: 120, nullable: true }) approvedBy: string | null;
  @Column({ type: 'text', nullable: true }) comment: string | null;
  @Column({ type: 'datetime', precision: 3, nullable: true }) publishedAt: Date | null;
}
