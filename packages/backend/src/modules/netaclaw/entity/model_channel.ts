import type { Capability, ChannelParams, Protocol, Status } from '@netaclaw/contracts';
import { Column, Entity } from 'typeorm';
import { BaseEntity } from '../../base/entity/base.js';

@Entity('netaclaw_model_channel')
export class NetaClawModelChannelEntity extends BaseEntity {
  @Column({ type: 'varchar', length: 100, unique: true }) name: string;
  @Column({ type: 'varchar', length: 40 }) protocol: Protocol;
  @Column({ type: 'varchar', length: 2000, nullable: true }) baseUrl: string | null;
  /** Encrypted; see `base/auth/secret_box.ts`. */
  @Column({ type: 'text', nullable: true }) apiKey: string | null;
  @Column({ type: 'varchar', length: 8, nullable: true }) apiKeyHint: string | null;
  @Column({ type: 'varchar', length: 200 }) model: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) capability: Capability | null;
  @Column({ type: 'int', nullable: true }) contextWindow: number | null;
  @Column({ type: 'int', nullable: true }) maxOutputTokens: number | null;
  @Column({ type: 'json' }) params: ChannelParams;
  /** Encrypted JSON: a header may hold a secret. */
  @Column({ type: 'text', nullable: true }) headers: string | null;
  @Column({ type: 'int', nullable: true }) timeoutMs: number | null;
  @Column({ type: 'int', nullable: true }) fallbackChannelId: number | null;
  @Column({ type: 'int', default: 1 }) status: Status;
  @Column({ type: 'int', default: 1 }) version: number;
}
