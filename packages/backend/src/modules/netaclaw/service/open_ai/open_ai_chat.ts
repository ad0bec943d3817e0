import type { ChatAnswer, ChatCompletion, ChatCompletionBody, Part } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { ownerOf, type Actor } from '../../../base/auth/actor.js';
import { HeadedAnswer, StreamAnswer } from '../../../base/http/handler.js';
import {
  ChunkMaker,
  completionHead,
  completionOf,
  verdictOf,
  type CompletionHead,
} from '../../runtime/open_ai/completion.js';
import { takeApart, type ClientConversation } from '../../runtime/open_ai/client_messages.js';
import { imageIn, isDataUrl } from '../file/attachments.js';
import { NetaClawFileStoreService } from '../file/file_store.js';
import { NetaClawAgentExecutorService, type StartedRun } from '../run/agent_executor.js';
import { NetaClawChatService } from '../run/chat.js';
import type { TurnRequest } from '../run/turn.js';
import { NetaClawOpenAiModelsService, type ChatTarget } from './open_ai_models.js';
import { CompletionStream } from './completion_stream.js';
import { asOpenAi, partPath, runFailure, runHeaders } from './open_ai_failure.js';

/** A request for a completion. */
export interface CompletionRequest {
  body: ChatCompletionBody;
  actor: Actor;
  /** Made again with the same one, a request joins the run of the first. */
  idempotencyKey: string | undefined;
  /** Aborted when the caller hangs up. */
  signal: AbortSignal;
}

/** A completion under way. */
export interface StartedCompletion {
  head: CompletionHead;
  started: StartedRun;
  includeUsage: boolean;
  signal: AbortSignal;
}

/**
 * Chat completions of the OpenAI-compatible API: a turn of an agent like any other, asked for and answered
 * in that API's words.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawOpenAiChatService {
  @Inject() chat: NetaClawChatService;
  @Inject() executor: NetaClawAgentExecutorService;
  @Inject() models: NetaClawOpenAiModelsService;
  @Inject() files: NetaClawFileStoreService;

  /**
   * Begins a turn. It is cancelled when the caller hangs up, unless an idempotency key lets him come
   * back for it. Throws `DomainError` for what starts no run.
   */
  async begin(request: CompletionRequest): Promise<StartedCompletion> {
    const { body, actor, idempotencyKey, signal } = request;
    await this.chat.takeFromLimit(actor);
    const target = await this.models.targetOf(body.model, actor);
    const conversation = takeApart(body.messages);
    const started = await this.start(request, target, conversation).catch((error: unknown) => {
      throw asOpenAi(error, body, conversation.at);
    });
    if (idempotencyKey === undefined) cancelWhenGone(started, signal);
    return {
      head: completionHead(started.runId, body.model),
      started,
      includeUsage: body.stream_options?.include_usage === true,
      signal,
    };
  }

  /** Waits for the turn. Throws `OpenAiError` for one that has no answer. */
  async answer(completion: StartedCompletion): Promise<HeadedAnswer<ChatCompletion>> {
    const answer = await this.ending(completion);
    const verdict = verdictOf(answer);
    if ('error' in verdict) throw runFailure(verdict, answer);
    return new HeadedAnswer(
      completionOf(completion.head, answer, verdict.finishReason),
      runHeaders(answer),
    );
  }

  /**
   * Streams the turn. One that this process does not run, because another node does or it has ended, is
   * waited for and comes in one piece.
   */
  async stream(completion: StartedCompletion): Promise<StreamAnswer> {
    const { head, includeUsage, started } = completion;
    const { live } = started;
    const ending = this.ending(completion);
    const chunks = new ChunkMaker(head, includeUsage);
    const { runId, sessionId } = live ?? (await ending);
    return new StreamAnswer(async (response) => {
      for (const [name, value] of Object.entries(runHeaders({ runId, sessionId }))) {
        response.setHeader(name, value);
      }
      const stream = new CompletionStream(response, chunks);
      if (live) stream.follow(live);
      stream.end(await ending);
    });
  }

  private ending({ started, signal }: StartedCompletion): Promise<ChatAnswer> {
    return this.chat.answer(started, () => signal);
  }

  private async start(
    { body, actor, idempotencyKey }: CompletionRequest,
    target: ChatTarget,
    conversation: ClientConversation,
  ): Promise<StartedRun> {
    const sessionId = body.metadata?.session_id;
    const turn: TurnRequest = {
      body: {
        ...target,
        message: await this.keepImages(conversation, actor),
        stream: body.stream === true,
        denyTools: [],
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(idempotencyKey === undefined ? {} : { requestId: idempotencyKey }),
      },
      actor,
      source: 'openai',
      earlier: conversation.earlier,
      executionContext: conversation.instructions,
      asked: body.messages,
    };
    return this.executor.start(turn);
  }

  /** Images that came with the message become files of the caller's: a stored turn only names them. */
  private async keepImages(
    { message, at }: ClientConversation,
    actor: Actor,
  ): Promise<ClientConversation['message']> {
    if (typeof message === 'string') return message;
    const parts: Part[] = [];
    for (const [index, part] of message.entries()) {
      parts.push(await this.keepImage(part, partPath(at, index), actor));
    }
    return parts;
  }

  private async keepImage(part: Part, path: string, actor: Actor): Promise<Part> {
    if (part.type !== 'image' || !('url' in part) || !isDataUrl(part.url)) return part;
    const { mime, bytes } = imageIn(part.url, path);
    const name = `image.${mime.slice('image/'.length)}`;
    const { fileId } = await this.files.keep(bytes, { owner: ownerOf(actor), name, mime });
    return { type: 'image', fileId };
  }
}

function cancelWhenGone({ live }: StartedRun, signal: AbortSignal): void {
  const cancel = (): void => live?.cancel('the client hung up');
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
}
