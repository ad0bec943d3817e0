import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What many runs have in common: resolved tools, reasons, lasting prompt layers. Named by its hash. */
@Entity('netaclaw_run_snapshot')
export class NetaClawRunSnapshotEntity {
  @PrimaryColumn({ type: 'varchar', length: 64 }) hash: string;
  @Column({ type: 'text' }) content: string;
}
