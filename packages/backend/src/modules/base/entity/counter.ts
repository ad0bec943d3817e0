import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A number that grows with every change of what it is named after, so that other nodes notice. */
@Entity('base_counter')
export class BaseCounterEntity {
  @PrimaryColumn({ type: 'varchar', length: 50 }) name: string;
  @Column({ type: 'int' }) value: number;
}
