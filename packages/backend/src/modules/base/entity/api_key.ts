import type { Status } from '@netaclaw/contracts';
import { Column, Entity } from 'typeorm';
import { BaseEntity } from './base.js';

@Entity('base_api_key')
export class BaseApiKeyEntity extends BaseEntity {
  @Column({ type: 'varchar', length: 100, unique: true }) name: string;
  /** SHA-256 of the key, which has 256 random bits: no salt is needed. */
  @Column({ type: 'varchar', length: 64, unique: true }) keyHash: string;
  @Column({ type: 'varchar', length: 8 }) hint: string;
  @Column({ type: 'json', nullable: true }) agents: string[] | null;
  @Column({ type: 'int', nullable: true }) rateLimit: number | null;
  @Column({ type: 'datetime', precision: 3, nullable: true }) expiresAt: Date | null;
  @Column({ type: 'datetime', precision: 3, nullable: true }) lastUsedAt: Date | null;
  @Column({ type: 'int', default: 1 }) status: Status;
  @Column({ type: 'int', default: 1 }) version: number;
}
