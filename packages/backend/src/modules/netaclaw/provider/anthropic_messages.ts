import { anthropicStreamReader, readAnthropicAnswer } from '../runtime/provider/from_anthropic.js';
import { anthropicBodyMaker } from '../runtime/provider/to_anthropic.js';
import { newCallId, type WireProtocol } from './http_channel.js';

/**
 * `/v1/messages`: Anthropic, and the servers that speak its protocol. A channel's base URL is a host, or
 * the path below which such a server has it; one that ends in `/v1` already is understood too.
 */
export const anthropicMessages: WireProtocol = {
  path: '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  keyHeaders: (apiKey) => ({ 'x-api-key': apiKey }),
  bodyMaker: ({ options, acceptsImages }) => anthropicBodyMaker({ options, acceptsImages }),
  answerFormat: (model) => ({
    streamReader: () => anthropicStreamReader({ model, newCallId }),
    readWhole: (text) => readAnthropicAnswer(text, { model, newCallId }),
  }),
};
