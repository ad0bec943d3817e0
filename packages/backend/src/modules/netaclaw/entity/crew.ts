import type { CrewMember, Status } from '@netaclaw/contracts';
import { Column, Entity } from 'typeorm';
import { BaseEntity } from '../../base/entity/base.js';

/** An agent that leads and the agents it delegates to. Agents are named by id, so that they can be renamed. */
@Entity('netaclaw_crew')
export class NetaClawCrewEntity extends BaseEntity {
  @Column({ type: 'varchar', length: 64, unique: true }) name: string;
  @Column({ type: 'varchar', length: 200 }) label: string;
  @Column({ type: 'text' }) description: string;
  @Column({ type: 'int' }) masterAgentId: number;
  @Column({ type: 'json' }) members: CrewMember[];
  @Column({ type: 'int', default: 1 }) maxDepth: number;
  @Column({ type: 'int', default: 8 }) maxParallel: number;
  @Column({ type: 'int', default: 1 }) status: Status;
  @Column({ type: 'int', default: 1 }) version: number;
}
