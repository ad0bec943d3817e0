import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Secrets } from './secrets.js';

const CIPHER = 'aes-256-gcm';
/** Names cipher and layout, so that another can follow it one day. */
const PREFIX = 'v1:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals secrets that are stored and must be read again, such as the keys of model channels. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class SecretBox {
  @Inject() secrets: Secrets;

  /** Encrypts and authenticates; the same text is sealed differently each time. */
  seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.secrets.encryptionKey, nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  /** The text again. Throws an error without any of it when it was changed or sealed with another key. */
  open(sealed: string): string {
    if (!sealed.startsWith(PREFIX)) throw cannotOpen('it is in no form that is known here');
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw cannotOpen('it is too short');
    try {
      return this.decipher(bytes);
    } catch {
      throw cannotOpen('it was changed, or sealed with the key of another secrets.json');
    }
  }

  private decipher(bytes: Buffer): string {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.secrets.encryptionKey, nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  }
}

const cannotOpen = (why: string): Error => new Error(`a stored secret cannot be opened: ${why}`);
