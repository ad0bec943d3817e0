import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimedEntity } from '../../base/entity/base.js';

/** A file a person sent; its bytes lie in the data folder under its id. */
@Entity('netaclaw_file')
export class NetaClawFileEntity extends TimedEntity {
  @PrimaryColumn({ type: 'varchar', length: 36 }) id: string;
  @Index()
  @Column({ type: 'varchar', length: 64 })
  owner: string;
  @Column({ type: 'varchar', length: 255 }) name: string;
  @Column({ type: 'varchar', length: 127 }) mime: string;
  @Column({ type: 'int' }) size: number;
}
