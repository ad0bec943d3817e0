import { beforeEach, describe, expect, it } from 'vitest';
import { answers, hangs, scriptedModel, throws } from '../../../../test/scripted_model.js';
import { ModelError, type ChatModel, type ModelRequest } from '../runtime/port.js';
import { Circuit, withCircuit } from './circuit.js';

let now = 0;
let circuit: Circuit;
beforeEach(() => {
  now = 0;
  circuit = new Circuit(() => now, { failures: 2, restMs: 10_000 });
});

const request: ModelRequest = { messages: [], tools: [], stream: false };
const works = answers({});
const down = throws(new ModelError('the server is on fire', 503));

/** The sentence of the failure, or `ok`. */
async function ask(model: ChatModel, signal = new AbortController().signal): Promise<string> {
  try {
    for await (const event of model.call(request, signal)) if (event.type === 'answer') return 'ok';
    return 'no answer';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const through = (...script: Parameters<typeof scriptedModel>) => {
  const model = scriptedModel(...script);
  return { model, guarded: withCircuit(model, circuit, 'main') };
};

it('opens after enough failures in a row: calls are turned away with the reason', async () => {
  const { model, guarded } = through(down, down);
  expect(await ask(guarded)).toBe('the server is on fire');
  expect(circuit.isOpen).toBe(false);
  await ask(guarded);
  expect(circuit.isOpen).toBe(true);
  now = 2_500;
  expect(await ask(guarded)).toBe(
    'the channel main failed 2 times in a row and is given a rest; the next try is in 8 s. ' +
      'The last failure: the server is on fire',
  );
  expect(model.requests).toHaveLength(2);
});

it('a success in between starts the count anew', async () => {
  const { guarded } = through(down, works, down, works);
  for (const _ of [1, 2, 3, 4]) await ask(guarded);
  expect(circuit.isOpen).toBe(false);
});

describe('after the rest', () => {
  const opened = async (...script: Parameters<typeof scriptedModel>) => {
    const rest = through(down, down, ...script);
    await ask(rest.guarded);
    await ask(rest.guarded);
    now = 10_000;
    return rest;
  };

  it('a success closes it', async () => {
    const { guarded } = await opened(works, works);
    expect(await ask(guarded)).toBe('ok');
    expect(circuit.isOpen).toBe(false);
    expect(await ask(guarded)).toBe('ok');
  });

  it('a failure begins another rest', async () => {
    const { guarded } = await opened(down);
    expect(await ask(guarded)).toBe('the server is on fire');
    expect(await ask(guarded)).toMatch(/failed 3 times in a row .* in 10 s/);
  });

  it('one call tries, the others are still turned away', async () => {
    const { guarded } = await opened(hangs, works);
    const controller = new AbortController();
    const trying = ask(guarded, controller.signal);
    expect(await ask(guarded)).toMatch(/one call is trying it now/);
    controller.abort(new Error('stopped'));
    expect(await trying).toBe('stopped');
    expect(await ask(guarded)).toBe('ok');
  });
});

describe('what counts as a failure of the channel', () => {
  it.each([
    ['no connection', new ModelError('refused'), true],
    ['too many requests', new ModelError('slow down', 429), true],
    ['a time-out at the provider', new ModelError('late', 408), true],
    ['an error of the server', new ModelError('oops', 500), true],
    ['a wrong key', new ModelError('who are you', 401), false],
    ['a bad request', new ModelError('what', 400), false],
    ['a defect of ours', new TypeError('undefined is not a function'), false],
  ])('%s', async (_claim, error, counts) => {
    const { guarded } = through(throws(error), throws(error));
    await ask(guarded);
    await ask(guarded);
    expect(circuit.isOpen).toBe(counts);
  });

  it('not a call that was given up', async () => {
    const { guarded } = through(hangs, hangs);
    for (const _ of [1, 2]) await ask(guarded, AbortSignal.timeout(1));
    expect(circuit.isOpen).toBe(false);
  });
});

it('lets others in as soon as the call that tries it brings a word', async () => {
  const { guarded } = through(down, down, works);
  await ask(guarded);
  await ask(guarded);
  now = 10_000;
  const slow: ChatModel = {
    name: 'slow',
    rehearsal: false,
    async *call() {
      yield { type: 'text-delta', text: 'Well' };
      await new Promise(() => {});
    },
  };
  const trying = withCircuit(slow, circuit, 'main').call(request, new AbortController().signal);
  await trying[Symbol.asyncIterator]().next();
  expect(circuit.isOpen).toBe(false);
  expect(await ask(guarded)).toBe('ok');
});
