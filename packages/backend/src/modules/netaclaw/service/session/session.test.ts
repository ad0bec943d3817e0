import { describe, expect, it } from 'vitest';
import { turnsOfPage } from './session.js';

describe('turnsOfPage', () => {
  const turns = [
    { id: 'a', count: 3 },
    { id: 'b', count: 0 },
    { id: 'c', count: 2 },
    { id: 'd', count: 4 },
  ];

  it.each([
    { from: 0, size: 3, ids: ['a'], skip: 0 },
    { from: 0, size: 4, ids: ['a', 'b', 'c'], skip: 0 },
    { from: 2, size: 1, ids: ['a'], skip: 2 },
    { from: 3, size: 2, ids: ['c'], skip: 0 },
    { from: 4, size: 3, ids: ['c', 'd'], skip: 1 },
    { from: 8, size: 20, ids: ['d'], skip: 3 },
    { from: 9, size: 20, ids: [], skip: 0 },
    { from: 0, size: 200, ids: ['a', 'b', 'c', 'd'], skip: 0 },
  ])('messages $from to $from + $size stand in $ids', ({ from, size, ids, skip }) => {
    expect(turnsOfPage(turns, from, size)).toEqual({ ids, skip });
  });

  it('page by page gives every message once, whatever the size of a page', () => {
    const all = turns.flatMap(({ id, count }) =>
      Array.from({ length: count }, (_, n) => `${id}${n}`),
    );
    for (let size = 1; size <= 10; size += 1) {
      const seen: string[] = [];
      for (let from = 0; from < all.length; from += size) {
        const { ids, skip } = turnsOfPage(turns, from, size);
        const messages = all.filter((message) => ids.some((id) => message.startsWith(id)));
        seen.push(...messages.slice(skip, skip + size));
      }
      expect(seen, `size ${size}`).toEqual(all);
    }
  });

  it('reads counts that a database gives as text', () => {
    const asText = turns.map((turn) => Object.assign({ ...turn }, { count: `${turn.count}` }));
    expect(turnsOfPage(asText, 3, 2)).toEqual({ ids: ['c'], skip: 0 });
  });

  it('has nothing to give of nothing', () => {
    expect(turnsOfPage([], 0, 20)).toEqual({ ids: [], skip: 0 });
  });
});
