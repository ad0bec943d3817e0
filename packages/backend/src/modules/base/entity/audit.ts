import type { AuditAction } from '@netaclaw/contracts';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What somebody did. Rows are only ever added. */
@Entity('base_audit')
export class BaseAuditEntity {
  @PrimaryGeneratedColumn() id: number;
  @Index()
  @Column({ type: 'datetime', precision: 3 })
  at: Date;
  @Index()
  @Column({ type: 'varchar', length: 120 })
  actor: string;
  @Column({ type: 'varchar', length: 40 }) action: AuditAction;
  @Index()
  @Column({ type: 'varchar', length: 200 })
  target: string;
  @Column({ type: 'json', nullable: true }) before: unknown;
  @Column({ type: 'json', nullable: true }) after: unknown;
  @Column({ type: 'varchar', length: 64, nullable: true }) ip: string | null;
}
