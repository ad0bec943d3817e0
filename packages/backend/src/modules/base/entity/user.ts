import type { Role, Status } from '@netaclaw/contracts';
import { Column, Entity } from 'typeorm';
import { BaseEntity } from './base.js';

@Entity('base_user')
export class BaseUserEntity extends BaseEntity {
  @Column({ type: 'varchar', length: 64, unique: true }) username: string;
  /** `scrypt$<cost>$<salt>$<hash>` */
  @Column({ type: 'varchar', length: 255 }) passwordHash: string;
  @Column({ type: 'varchar', length: 20 }) role: Role;
  @Column({ type: 'int', default: 1 }) status: Status;
  @Column({ type: 'int', default: 1 }) version: number;
}
