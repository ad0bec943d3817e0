import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimedEntity } from '../../base/entity/base.js';

/** One conversation. Its messages stand with the runs that made them. `updateTime`: the last turn. */
@Entity('netaclaw_session')
@Index(['owner', 'updateTime'])
export class NetaClawSessionEntity extends TimedEntity {
  @PrimaryColumn({ type: 'varchar', length: 36 }) id: string;
  /** `user:1`, `key:3` */
  @Column({ type: 'varchar', length: 64 }) owner: string;
  @Column({ type: 'varchar', length: 64 }) agent: string;
  @Column({ type: 'varchar', length: 200 }) title: string;
  /** The crew it is a conversation with; null: a single agent. */
  @Column({ type: 'varchar', length: 64, nullable: true }) crew: string | null;
  /** Set for the session of a crew's member: the run it works for. Its owner's list leaves it out. */
  @Column({ type: 'varchar', length: 36, nullable: true }) parentRunId: string | null;
  /** Notes on the turns up to `summaryUpTo`, for agents that keep some; see `runtime/summary.ts`. */
  @Column({ type: 'text', nullable: true, select: false }) summary: string | null;
  /** The id of a run. */
  @Column({ type: 'varchar', length: 36, nullable: true, select: false }) summaryUpTo:
    string | null;
  /** The frozen memory that its prompt has: JSON of `FrozenMemory`; null: its agent had none at the start. */
  @Column({ type: 'text', nullable: true, select: false }) memory: string | null;
}
