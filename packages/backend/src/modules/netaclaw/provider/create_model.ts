import type { Protocol } from '@netaclaw/contracts';
import type { ChatModel } from '../runtime/port.js';
import { anthropicMessages } from './anthropic_messages.js';
import { createHttpChatModel, type HttpChannel, type WireProtocol } from './http_channel.js';
import { openAiChat } from './openai_chat.js';
import { openAiResponses } from './openai_responses.js';
import { createRehearsalModel } from './rehearsal.js';

/** The protocols that are spoken over HTTP. A new one is one entry here. */
const wireProtocols: Record<Exclude<Protocol, 'rehearsal'>, WireProtocol> = {
  openai_chat: openAiChat,
  openai_responses: openAiResponses,
  anthropic_messages: anthropicMessages,
};

/** The model behind a channel of any protocol. Throws `ModelError` when the channel's address is none. */
export function createModel(protocol: Protocol, channel: HttpChannel): ChatModel {
  return protocol === 'rehearsal'
    ? createRehearsalModel(channel.options.model)
    : createHttpChatModel(wireProtocols[protocol], channel);
}
