import { Column, Entity, Index } from 'typeorm';
import { BaseEntity } from './base.js';

/** One sign-in: a family of refresh tokens, of which only the newest is good. */
@Entity('base_sign_in')
export class BaseSignInEntity extends BaseEntity {
  /** Named in the access token; when this row is gone, so is the token's worth. */
  @Column({ type: 'varchar', length: 36, unique: true }) familyId: string;
  @Index()
  @Column({ type: 'int' })
  userId: number;
  /** SHA-256 of the newest refresh token. */
  @Column({ type: 'varchar', length: 64 }) tokenHash: string;
  @Column({ type: 'datetime', precision: 3 }) expiresAt: Date;
}
