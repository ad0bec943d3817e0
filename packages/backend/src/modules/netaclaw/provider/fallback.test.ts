import { describe, expect, it } from 'vitest';
import {
  answers,
  hangs,
  says,
  scriptedModel,
  streams,
  throws,
} from '../../../../test/scripted_model.js';
import { ModelError, type ModelEvent, type ModelRequest } from '../runtime/port.js';
import { withFallbacks } from './fallback.js';

const request: ModelRequest = { messages: [], tools: [], stream: true };
const down = throws(new ModelError('the first is down', 503));

type Script = Parameters<typeof scriptedModel>;

async function ask(scripts: readonly Script[], signal = new AbortController().signal) {
  const models = scripts.map((script, at) => ({ ...scriptedModel(...script), name: `m${at + 1}` }));
  const handed: string[] = [];
  const chain = withFallbacks(models, (from, to, error) => {
    handed.push(`${from.name} > ${to.name}: ${error.message}`);
  });
  const events: ModelEvent[] = [];
  let failure: unknown = null;
  try {
    for await (const event of chain.call(request, signal)) events.push(event);
  } catch (error) {
    failure = error;
  }
  const asked = models.map(({ requests }) => requests.length);
  return { events, failure, handed, asked, name: chain.name };
}

const lastOf = (events: readonly ModelEvent[]) => events.at(-1);

describe('a failure before the first event', () => {
  it('is handed to the next, and the answer says whose it is', async () => {
    const { events, handed, asked, name } = await ask([[down], [says('hello')]]);
    expect(name).toBe('m1');
    expect(asked).toEqual([1, 1]);
    expect(handed).toEqual(['m1 > m2: the first is down']);
    expect(lastOf(events)).toMatchObject({
      type: 'answer',
      model: 'm2',
      answer: { message: { content: 'hello' } },
    });
  });

  it('goes along the whole chain; the last failure is the one that is heard', async () => {
    const last = throws(new ModelError('the last is down too'));
    const { failure, handed } = await ask([[down], [down], [last]]);
    expect(failure).toMatchObject({ message: 'the last is down too' });
    expect(handed).toHaveLength(2);
  });
});

describe('no handing over', () => {
  it('when all is well', async () => {
    const { events, asked } = await ask([[says('fine')], []]);
    expect(asked).toEqual([1, 0]);
    expect(lastOf(events)).not.toHaveProperty('model');
  });

  it('after the first event: the user has seen part of an answer', async () => {
    const { failure, asked } = await ask([[streams(['Hel'], down)], [says('hello')]]);
    expect(failure).toMatchObject({ message: 'the first is down' });
    expect(asked).toEqual([1, 0]);
  });

  it('in the middle of a call, of which no event tells', async () => {
    class Begun extends ModelError {
      override get hasBegun(): boolean {
        return true;
      }
    }
    const { asked } = await ask([[throws(new Begun('broke off'))], [says('hello')]]);
    expect(asked).toEqual([1, 0]);
  });

  it('of a defect of ours', async () => {
    const { failure, asked } = await ask([[throws(new TypeError('bug'))], [answers({})]]);
    expect(failure).toBeInstanceOf(TypeError);
    expect(asked).toEqual([1, 0]);
  });

  it('when the call was given up', async () => {
    const { asked } = await ask([[hangs], [says('hello')]], AbortSignal.timeout(5));
    expect(asked).toEqual([1, 0]);
  });
});
