import { expect, it } from 'vitest';
import { RequestFailure } from '../../failure.js';
import { stopping } from './stopping.js';

/** A turn of which nothing is known yet. */
function turn() {
  const facts = {
    id: null as string | null,
    lost: false,
    cancelled: [] as string[],
    failure: null as Error | null,
  };
  const stop = stopping({
    runId: () => facts.id,
    isLost: () => facts.lost,
    cancel: async (id) => {
      if (facts.failure) throw facts.failure;
      facts.cancelled.push(id);
    },
  });
  return { facts, stop };
}
const event = (type: 'text-delta' | 'run-end') => ({ type, runId: 'run' });

it('a known run is cancelled at once', async () => {
  const { facts, stop } = turn();
  stop.begin();
  facts.id = 'run';
  await stop.stop();
  expect(facts.cancelled).toEqual(['run']);
});

it('one that is not known yet is cancelled with its first event, once', async () => {
  const { facts, stop } = turn();
  const signal = stop.begin();
  await stop.stop();
  stop.heard(event('text-delta'));
  stop.heard(event('text-delta'));
  expect([facts.cancelled, signal.aborted]).toEqual([['run'], false]);
});

it.each(['before', 'after'])('without a connection nothing is sent: lost %s', async (when) => {
  const { facts, stop } = turn();
  const signal = stop.begin();
  facts.lost = when === 'before';
  await stop.stop();
  stop.lost();
  expect(signal.aborted).toBe(true);
});

it('what could not be cancelled for want of a connection is with the next event', async () => {
  const { facts, stop } = turn();
  const signal = stop.begin();
  facts.id = 'run';
  facts.failure = new RequestFailure('gone', { kind: 'network' });
  await expect(stop.stop()).rejects.toThrow('gone');
  stop.lost();
  facts.failure = null;
  stop.heard(event('text-delta'));
  expect([facts.cancelled, signal.aborted]).toEqual([['run'], false]);
});

it('a run that ended by itself is not cancelled, and the next turn begins afresh', async () => {
  const { facts, stop } = turn();
  stop.begin();
  await stop.stop();
  stop.heard(event('run-end'));
  stop.begin();
  stop.heard(event('text-delta'));
  expect(facts.cancelled).toEqual([]);
});
