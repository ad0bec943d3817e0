import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A running server process; one not seen for a while is taken for dead. */
@Entity('base_node')
export class BaseNodeEntity {
  @PrimaryColumn({ type: 'varchar', length: 36 }) id: string;
  @Column({ type: 'datetime', precision: 3 }) seenAt: Date;
}
