import { openAiStreamReader, readOpenAiAnswer } from '../runtime/provider/from_openai.js';
import { openAiBodyMaker } from '../runtime/provider/to_openai.js';
import { newCallId, type WireProtocol } from './http_channel.js';

/**
 * `/chat/completions`: OpenAI, LiteLLM, vLLM, Ollama, DeepSeek, Qwen and others. A channel's base URL
 * ends in `/v1` as a rule.
 */
export const openAiChat: WireProtocol = {
  path: '/chat/completions',
  headers: {},
  keyHeaders: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  bodyMaker: ({ options, acceptsImages, host }) =>
    openAiBodyMaker({ options, acceptsImages, limitField: limitFieldOf(host) }),
  answerFormat: (model) => ({
    streamReader: () => openAiStreamReader({ model, newCallId }),
    readWhole: (text) => readOpenAiAnswer(text, { model, newCallId }),
  }),
};

/** OpenAI's newer models refuse `max_tokens`; servers that imitate the protocol mostly know only that. */
function limitFieldOf(host: string): 'max_tokens' | 'max_completion_tokens' {
  return /(^|\.)openai\.(azure\.)?com$/.test(host) ? 'max_completion_tokens' : 'max_tokens';
}
