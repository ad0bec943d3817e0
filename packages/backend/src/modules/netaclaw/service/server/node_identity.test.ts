import { expect, it } from 'vitest';
import { idOf } from './node_identity.js';

const place = { host: '127.0.0.1', port: 8001, dataDir: '/data' };

it('a server that starts again at the same place is the same node', () => {
  expect(idOf(place)).toBe(idOf({ ...place }));
});

it.each([
  ['another port', { ...place, port: 8002 }],
  ['another folder', { ...place, dataDir: '/other' }],
  ['another address', { ...place, host: '0.0.0.0' }],
])('%s is another node', (_claim, other) => {
  expect(idOf(other)).not.toBe(idOf(place));
});

it('without a fixed port every start is a node of its own', () => {
  const anywhere = { ...place, port: 0 };
  expect(idOf(anywhere)).not.toBe(idOf(anywhere));
});
