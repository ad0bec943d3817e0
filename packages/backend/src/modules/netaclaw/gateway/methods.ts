import {
  socketMethods,
  type SocketMethodName,
  type SocketParams,
  type SocketPayload,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { ownerOf, type Actor } from '../../base/auth/actor.js';
import { NetaClawPromptPreviewService } from '../service/agent/prompt_preview.js';
import { NetaClawChatService } from '../service/run/chat.js';
import { NetaClawRunService } from '../service/run/run.js';
import { NetaClawSessionService } from '../service/session/session.js';
import type { Connection } from './connection.js';
import { NetaClawRunFeed, type OwnRun } from './run_feed.js';

/** A request that has passed rights and validation. */
export interface MethodCall<Params = unknown> {
  params: Params;
  actor: Actor;
  connection: Connection;
}

interface MethodAnswer<Payload> {
  payload: Payload;
  /** Done once the answer has been sent: what follows it must not come before it. */
  after?: () => void;
}

/** What answers a method, with the method's types forgotten. */
export type Answering = (call: MethodCall) => Promise<MethodAnswer<unknown>>;

/** Joins a method of the contracts with the function that answers it. */
function answering<M extends SocketMethodName>(
  _method: M,
  answer: (call: MethodCall<SocketParams<M>>) => Promise<MethodAnswer<SocketPayload<M>>>,
): Answering {
  // It is called with what this very method's schema has parsed.
  return answer as Answering;
}

/** The methods of the gateway: each asks the service that its route asks over HTTP. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawGatewayMethods {
  @Inject() chat: NetaClawChatService;
  @Inject() runs: NetaClawRunService;
  @Inject() sessions: NetaClawSessionService;
  @Inject() preview: NetaClawPromptPreviewService;
  @Inject() feed: NetaClawRunFeed;

  readonly all: Record<SocketMethodName, Answering> = {
    'chat.send': answering('chat.send', async ({ params, actor, connection }) => {
      this.feed.refuseTooMany(connection);
      const started = await this.chat.start(params, actor, 'websocket');
      const run = await this.feed.started(started, actor);
      return {
        payload: addressOf(run),
        // One that joins a run which this connection hears already hears nothing twice.
        after: () => {
          if (!connection.isFollowing(run.runId)) this.feed.follow(connection, run, 0);
        },
      };
    }),
    'chat.cancel': answering('chat.cancel', async ({ params, actor }) => ({
      payload: await this.runs.cancel(params.runId, actor, { own: true }),
    })),
    'run.subscribe': answering('run.subscribe', async ({ params, actor, connection }) => {
      const run = await this.feed.own(params.runId, actor);
      if (!connection.isFollowing(run.runId)) this.feed.refuseTooMany(connection);
      const after = () => this.feed.follow(connection, run, params.after);
      return { payload: addressOf(run), after };
    }),
    'session.list': answering('session.list', async ({ params, actor }) => ({
      payload: await this.sessions.pageOwn(actor, params),
    })),
    'session.history': answering('session.history', async ({ params, actor }) => {
      const { sessionId, ...page } = params;
      return { payload: await this.sessions.messages(sessionId, ownerOf(actor), page) };
    }),
    'tools.effective': answering('tools.effective', async ({ params, actor }) => ({
      payload: await this.preview.effective(params, actor),
    })),
    ping: answering('ping', async () => ({ payload: { at: new Date().toISOString() } })),
  };
}

const addressOf = ({ runId, sessionId }: OwnRun): SocketPayload<'run.subscribe'> => ({
  runId,
  sessionId,
});

/** A method by the name that a client gave, or undefined. */
export const isMethod = (name: string): name is SocketMethodName =>
  Object.hasOwn(socketMethods, name);
