import { describe, expect, it } from 'vitest';
import { findRawCalls } from './raw_calls.js';

const isResolved = (name: string) => name === 'echo' || name === 'bash';
const find = (text: string) => findRawCalls(text, isResolved, (index) => `id_${index}`);
const call = (id: number, name: string, input: string) => ({
  id: `id_${id}`,
  name,
  arguments: input,
});

const fence = (language: string, body: string) => `\`\`\`${language}\n${body}\n\`\`\``;

describe('becomes calls', () => {
  const echo = '{"name":"echo","arguments":{"a":1}}';
  const one = [call(0, 'echo', '{"a":1}')];
  it.each([
    ['a tag', `<tool_call>${echo}</tool_call>`, '', one],
    ['a tag over several lines', `<tool_call>\n  ${echo}\n</tool_call>`, '', one],
    ['a tag in a sentence', `I look.\n<tool_call>${echo}</tool_call>`, 'I look.', one],
    ['a fenced block of JSON', `I look.\n${fence('json', echo)}`, 'I look.', one],
    ['a fenced block without a language', fence('', echo), '', one],
    ['a fenced block of tool_call', fence('tool_call', echo), '', one],
    ['a whole answer of JSON', ` ${echo}\n`, '', one],
    ['`parameters` in the place of `arguments`', '{"name":"echo","parameters":{"a":1}}', '', one],
    ['arguments that are JSON text', '{"name":"echo","arguments":"{\\"a\\":1}"}', '', one],
    ['an id and a type beside them', `{"id":"x","type":"function",${echo.slice(1)}`, '', one],
    ['a list', `[${echo},{"name":"bash","arguments":{}}]`, '', [...one, call(1, 'bash', '{}')]],
    [
      'two tags',
      `<tool_call>${echo}</tool_call> and <tool_call>{"name":"bash","arguments":{}}</tool_call>`,
      'and',
      [...one, call(1, 'bash', '{}')],
    ],
    [
      'the good tag of two',
      `<tool_call>${echo}</tool_call><tool_call>{"name":"rm","arguments":{}}</tool_call>`,
      '<tool_call>{"name":"rm","arguments":{}}</tool_call>',
      one,
    ],
  ])('%s', (...[, text, left, calls]) => {
    expect(find(text)).toEqual({ text: left, calls });
  });
});

describe('stays text', () => {
  it.each([
    ['words', 'I would call echo now.'],
    ['nothing', ''],
    ['a tool that is not resolved', '{"name":"rm","arguments":{}}'],
    [
      'a list with one tool that is not resolved',
      '[{"name":"echo","arguments":{}},{"name":"rm","arguments":{}}]',
    ],
    ['an empty list', '[] {'],
    ['JSON of another shape', '{"name":"echo","age":7}'],
    ['JSON of a call with more in it', '{"name":"echo","arguments":{},"note":"an example"}'],
    ['a name that is no text', '{"name":1,"arguments":{}}'],
    ['a name without arguments', '{"name":"echo"}'],
    ['arguments that are null', '{"name":"echo","arguments":null}'],
    ['bare JSON in the middle of words', 'Say {"name":"echo","arguments":{}} to it.'],
    ['a block of another language', fence('python', '{"name":"echo","arguments":{}}')],
    ['broken JSON in a tag', '<tool_call>{"name":"echo","arguments":{</tool_call>'],
    ['a tag that does not close', '<tool_call>{"name":"echo","arguments":{}}'],
    ['a number in a tag', '<tool_call>1</tool_call> {'],
  ])('%s', (_what, text) => {
    expect(find(text)).toBeNull();
  });
});

it('reads a hundred thousand blanks behind a tag that never closes at once', () => {
  const before = performance.now();
  expect(find(`{<tool_call>${' '.repeat(100_000)}`)).toBeNull();
  expect(performance.now() - before).toBeLessThan(1000);
});
