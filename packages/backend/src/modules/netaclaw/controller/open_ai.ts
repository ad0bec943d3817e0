import type { IncomingHttpHeaders } from 'node:http';
import { openAiRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { invalid } from '../../base/error.js';
import { handle, type Controller } from '../../base/http/handler.js';
import { NetaClawOpenAiChatService } from '../service/open_ai/open_ai_chat.js';
import { NetaClawOpenAiModelsService } from '../service/open_ai/open_ai_models.js';

const MAX_KEY = 100;

/** The OpenAI-compatible API: `/v1`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class OpenAiController implements Controller {
  @Inject() models: NetaClawOpenAiModelsService;
  @Inject() chat: NetaClawOpenAiChatService;

  readonly handlers = [
    handle(openAiRoutes.models, async ({ actor }) => this.models.list(actor)),
    handle(openAiRoutes.model, async ({ params, actor }) => this.models.find(params.model, actor)),
    handle(openAiRoutes.chatCompletion, async ({ body, actor, headers, signal }) => {
      const idempotencyKey = idempotencyKeyOf(headers);
      const completion = await this.chat.begin({ body, actor, idempotencyKey, signal });
      return body.stream === true ? this.chat.stream(completion) : this.chat.answer(completion);
    }),
  ];
}

/**
 * The header with which a client says that a request is the same as one before. `X-Request-Id` is no such
 * word: programs hand one on to all requests they make for one of their own.
 */
function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || key === '') return undefined;
  if (typeof key === 'string' && key.length <= MAX_KEY) return key;
  throw invalid([{ path: 'Idempotency-Key', message: `at most ${MAX_KEY} characters` }]);
}
