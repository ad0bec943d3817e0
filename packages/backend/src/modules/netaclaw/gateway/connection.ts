import type { Duplex } from 'node:stream';
import { socketCloseCodes, socketLimits } from '@netaclaw/contracts';
import { WebSocket } from 'ws';

/** A reader with this much waiting gets no more events until it has caught up. */
const FULL_BYTES = 256 * 1024;
/** Answers are not held back; a reader that lets this much of them pile up is let go. */
const MAX_BACKLOG_BYTES = 8 * 1024 * 1024;
/** A full reader must take what waits at this rate, and has this long to begin with. */
const SLOWEST_BYTES_PER_MS = 64;
const STALL_MS = 5_000;

export type CloseReason = keyof typeof socketCloseCodes;

const sentences: Record<CloseReason, string> = {
  goingAway: 'the server is shutting down; connect again',
  policy: 'too many refused frames before connect',
  tooLarge: `a frame may have ${socketLimits.maxBytesBeforeConnect} bytes before connect, ${socketLimits.maxBytes} after`,
  tooSlow: 'this reader is too slow; connect again and subscribe after the last seq',
  unauthorized: 'the rights of this connection have changed or ended; connect again',
  connectTimeout: 'no connect within 10 s',
  tooMany: 'this caller has too many connections',
};

/** A socket that says why it closes also where the library closes it by itself. */
export class GatewaySocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    const isTooLarge = code === socketCloseCodes.tooLarge;
    super.close(code, reason ?? (isTooLarge ? sentences.tooLarge : undefined));
  }
}

/** Who is behind a connection, since its last `connect`. */
export interface Identity {
  credential: string;
  /** As `ownerOf` names the caller. */
  owner: string;
  /** See `standingKeyOf`. */
  standingKey: string;
  /** What the rights rested on when it connected. */
  mark: string;
  /** Milliseconds since 1970; null for a key, whose end its standing tells. */
  expiresAt: number | null;
}

/** Something that goes on until it is over or its connection is: the events of a run. */
export interface Subscription {
  stop(): void;
}

/** One socket: what is known of its caller, what it follows, and how well it reads. */
export class Connection {
  identity: Identity | null = null;
  /** A `connect` under way; later frames wait for it. */
  connecting: Promise<void> | null = null;
  /** Frames that were refused before `connect`. */
  strikes = 0;
  /** Requests under way. */
  pending = 0;
  readonly openedAt = Date.now();
  heardAt = this.openedAt;
  pingedAt = this.openedAt;
  private readonly followed = new Map<string, Subscription>();
  private readonly waiting: (() => void)[] = [];
  private flowedAt = this.openedAt;
  private lastBacklog = 0;
  private isCorked = false;

  constructor(
    readonly socket: WebSocket,
    private readonly transport: Duplex,
    readonly ip: string | null,
  ) {}

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** True when events should wait; see `whenRoom`. */
  get isFull(): boolean {
    return this.socket.bufferedAmount > FULL_BYTES;
  }

  /** Sends one text frame; those of one turn of the event loop leave in one write. */
  send(frame: string | Buffer): void {
    if (!this.isOpen) return;
    if (this.socket.bufferedAmount > MAX_BACKLOG_BYTES) {
      this.close('tooSlow');
      return;
    }
    this.cork();
    this.socket.send(frame, { binary: false });
  }

  /** Calls back once what waits has been taken; not at all when the connection ends before. */
  whenRoom(callback: () => void): void {
    if (this.waiting.length === 0) this.transport.once('drain', this.onDrain);
    this.waiting.push(callback);
  }

  /** True when a full reader has taken next to nothing for too long. Asked regularly. */
  isStuck(now: number): boolean {
    const backlog = this.socket.bufferedAmount;
    if (backlog <= FULL_BYTES || backlog < this.lastBacklog) this.flowedAt = now;
    this.lastBacklog = backlog;
    return now - this.flowedAt > STALL_MS + backlog / SLOWEST_BYTES_PER_MS;
  }

  close(reason: CloseReason): void {
    this.socket.close(socketCloseCodes[reason], sentences[reason]);
    this.unfollowAll();
  }

  /** From here on frames may have the size that a known caller's may. */
  adopt(identity: Identity): void {
    this.identity = identity;
    raiseLimit(this.socket);
  }

  get subscriptionCount(): number {
    return this.followed.size;
  }

  isFollowing(runId: string): boolean {
    return this.followed.has(runId);
  }

  /** Takes the place of an earlier subscription to the same run. */
  follow(runId: string, begin: (onEnd: () => void) => Subscription): void {
    this.followed.get(runId)?.stop();
    let hasEnded = false;
    const subscription: Subscription = begin(() => {
      hasEnded = true;
      if (this.followed.get(runId) === subscription) this.followed.delete(runId);
    });
    if (!hasEnded) this.followed.set(runId, subscription);
  }

  unfollowAll(): void {
    for (const subscription of this.followed.values()) subscription.stop();
    this.followed.clear();
    this.waiting.length = 0;
  }

  private readonly onDrain = (): void => {
    this.flowedAt = Date.now();
    for (const callback of this.waiting.splice(0)) callback();
  };

  private cork(): void {
    if (this.isCorked) return;
    this.isCorked = true;
    this.transport.cork();
    setImmediate(() => {
      this.isCorked = false;
      this.transport.uncork();
    });
  }
}

/**
 * The library takes one limit for a socket's whole life. Its receiver reads the number at each frame, so
 * it is changed there; a release that names it otherwise fails here, and the tests of both limits.
 */
function raiseLimit(socket: WebSocket): void {
  const receiver: unknown = Reflect.get(socket, '_receiver');
  const isKnown = typeof receiver === 'object' && receiver !== null && '_maxPayload' in receiver;
  if (!isKnown) throw new Error('this release of ws keeps its frame limit elsewhere');
  Reflect.set(receiver, '_maxPayload', socketLimits.maxBytes);
}
