import { describe, expect, it } from 'vitest';
import { VisibleText, type TextEvent } from './visible_text.js';

const delta = (text: string): TextEvent => ({ type: 'text-delta', text });
const message = (text: string): TextEvent => ({ type: 'message', text });
const call: TextEvent = { type: 'tool-call' };

/** What each event adds. */
function pieces(...events: TextEvent[]): string[] {
  const visible = new VisibleText();
  return events.map((event) => visible.take(event));
}
const shown = (...events: TextEvent[]): string => pieces(...events).join('');
/** One delta for each character, which is the hardest. */
const typed = (text: string): TextEvent[] => [...text].map(delta);

const printed = '{"name":"todo","arguments":{}}';

describe('the visible text of a run', () => {
  it('comes as it is said, and is not said again at the end', () => {
    expect(pieces(delta('one '), delta('two'), message('one two'))).toEqual(['one ', 'two', '']);
  });

  it('has a blank line between what is said before and after tool calls', () => {
    const events = [delta('Let me look.'), call, call, delta('It '), delta('is 42.')];
    expect(shown(...events, message('It is 42.'))).toBe('Let me look.\n\nIt is 42.');
  });

  it('has none where nothing was said before the calls', () => {
    expect(shown(call, delta('Done.'), message('Done.'))).toBe('Done.');
  });

  it('is the reply at once when a provider does not stream', () => {
    expect(shown(message('All of it.'))).toBe('All of it.');
  });

  it('is the reply when a tool speaks in the place of the model', () => {
    expect(shown(call, message('Which one?'))).toBe('Which one?');
    expect(shown(delta('Hm.'), call, message('Which one?'))).toBe('Hm.\n\nWhich one?');
  });

  it('is shown beside what was said when the two have nothing in common', () => {
    expect(shown(delta('abc'), message('xyz'))).toBe('abc\n\nxyz');
  });

  it('is not doubled when the message is told twice', () => {
    expect(shown(delta('Hm.'), call, message('So?'), message('So?'))).toBe('Hm.\n\nSo?');
  });
});

describe('a call that is printed as text', () => {
  it.each([
    ['whole', printed],
    ['a list', `[${printed}]`],
    ['tagged', `<tool_call>${printed}</tool_call>`],
    ['fenced', `\`\`\`json\n${printed}\n\`\`\``],
    ['fenced without a language', `\`\`\`\n${printed}\n\`\`\``],
    ['fenced as a call', `\`\`\`tool_call\n  ${printed}\n\`\`\``],
    ['behind blank text', `\n \n${printed}`],
  ])('%s is never shown', (_form, text) => {
    expect(shown(...typed(text), call, delta('Done.'), message('Done.'))).toBe('Done.');
    expect(shown(delta(text), call)).toBe('');
  });

  it.each([`<tool_call>${printed}</tool_call>`, `\`\`\`json\n${printed}\n\`\`\``])(
    'leaves what was said before it: %s',
    (text) => {
      const events = [...typed(`I will look. ${text}`), call, delta('Done.')];
      expect(shown(...events)).toBe('I will look. \n\nDone.');
    },
  );

  it.each([
    'if (a < b) { return "x"; }',
    '<b>bold</b> <to be> < tool >',
    'Use `code` and ``more``.',
    '```ts\nconst a = {};\n```\nThat is it.',
    '```\nplain\n``` that is all',
    'a list: [1, 2] and {"name": "x"}',
  ])('is not seen where there is none: %s streams', (text) => {
    expect(shown(...typed(text)).trim()).toBe(text);
  });

  it('does not make a long answer of JSON slow', () => {
    const visible = new VisibleText();
    const rows = Array.from({ length: 50_000 }, (_, at) => `{"row":${at}},`);
    const startedAt = performance.now();
    visible.take(delta('['));
    for (const row of rows) visible.take(delta(row));
    expect(performance.now() - startedAt).toBeLessThan(500);
    expect(visible.take(message(`[${rows.join('')}]`))).toHaveLength(rows.join('').length + 2);
  });

  it.each([
    '{"answer":42}',
    '```json\n{"answer":42}\n```\nSo it is.',
    'see <tool_call>',
    '`',
    '   ',
  ])('could be this, which is held back and told in the end: %j', (text) => {
    expect(shown(...typed(text))).not.toBe(text);
    expect(shown(...typed(text), message(text))).toBe(text);
  });
});
