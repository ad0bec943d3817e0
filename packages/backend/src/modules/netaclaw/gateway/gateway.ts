import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { SOCKET_PATH, failures, socketLimits, type FailureKind } from '@netaclaw/contracts';
import { Config, Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { WebSocketServer, type RawData } from 'ws';
import type { Settings } from '../../../settings.js';
import { Standing } from '../../base/auth/standing.js';
import { logger } from '../../base/log/logger.js';
import { NetaClawMetricsService } from '../service/server/metrics.js';
import { Connection, GatewaySocket } from './connection.js';
import { NetaClawGatewayDispatch } from './dispatch.js';
import { isWelcome } from './origin.js';
import { clientAddress } from '../../base/http/client_address.js';

/** How often all connections are looked through: one timer for all of them. */
const LOOK_MS = 500;
/** How long a connection may be silent before it is asked whether it is there, and then until it is given up. */
const PING_MS = 20_000;
const DEAD_MS = 45_000;
/** How long closed connections get to say goodbye at shutdown. */
const GOODBYE_MS = 2_000;

/** WebSocket connections at `/ws`: their beginning, their health, their end. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawGateway {
  @Config('settings') settings: Settings;
  @Inject() dispatch: NetaClawGatewayDispatch;
  @Inject() standing: Standing;
  @Inject() metrics: NetaClawMetricsService;
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.maxBytesBeforeConnect,
    perMessageDeflate: false,
    clientTracking: false,
    WebSocket: GatewaySocket,
  });
  private readonly connections = new Set<Connection>();
  private timer: NodeJS.Timeout | null = null;
  private isStopping = false;
  private isChecking = false;

  /** Takes the upgrades of this server from now on. */
  start(server: Server): void {
    server.on('upgrade', (incoming, transport, head) => this.upgrade(incoming, transport, head));
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    this.metrics.addGauge({
      name: 'netaclaw_sockets',
      help: 'Open WebSocket connections of this process.',
      read: () => this.connections.size,
    });
  }

  /** The server goes down: connections that follow no run leave now, the others when theirs has ended. */
  leave(): void {
    this.isStopping = true;
    this.look();
  }

  /** Closes what is left. Resolves when all are closed. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    for (const connection of this.connections) connection.close('goingAway');
    const end = Date.now() + GOODBYE_MS;
    while (this.connections.size > 0 && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    for (const { socket } of this.connections) socket.terminate();
  }

  private upgrade(incoming: IncomingMessage, transport: Duplex, head: Buffer): void {
    const refusal = this.refusalOf(incoming);
    if (refusal) {
      refuseUpgrade(transport, ...refusal);
      return;
    }
    const ip = clientAddress(incoming);
    this.sockets.handleUpgrade(incoming, transport, head, (socket) =>
      this.open(new Connection(socket, transport, ip)),
    );
  }

  private refusalOf({ url = '/', headers }: IncomingMessage): [FailureKind, string] | null {
    const [path = ''] = url.split('?');
    if (path !== SOCKET_PATH) return ['notFound', `there is no socket at ${path}`];
    if (this.isStopping) return ['notReady', 'the server is shutting down; try again shortly'];
    if (isWelcome(headers, this.settings.socketOrigins)) return null;
    return ['forbidden', 'pages of this origin may not connect; see SOCKET_ORIGINS'];
  }

  private open(connection: Connection): void {
    const { socket } = connection;
    this.connections.add(connection);
    const heard = (): void => {
      connection.heardAt = Date.now();
    };
    socket.on('message', (data: RawData, isBinary: boolean) => {
      heard();
      // A frame that comes in while a socket closes is of no interest any more.
      if (connection.isOpen) void this.dispatch.take(connection, isBinary ? null : textOf(data));
    });
    socket.on('pong', heard);
    socket.on('error', (error) => logger().debug({ err: error }, 'a socket broke'));
    socket.on('close', () => {
      this.connections.delete(connection);
      connection.unfollowAll();
      this.dispatch.forget(connection);
    });
  }

  private look(): void {
    const now = Date.now();
    for (const connection of this.connections) this.examine(connection, now);
    void this.checkStanding();
  }

  private examine(connection: Connection, now: number): void {
    const { identity, socket } = connection;
    if (!connection.isOpen) return;
    if (this.isStopping && connection.subscriptionCount === 0 && connection.pending === 0) {
      connection.close('goingAway');
    } else if (!identity && now - connection.openedAt >= socketLimits.connectTimeoutMs) {
      connection.close('connectTimeout');
    } else if (identity?.expiresAt && identity.expiresAt <= now) {
      connection.close('unauthorized');
    } else if (connection.isStuck(now)) {
      connection.close('tooSlow');
    } else if (now - connection.heardAt >= DEAD_MS && !connection.isFull) {
      socket.terminate();
    } else if (now - Math.max(connection.heardAt, connection.pingedAt) >= PING_MS) {
      connection.pingedAt = now;
      socket.ping();
    }
  }

  /** Closes connections whose caller's rights have changed or ended, on whatever node that was done. */
  private async checkStanding(): Promise<void> {
    if (this.isChecking || this.connections.size === 0) return;
    this.isChecking = true;
    try {
      const known = [...this.connections].flatMap((connection) =>
        connection.identity ? [{ connection, identity: connection.identity }] : [],
      );
      const keys = new Set(known.map(({ identity }) => identity.standingKey));
      const marks = await this.standing.read([...keys]);
      for (const { connection, identity } of known) {
        const isCurrent = connection.identity === identity;
        if (isCurrent && marks.get(identity.standingKey) !== identity.mark) {
          connection.close('unauthorized');
        }
      }
    } catch (error) {
      logger().warn({ err: error }, 'the rights of open sockets could not be read');
    } finally {
      this.isChecking = false;
    }
  }
}

/** With the default binary type messages are Buffers; the others are for completeness of the type. */
function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}

/** Answers an upgrade as an HTTP request that failed. */
function refuseUpgrade(transport: Duplex, kind: FailureKind, message: string): void {
  const { status, code } = failures[kind];
  const body = JSON.stringify({ code, message });
  transport.on('error', () => transport.destroy());
  transport.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
