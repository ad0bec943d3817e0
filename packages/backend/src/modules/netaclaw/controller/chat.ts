import type { IncomingHttpHeaders } from 'node:http';
import { chatRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { ownerOf } from '../../base/auth/actor.js';
import { invalid } from '../../base/error.js';
import { handle, StreamAnswer, type Controller } from '../../base/http/handler.js';
import { NetaClawChatService } from '../service/run/chat.js';
import { NetaClawFileStoreService } from '../service/file/file_store.js';
import { NetaClawRunService } from '../service/run/run.js';
import { NetaClawRunEventsService } from '../service/run/run_events.js';
import { NetaClawSessionService } from '../service/session/session.js';
import { fileAnswer } from './file_answer.js';

/** Chat for client programs and people: `/api/netaclaw`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class ChatController implements Controller {
  @Inject() chat: NetaClawChatService;
  @Inject() runs: NetaClawRunService;
  @Inject() events: NetaClawRunEventsService;
  @Inject() sessions: NetaClawSessionService;
  @Inject() files: NetaClawFileStoreService;

  readonly handlers = [
    handle(chatRoutes.chat, async (request) => {
      const { body, actor } = request;
      const started = await this.chat.start(body, actor, body.stream ? 'sse' : 'rest');
      if (!body.stream) return this.chat.answer(started, () => request.signal);
      return new StreamAnswer(await this.events.streamStarted(started, actor));
    }),
    handle(chatRoutes.run, async ({ params, actor }) => this.runs.own(params.id, actor)),
    handle(chatRoutes.runEvents, async ({ params, query, headers, actor }) => {
      const after = query.after ?? lastEventId(headers);
      return new StreamAnswer(await this.events.streamOwn(params.id, actor, after));
    }),
    handle(chatRoutes.cancelRun, async ({ params, actor }) =>
      this.runs.cancel(params.id, actor, { own: true }),
    ),
    handle(chatRoutes.sessions, async ({ query, actor }) => this.sessions.pageOwn(actor, query)),
    handle(chatRoutes.sessionMessages, async ({ params, query, actor }) =>
      this.sessions.messages(params.id, ownerOf(actor), query),
    ),
    handle(chatRoutes.deleteSession, async ({ params, actor }) => ({
      deleted: await this.sessions.delete([params.id], ownerOf(actor), actor),
    })),
    handle(chatRoutes.upload, async ({ incoming, actor }) =>
      this.files.receive(incoming, ownerOf(actor)),
    ),
    handle(chatRoutes.download, async ({ params, actor }) => {
      const file = await this.files.find(params.id, ownerOf(actor));
      return fileAnswer(file, this.files.open(file));
    }),
  ];
}

/** The header with which a browser's `EventSource` goes on where it was. */
function lastEventId(headers: IncomingHttpHeaders): number {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return 0;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw invalid([{ path: 'Last-Event-ID', message: 'must be the number of an event' }]);
}
