import {
  connectParamsSchema,
  socketLimits,
  socketMethods,
  socketProtocols,
  type ConnectPayload,
  type SocketRequest,
} from '@netaclaw/contracts';
import { Config, Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { z } from 'zod';
import type { Settings } from '../../../settings.js';
import { ownerOf, type Actor } from '../../base/auth/actor.js';
import { Authorizer } from '../../base/auth/authorize.js';
import { Standing, standingKeyOf } from '../../base/auth/standing.js';
import { AccessTokens, unauthorized } from '../../base/auth/tokens.js';
import { DomainError, notFound } from '../../base/error.js';
import { isUnexpected } from '../../base/filter/error.js';
import { validate } from '../../base/http/validate.js';
import { logger } from '../../base/log/logger.js';
import type { CloseReason, Connection, Identity } from './connection.js';
import { answerFrame, failureFrame, readFrame } from './frames.js';
import { isMethod, NetaClawGatewayMethods } from './methods.js';

/** Refused frames that a caller may send before it has said who it is. */
const MAX_STRIKES = 5;
/** When somebody with too many connections may try again. */
const RETRY_S = 10;

/**
 * One frame from its bytes to its answer, like the dispatcher of HTTP: who is it, may they, what do they
 * want, do it, answer. Never throws; every frame that can be answered is.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawGatewayDispatch {
  @Config('settings') settings: Settings;
  @Inject() authorizer: Authorizer;
  @Inject() tokens: AccessTokens;
  @Inject() standing: Standing;
  @Inject() methods: NetaClawGatewayMethods;
  /** Connections of each caller, by `ownerOf`. */
  private readonly counts = new Map<string, number>();

  /** Answers what a connection sent; null for bytes that are no text. */
  async take(connection: Connection, data: string | null): Promise<void> {
    const frame = readFrame(data);
    if ('refusal' in frame) return this.refuse(connection, frame.id, frame.refusal);
    const { request } = frame;
    try {
      if (request.method === 'connect') await this.connectInTurn(connection, request);
      else await this.call(connection, request);
    } catch (error) {
      this.refuse(connection, request.id, error);
    }
  }

  /** A connection is gone. */
  forget({ identity }: Connection): void {
    if (identity) this.count(identity.owner, -1);
  }

  private refuse(connection: Connection, id: SocketRequest['id'] | null, error: unknown): void {
    if (isUnexpected(error)) logger().error({ err: error }, 'a socket request failed');
    connection.send(failureFrame(id, error));
    const reason = reasonToClose(connection, error);
    if (reason) connection.close(reason);
  }

  private async connectInTurn(connection: Connection, request: SocketRequest): Promise<void> {
    const before = connection.connecting ?? Promise.resolve();
    const connecting = before.then(() => this.connect(connection, request.params));
    // Set before anything is awaited: what comes in right behind waits for it, whatever it comes to.
    connection.connecting = connecting.then(nothing, nothing);
    const payload = await connecting;
    connection.send(answerFrame(request.id, payload));
  }

  private async connect(connection: Connection, params: unknown): Promise<ConnectPayload> {
    requireProtocol(params);
    const { token } = validate(connectParamsSchema, params ?? {});
    const actor = await this.authorizer.identify(token, connection.ip);
    const identity = await this.identityOf(token, actor);
    this.admit(connection, identity);
    return {
      protocol: socketProtocols[0],
      features: Object.keys(socketMethods),
      limits: { ...socketLimits },
    };
  }

  private async identityOf(credential: string, actor: Actor): Promise<Identity> {
    const standingKey = standingKeyOf(actor);
    const mark = (await this.standing.read([standingKey])).get(standingKey) ?? null;
    if (mark === null) throw unauthorized('this sign-in or key has ended');
    const isUser = actor.kind === 'user';
    const expiresAt = isUser ? this.tokens.read(credential).expiresAt.getTime() : null;
    return { credential, owner: ownerOf(actor), standingKey, mark, expiresAt };
  }

  private admit(connection: Connection, identity: Identity): void {
    const before = connection.identity;
    if (before && before.owner !== identity.owner) {
      throw new DomainError('conflict', 'this connection is somebody else’s; open another one');
    }
    if (!connection.isOpen) return;
    if (!before) {
      if ((this.counts.get(identity.owner) ?? 0) >= this.settings.socketsPerCaller) {
        const sentence = `a caller may have ${this.settings.socketsPerCaller} connections`;
        throw new DomainError('rateLimited', sentence, { retryAfter: RETRY_S });
      }
      this.count(identity.owner, 1);
    }
    connection.adopt(identity);
  }

  private async call(connection: Connection, request: SocketRequest): Promise<void> {
    await connection.connecting;
    const { identity, ip } = connection;
    if (!identity) throw new EarlyError();
    const { id, method, params } = request;
    if (!isMethod(method)) throw notFound(`the method ${method}`);
    if (connection.pending >= socketLimits.maxPending) throw tooMany();
    connection.pending += 1;
    try {
      const { access, params: schema } = socketMethods[method];
      const { credential } = identity;
      const actor = await this.authorizer.authorizeMessage({ credential, ip }, access);
      const parsed = validate(schema, params ?? {});
      const { payload, after } = await this.methods.all[method]({
        params: parsed,
        actor,
        connection,
      });
      connection.send(answerFrame(id, payload));
      if (connection.isOpen) after?.();
    } finally {
      connection.pending -= 1;
    }
  }

  private count(owner: string, by: 1 | -1): void {
    const now = (this.counts.get(owner) ?? 0) + by;
    if (now > 0) this.counts.set(owner, now);
    else this.counts.delete(owner);
  }
}

/** A request before `connect`: refused, but the caller may still connect. */
class EarlyError extends DomainError {
  constructor() {
    super('unauthorized', 'the first request must be connect { token, protocol: 1 }');
  }
}

/** A refusal after which there is no point in staying. */
function reasonToClose(connection: Connection, error: unknown): CloseReason | null {
  const kind = error instanceof DomainError && !(error instanceof EarlyError) ? error.kind : null;
  if (kind === 'unauthorized') return 'unauthorized';
  if (connection.identity) return null;
  if (kind === 'rateLimited') return 'tooMany';
  connection.strikes += 1;
  return connection.strikes >= MAX_STRIKES ? 'policy' : null;
}

const nothing = (): void => {};

const tooMany = (): DomainError =>
  new DomainError('rateLimited', `at most ${socketLimits.maxPending} requests may be under way`, {
    retryAfter: 1,
  });

const protocolOnlySchema = z.looseObject({ protocol: z.int() });

/** Looked at before anything else: another protocol may have other fields. */
function requireProtocol(params: unknown): void {
  const { protocol } = validate(protocolOnlySchema, params ?? {});
  if (socketProtocols.some((spoken) => spoken === protocol)) return;
  throw new DomainError(
    'validation',
    `protocol ${protocol} is not spoken here; spoken: ${socketProtocols.join(', ')}`,
    { protocols: socketProtocols },
  );
}
