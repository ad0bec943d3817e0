import { z } from 'zod';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'clarify',
    toolset: 'planning',
    description:
      'Asks the user a question and ends this turn; the answer comes with the next message. Use it only when the work cannot go on sensibly without the answer.',
    parameters: z.strictObject({
      question: z.string().trim().min(1).max(2000).describe('One question, complete in itself.'),
      options: z
        .array(z.string().trim().min(1).max(300))
        .max(10)
        .default([])
        .describe('Answers to choose from, if there are obvious ones.'),
    }),
    visibility: 'tool',
    isCore: true,
  },
  create: () => async (input) => ({
    status: 'ok',
    content: 'The question is put to the user. The answer comes with the next message.',
    reply: withOptions(input.question, input.options),
  }),
});

function withOptions(question: string, options: readonly string[]): string {
  if (options.length === 0) return question;
  return [question, '', ...options.map((option, index) => `${index + 1}. ${option}`)].join('\n');
}
