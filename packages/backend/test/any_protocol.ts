import type { Json } from './client.js';
import * as anthropic from './scripted_anthropic.js';
import * as openAi from './scripted_provider.js';
import type { Reply, ScriptedCall } from './scripted_provider.js';
import * as responses from './scripted_responses.js';
import { problemsOfAnthropicRequest } from './wire/anthropic_request.js';
import { problemsOfChatRequest } from './wire/chat_request.js';
import { problemsOfResponsesRequest } from './wire/responses_request.js';

/** The protocols that a scripted provider can be asked in. */
export const wireProtocols = ['openai_chat', 'openai_responses', 'anthropic_messages'] as const;
export type WireProtocolName = (typeof wireProtocols)[number];

const scripted = {
  openai_chat: { ...openAi, path: '/chat/completions', problemsOf: problemsOfChatRequest },
  openai_responses: { ...responses, path: '/responses', problemsOf: problemsOfResponsesRequest },
  anthropic_messages: { ...anthropic, path: '/messages', problemsOf: problemsOfAnthropicRequest },
};

const speakerOf = (path: string) => {
  const known = wireProtocols.find((protocol) => path.endsWith(scripted[protocol].path));
  if (known === undefined) throw new Error(`nobody asks for ${path}`);
  return scripted[known];
};

/** A final answer in words, in the protocol it is asked in. */
export const text =
  (content: string, options: { delayMs?: number } = {}): Reply =>
  (response, request) =>
    speakerOf(request.path).text(content, options)(response, request);

/** An answer that calls tools, in the protocol it is asked in. */
export const calls =
  (...given: ScriptedCall[]): Reply =>
  (response, request) =>
    speakerOf(request.path).calls(...given)(response, request);

/** What the provider of a request's protocol would refuse about it. */
export const problemsOf = ({ path, body }: { path: string; body: unknown }): string[] =>
  speakerOf(path).problemsOf(body);

/** What a channel of this protocol needs to reach a scripted provider. */
export const channelFields = (protocol: WireProtocolName, host: string): Json => ({
  protocol,
  baseUrl: protocol === 'anthropic_messages' ? `http://${host}` : `http://${host}/v1`,
  capability: 'vision',
});
