import type { RunSource, RunStatus } from '@netaclaw/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * One turn of an agent on a session, with all that came of it: a turn is written in one statement when
 * it begins and in one when it ends. The large columns are read only where one run is looked at.
 */
@Entity('netaclaw_run')
@Index(['sessionId', 'id'])
@Index(['agent', 'actor', 'model'])
@Index(['parentRunId'])
export class NetaClawRunEntity {
  @PrimaryColumn({ type: 'varchar', length: 36 }) id: string;
  @Column({ type: 'varchar', length: 36 }) sessionId: string;
  /** The session while the run is under way, else null: unique, so a session has one run at a time. */
  @Column({ type: 'varchar', length: 36, nullable: true, unique: true }) activeSessionId:
    string | null;
  /** The run that delegated to this one. */
  @Column({ type: 'varchar', length: 36, nullable: true }) parentRunId: string | null;
  @Column({ type: 'varchar', length: 64 }) owner: string;
  @Column({ type: 'varchar', length: 120 }) actor: string;
  @Column({ type: 'varchar', length: 64 }) agent: string;
  /** The crew it is a run of, its master's or a member's. */
  @Column({ type: 'varchar', length: 64, nullable: true }) crew: string | null;
  @Column({ type: 'varchar', length: 20 }) source: RunSource;
  @Column({ type: 'varchar', length: 20 }) status: RunStatus;
  @Column({ type: 'int', default: 0 }) cancelRequested: number;
  @Column({ type: 'text', nullable: true }) error: string | null;
  @Column({ type: 'varchar', length: 200 }) model: string;
  @Column({ type: 'int', default: 0 }) inputTokens: number;
  @Column({ type: 'int', default: 0 }) outputTokens: number;
  @Column({ type: 'int', default: 0 }) toolCallCount: number;
  @Column({ type: 'int', default: 0 }) messageCount: number;
  /** The tools and the lasting prompt layers of this run: a row of `netaclaw_run_snapshot`. */
  @Column({ type: 'varchar', length: 64 }) snapshotHash: string;
  @Column({ type: 'varchar', length: 36 }) nodeId: string;
  @Column({ type: 'datetime', precision: 3 }) startedAt: Date;
  @Column({ type: 'datetime', precision: 3, nullable: true }) endedAt: Date | null;
  /** JSON text: the messages of this turn, the user's first. */
  @Column({ type: 'text' }) messages: string;
  /** JSON text: the layers that only this run has. */
  @Column({ type: 'text' }) layers: string;
  /** JSON text: what it has emitted, in order; null until it is first stored. */
  @Column({ type: 'text', nullable: true }) events: string | null;
}
