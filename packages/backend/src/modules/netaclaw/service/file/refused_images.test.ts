import type { Message } from '@netaclaw/contracts';
import { expect, it } from 'vitest';
import { withoutRefusedImages } from './refused_images.js';

const image = { type: 'image' as const, fileId: 'file' };
const seen: Message = { role: 'user', content: [{ type: 'text', text: 'Look' }, image] };
const asked: Message = { role: 'user', content: 'And now?' };
const answer: Message = { role: 'assistant', content: 'A dot.' };

/** Whether each turn still has its image. */
const kept = (...turns: Message[][]): boolean[] =>
  withoutRefusedImages(turns.map((messages, at) => ({ runId: `run${at}`, messages }))).map(
    ({ messages }) => JSON.stringify(messages).includes(JSON.stringify(image)),
  );

it.each<[string, Message[][], boolean[]]>([
  ['a turn that was answered', [[seen, answer], [asked], [asked]], [true, false, false]],
  ['a turn that failed just now', [[seen]], [true]],
  [
    'a turn that failed and was answered when asked again',
    [[seen], [asked, answer]],
    [true, false],
  ],
])('keeps the image of %s', (_what, turns, images) => {
  expect(kept(...turns)).toEqual(images);
});

it('leaves an image out that two turns in a row had no answer to, also later', () => {
  expect(kept([seen], [asked])).toEqual([false, false]);
  expect(kept([seen], [asked], [asked, answer])).toEqual([false, false, false]);
  expect(kept([seen, answer], [seen], [asked])).toEqual([true, false, false]);
});

it('says so in its place, and keeps the words', () => {
  const [turn] = withoutRefusedImages([
    { runId: 'a', messages: [seen] },
    { runId: 'b', messages: [asked] },
  ]);
  expect(turn?.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'text', text: expect.stringMatching(/image.*left out/) },
      ],
    },
  ]);
});
