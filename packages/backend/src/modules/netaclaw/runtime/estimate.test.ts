import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTokenizer } from '../provider/tokenizer.js';
import { estimateTokens } from './estimate.js';
import type { CountTokens } from './tokens.js';

const coded = (encoding: BufferEncoding) =>
  Array.from({ length: 60 }, (_, at) =>
    createHash('sha256').update(String(at)).digest().toString(encoding),
  ).join('');
const rows = (line: (at: number) => string, glue: string) =>
  Array.from({ length: 900 }, (_, at) => line(at)).join(glue);

let o200k: CountTokens;
beforeAll(async () => {
  o200k = await loadTokenizer('o200k_base');
});

describe('estimateTokens', () => {
  it.each([
    ['columns of numbers', rows((at) => String((at * 7919) % 9973), ' ')],
    ['a table', rows((at) => `${at},${(at * 1.37).toFixed(3)},abc${at};x`, '\n')],
    ['hex', rows((at) => ((at * 40_503) % 65_536).toString(16), '')],
    ['hashes', coded('hex')],
    ['base64', coded('base64')],
    ['base64url', coded('base64url')],
    ['letters by chance', coded('hex').replaceAll(/\d/g, (d) => 'ghijklmnop'.charAt(Number(d)))],
    ['capitals', 'THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG. '.repeat(20)],
    ['signs', '!@#$%^&*(){}[]|\\:;<>?/~`'.repeat(20)],
    ['JSON', rows((at) => JSON.stringify({ id: at, name: `n-${at}`, ok: null }), ',')],
    [
      'code',
      'export const f = (a: number): void => {\n    if (a !== 0) return g(a);\n};\n'.repeat(9),
    ],
    ['emoji', '😀🎉🧪👩‍🔬🇩🇪❤️🫠'.repeat(100)],
    ['Russian', 'Съешь же ещё этих мягких французских булок да выпей чаю. '.repeat(50)],
    ['Arabic', 'هذا نص عربي طويل للاختبار فقط لا غير. '.repeat(80)],
    ['Hebrew', 'היום מזג האוויר יפה מאוד ואנחנו הולכים לפארק. '.repeat(50)],
    ['Greek', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. '.repeat(50)],
    ['Hindi', 'आज मौसम बहुत अच्छा है, चलो बाग में टहलने चलते हैं। '.repeat(50)],
    ['Thai', 'วันนี้อากาศดีมากไปเดินเล่นกันเถอะ '.repeat(50)],
    ['Amharic', 'ዛሬ አየሩ በጣም ጥሩ ነው። '.repeat(50)],
    ['Chinese', '今天天气很好我们去公园散步吧。'.repeat(120)],
    ['Japanese', '今日は天気がいいので散歩に行きましょう。'.repeat(50)],
    ['Korean', '오늘은 날씨가 좋아서 산책을 갑니다. '.repeat(50)],
    ['Vietnamese', 'Hôm nay trời đẹp quá, chúng ta đi dạo công viên nhé. '.repeat(50)],
    ['German', 'Die Donaudampfschifffahrt fährt über den Fluß, alle grüßen. '.repeat(50)],
    ['halves of emoji', '\ud83d '.repeat(50)],
  ])('is not below a real tokenizer: %s', (_kind, text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(o200k(text));
  });

  it.each([
    'The quick brown fox jumps over the lazy dog, and nobody in the village ever asks why it does so. ',
    'Please look at the report of last week, compare it with the figures that the accounting department sent on Monday, and tell me what has changed.\n',
    "I've already answered the question of the customer, so there is nothing left to do for us today.\n",
  ])('is at most half above it for plain English: %s', (sentence) => {
    const text = sentence.repeat(20);
    const real = o200k(text);
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(real);
    expect(estimateTokens(text)).toBeLessThanOrEqual(real * 1.5);
  });

  it.each([
    ['', 0],
    ['abcd', 1],
    ['漢字漢字', 4],
    ['한국어', 3],
    ['ひらがな', 4],
    ['2026', 4],
  ])('of %j is %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
