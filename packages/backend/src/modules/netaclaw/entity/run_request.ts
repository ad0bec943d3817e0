import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request that a caller gave an id of his own, and the run it began: made again, it joins that run. */
@Entity('netaclaw_run_request')
export class NetaClawRunRequestEntity {
  /** Owner and request id. */
  @PrimaryColumn({ type: 'varchar', length: 170 }) requestKey: string;
  @Column({ type: 'varchar', length: 36 }) runId: string;
  /** Of what was asked. Null in rows from before it was kept. */
  @Column({ type: 'varchar', length: 64, nullable: true }) digest: string | null;
}
