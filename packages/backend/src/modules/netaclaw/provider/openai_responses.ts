import { readResponsesAnswer, responsesStreamReader } from '../runtime/provider/from_responses.js';
import { responsesBodyMaker } from '../runtime/provider/to_responses.js';
import { newCallId, type WireProtocol } from './http_channel.js';

/**
 * `/responses`: OpenAI's newer protocol, also spoken by Azure, vLLM, Ollama and LM Studio. A channel's
 * base URL ends in `/v1` as a rule.
 */
export const openAiResponses: WireProtocol = {
  path: '/responses',
  headers: {},
  keyHeaders: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  bodyMaker: ({ options, acceptsImages }) => responsesBodyMaker({ options, acceptsImages }),
  answerFormat: (model) => ({
    streamReader: () => responsesStreamReader({ model, newCallId }),
    readWhole: (text) => readResponsesAnswer(text, { model, newCallId }),
  }),
};
