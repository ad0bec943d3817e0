import { Column, Entity, Index } from 'typeorm';
import { BaseEntity } from '../../base/entity/base.js';

/** What an agent noted about a user. It goes when its agent or its user goes. */
@Entity('netaclaw_memory')
@Index(['agentId', 'owner'])
export class NetaClawMemoryEntity extends BaseEntity {
  @Column({ type: 'int' }) agentId: number;
  /** `user:1`, `key:3` */
  @Column({ type: 'varchar', length: 64 }) owner: string;
  /** `user:admin`, `key:reporting`, as it was when the entry was made. */
  @Column({ type: 'varchar', length: 200 }) ownerName: string;
  @Column({ type: 'text' }) text: string;
  @Column({ type: 'int', default: 1 }) version: number;
}
