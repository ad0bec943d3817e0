import { createHash, randomBytes } from 'node:crypto';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import jwt from 'jsonwebtoken';
import { DomainError } from '../error.js';
import { Secrets } from './secrets.js';

const ALGORITHM = 'HS256';
/** Seconds. Short, since a refresh is cheap; rights are read again on every request anyway. */
export const ACCESS_SECONDS = 30 * 60;
/** Seconds. Slides: every refresh begins it anew. */
export const REFRESH_SECONDS = 14 * 24 * 60 * 60;
const RANDOM_BYTES = 32;
/** Tokens whose signature is known to be good. */
const MOST_KNOWN = 1000;

/** What an access token says: who signed in, and in which sign-in. Never what they may do. */
export interface AccessClaims {
  userId: number;
  familyId: string;
}

/** Signs and reads access tokens. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class AccessTokens {
  @Inject() secrets: Secrets;
  private readonly known = new Map<string, jwt.JwtPayload>();

  sign({ userId, familyId }: AccessClaims): string {
    return jwt.sign({ fam: familyId }, this.secrets.signingKey, {
      algorithm: ALGORITHM,
      subject: String(userId),
      expiresIn: ACCESS_SECONDS,
    });
  }

  /** Throws `DomainError` with what is wrong with the token. */
  read(token: string): AccessClaims & { expiresAt: Date } {
    const { sub, fam, exp } = this.verified(token);
    const userId = Number(sub);
    if (typeof fam !== 'string' || exp === undefined || !Number.isSafeInteger(userId))
      throw notValid();
    return { userId, familyId: fam, expiresAt: new Date(exp * 1000) };
  }

  /** A signature is checked once per token: the same text with the same key stays good until it expires. */
  private verified(token: string): jwt.JwtPayload {
    const known = this.known.get(token);
    if (known?.exp !== undefined && known.exp * 1000 > Date.now()) return known;
    try {
      const payload = jwt.verify(token, this.secrets.signingKey, { algorithms: [ALGORITHM] });
      if (typeof payload === 'object' && payload.exp !== undefined)
        return this.remember(token, payload);
    } catch (error) {
      if (error instanceof jwt.TokenExpiredError)
        throw unauthorized('the access token has expired');
      if (!(error instanceof jwt.JsonWebTokenError)) throw error;
    }
    throw notValid();
  }

  private remember(token: string, payload: jwt.JwtPayload): jwt.JwtPayload {
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.set(token, payload);
    return payload;
  }
}

/** A refusal of somebody who is not, or no longer, signed in. */
export const unauthorized = (message: string): DomainError =>
  new DomainError('unauthorized', message);

const notValid = (): DomainError => unauthorized('the access token is not valid');

/** A fresh refresh token: its family, so that it can be found, and 256 random bits. */
export const newRefreshToken = (familyId: string): string => `${familyId}.${randomText()}`;

/** The family that a refresh token names; null when it has not the form of one. */
export function familyOf(refreshToken: string): string | null {
  return /^([0-9a-f-]{36})\.[\w-]{43}$/.exec(refreshToken)?.[1] ?? null;
}

/** 256 random bits as text that fits into a URL. */
export const randomText = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

/** How tokens and keys are stored. They are random, so neither salt nor slowness is needed. */
export const hashToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
