import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../src/modules/base/data/database.js';
import { NetaClawRunEntity } from '../src/modules/netaclaw/entity/run.js';
import { NetaClawToolSourcesService } from '../src/modules/netaclaw/service/tool/tool_sources.js';
import type { Json } from './client.js';
import {
  childrenOf,
  hasResults,
  makeCrew,
  makePlayer,
  master,
  play,
  resultsIn,
} from './crew_scene.js';
import { openChat, streamChat, typesOf } from './event_stream.js';
import { addPerson } from './people.js';
import {
  chat,
  makeKey,
  startScenario,
  updateTool,
  wireSystem,
  wireTools,
  type Scenario,
} from './scenario.js';
import { calls, failure, stall, text, type Reply } from './scripted_provider.js';
import { testSource, testTool } from './test_tools.js';

let scenario: Scenario;
let ann: Json;
let bob: Json;
let cid: Json;
let press: { crew: Json; chief: Json };

beforeAll(async () => {
  scenario = await startScenario();
  const sources = await scenario.app.get(NetaClawToolSourcesService);
  sources.add(testSource('test', [testTool({ name: 'look' }), testTool({ name: 'listen' })]));
  await scenario.admin.ask('/admin/netaclaw/tool/sync');
  ann = await makePlayer(scenario, { name: 'ann', toolsets: ['document'] });
  bob = await makePlayer(scenario, { name: 'bob', toolsets: ['document'] });
  cid = await makePlayer(scenario, { name: 'cid', toolsets: ['document'] });
  press = await makeCrew(scenario, { ann, bob, cid });
});
afterAll(() => scenario?.end());
beforeEach(() => scenario.provider.otherwise(text('no play')));

const toolNames = ['delegate_ann', 'delegate_bob', 'delegate_cid'];
const all: [string, string][] = [
  ['ann', 'Look at A.'],
  ['bob', 'Look at B.'],
  ['cid', 'Look at C.'],
];

/** Sets the play of the crew's agents. The master's part has its name by itself. */
function act(members: Record<string, (request: Json) => Reply>, chief = master(all)): void {
  scenario.provider.otherwise(play({ ...members, [press.chief.name]: chief }));
}
const says = (words: string) => () => text(words);
/** The requests of an agent's model from the `from`th on. */
const requestsOf = (name: string, from: number): Json[] =>
  scenario.provider.requests
    .slice(from)
    .filter((one) => wireSystem(one).includes(`I am agent ${name}.`));
const countOf = (): number => scenario.provider.requests.length;
const ask = (body: Json = {}): Promise<Json> =>
  chat(scenario.admin, { crew: press.crew.name, ...body });

describe('a crew', () => {
  it('delegates to three members side by side and answers; the tree is in its events and its record', async () => {
    const from = countOf();
    act({ ann: says('A is red.'), bob: says('B is blue.'), cid: says('C is green.') });
    const events = await streamChat(scenario.admin, { crew: press.crew.name });
    expect(events.at(-1)?.data).toMatchObject({ type: 'run-end', status: 'completed' });
    const starts = events.filter(({ event }) => event === 'delegate-start').map(({ data }) => data);
    const ends = events.filter(({ event }) => event === 'delegate-end').map(({ data }) => data);
    expect(starts.map(({ toolCallId, member }) => [toolCallId, member]).toSorted()).toEqual([
      ['call_0', 'ann'],
      ['call_1', 'bob'],
      ['call_2', 'cid'],
    ]);
    const children = await childrenOf(scenario, events[0]?.data.runId);
    expect(children).toHaveLength(3);
    for (const { runId, status, source, crew, parentRunId } of children) {
      expect([status, source, crew, parentRunId]).toEqual([
        'completed',
        'crew',
        press.crew.name,
        events[0]?.data.runId,
      ]);
      expect(starts.map(({ childRunId }) => childRunId)).toContain(runId);
      expect(ends).toContainEqual(expect.objectContaining({ childRunId: runId, status }));
    }
    expect(new Set(children.map(({ sessionId }) => sessionId)).size).toBe(3);
    const [first, last] = requestsOf(press.chief.name, from);
    expect(wireTools(first)).toEqual(toolNames);
    expect(wireSystem(first)).toContain(`You lead the crew ${press.crew.name}`);
    expect(resultsIn(last)).toEqual([
      expect.stringMatching(/^\[ann, run .+\]\nA is red\.$/),
      expect.stringContaining('B is blue.'),
      expect.stringContaining('C is green.'),
    ]);
  });

  it('gives a member its task, its circumstances in layer 3, its own tools and none that delegate', async () => {
    const from = countOf();
    const args = { task: 'Look at A.', context: 'A is a rock.', expected_output: 'One word.' };
    act({ ann: says('Grey.') }, (request) =>
      hasResults(request)
        ? text('Done.')
        : calls({ name: 'delegate_ann', arguments: JSON.stringify(args) }),
    );
    const { runId, sessionId } = await ask({ message: 'What is A like?' });
    const [request] = requestsOf('ann', from);
    expect(wireTools(request)).toEqual(['listen', 'look']);
    expect(request?.body.messages.at(-1)).toMatchObject({ role: 'user', content: 'Look at A.' });
    const [, context = ''] = wireSystem(request).split('# Execution Context');
    const order = [
      runId,
      'What is A like?',
      'delegated worker',
      '## Constraints',
      'A is a rock.',
      'One word.',
    ];
    expect(order.map((words) => context.indexOf(words))).toEqual(
      order.map((words) => context.indexOf(words)).toSorted((a, b) => a - b),
    );
    expect(order.filter((words) => !context.includes(words))).toEqual([]);
    expect(wireSystem(request)).toContain(`Parent session: ${sessionId}`);
  });

  it('remembers what was said, and keeps the sessions of its members out of the list', async () => {
    act({}, says('Noted.'));
    const { sessionId } = await ask({ message: 'My name is Eve.' });
    const from = countOf();
    act({ ann: says('A.'), bob: says('B.'), cid: says('C.') });
    expect((await ask({ sessionId })).sessionId).toBe(sessionId);
    expect(JSON.stringify(requestsOf(press.chief.name, from)[0]?.body.messages)).toContain('Eve');
    const { data } = await scenario.admin.get('/api/netaclaw/sessions?size=200');
    expect(data.list.find((one: Json) => one.sessionId === sessionId)).toMatchObject({
      crew: press.crew.name,
      agent: press.chief.name,
    });
    expect(data.list.filter(({ agent }: Json) => ['ann', 'bob', 'cid'].includes(agent))).toEqual(
      [],
    );
    const everyone = await scenario.admin.ask('/admin/netaclaw/session/page', { agent: 'ann' });
    expect(everyone.list).toEqual([]);
  });

  it('is deleted as a session with all that its members did', async () => {
    act({ ann: says('A.'), bob: says('B.'), cid: says('C.') });
    const { sessionId, runId } = await ask();
    const children = await childrenOf(scenario, runId);
    expect((await scenario.admin.delete(`/api/netaclaw/sessions/${sessionId}`)).data).toEqual({
      deleted: 1,
    });
    const runs = (await scenario.app.get(Database)).repository(NetaClawRunEntity);
    const left = await Promise.all(
      [runId, ...children.map((one) => one.runId)].map((id) => runs.existsBy({ id })),
    );
    expect(left).toEqual([false, false, false, false]);
  });

  it.each([
    [{}, 'agent'],
    [{ agent: 'ann', crew: 'x' }, 'crew'],
    [{ crew: 'nobody' }, 'crew'],
  ])('named as %j is refused with the path', async (body, path) => {
    const { status, body: answer } = await scenario.admin.post('/api/netaclaw/chat', {
      message: 'Hi',
      ...body,
    });
    expect([status, answer.details.map((one: Json) => one.path)]).toEqual([400, [path]]);
  });

  it('that is turned off is refused, and its runs are found by it and by their parent', async () => {
    const { crew, chief } = await makeCrew(scenario, { ann });
    scenario.provider.otherwise(
      play({ [chief.name]: master([['ann', 'Go.']]), ann: says('Gone.') }),
    );
    const { runId } = await chat(scenario.admin, { crew: crew.name });
    const page = (filter: Json) => scenario.admin.ask('/admin/netaclaw/run/page', filter);
    expect((await page({ crew: crew.name })).pagination.total).toBe(2);
    expect((await page({ parentRunId: runId })).list).toMatchObject([{ agent: 'ann' }]);
    await scenario.admin.ask('/admin/netaclaw/crew/update', { id: crew.id, version: 1, status: 0 });
    const { status, body } = await scenario.admin.post('/api/netaclaw/chat', {
      crew: crew.name,
      message: 'Hi',
    });
    expect([status, body.message]).toEqual([400, expect.stringContaining('turned off')]);
  });
});

describe('governance in a crew', () => {
  it('offers the same tools in the run and the preview, as master, member and alone', async () => {
    const { admin } = scenario;
    const from = countOf();
    act({ ann: says('A.'), bob: says('B.'), cid: says('C.') });
    await ask();
    await chat(admin, { agent: press.chief.name });
    await chat(admin, { agent: 'ann' });
    const [asMaster, , alone] = requestsOf(press.chief.name, from);
    const [asMember, byItself] = requestsOf('ann', from);
    const preview = async (body: Json) =>
      (await admin.ask('/admin/netaclaw/agent/previewPrompt', body)).toolNames;
    const crewId = press.crew.id;
    expect(wireTools(asMaster)).toEqual(
      await preview({ id: press.chief.id, crewId, crewRole: 'master' }),
    );
    expect(wireTools(asMaster)).toEqual(await preview({ id: press.chief.id, crewId }));
    expect(wireTools(alone)).toEqual(await preview({ id: press.chief.id }));
    expect(wireTools(asMember)).toEqual(await preview({ id: ann.id, crewId, crewRole: 'sub' }));
    expect(wireTools(byItself)).toEqual(await preview({ id: ann.id }));
    expect([wireTools(alone), wireTools(asMember)]).toEqual([[], ['listen', 'look']]);
  });

  it('refuses a preview as what the agent is not, and a role without a crew', async () => {
    const crewId = press.crew.id;
    const bodies: [Json, string][] = [
      [{ id: ann.id, crewId, crewRole: 'master' }, 'crewRole'],
      [{ id: press.chief.id, crewId, crewRole: 'sub' }, 'crewRole'],
      [{ draft: { name: 'x' }, crewId }, 'crewRole'],
      [{ id: ann.id, crewRole: 'sub' }, 'crewId'],
      [{ id: ann.id, crewId: 99_999 }, 'crewId'],
    ];
    for (const [body, path] of bodies) {
      const answer = await scenario.admin.post('/admin/netaclaw/agent/previewPrompt', body);
      expect([answer.status, answer.body.details[0].path]).toEqual([400, path]);
    }
  });

  it('a call of a delegate tool by a member, or by the master alone, runs nothing', async () => {
    const before = countOf();
    const tries = (request: Json): Reply =>
      hasResults(request)
        ? text('So be it.')
        : calls({ name: 'delegate_bob', arguments: '{"task":"x"}' });
    act({ ann: tries, bob: says('never') }, master([['ann', 'Pass it on.']]));
    await ask();
    expect(resultsIn(requestsOf('ann', before)[1])[0]).toMatch(/Nothing was executed/);
    act({ bob: says('never') }, tries);
    const alone = await chat(scenario.admin, { agent: press.chief.name });
    expect(alone.toolCalls[0].status).toBe('refused');
    expect(requestsOf('bob', before)).toEqual([]);
  });

  it("a caller's denyTools go down to every member, and take members away", async () => {
    const from = countOf();
    act({ ann: says('A.'), bob: says('B.'), cid: says('C.') });
    const { disabledReasons } = await ask({ denyTools: ['look', 'delegate_cid'] });
    expect(wireTools(requestsOf(press.chief.name, from)[0])).toEqual([
      'delegate_ann',
      'delegate_bob',
    ]);
    expect(disabledReasons).toContainEqual(
      expect.objectContaining({ name: 'delegate_cid', reason: 'caller_removed' }),
    );
    expect(['ann', 'bob', 'cid'].map((name) => requestsOf(name, from).map(wireTools))).toEqual([
      [['listen']],
      [['listen']],
      [],
    ]);
  });

  it('reaches a member at its next model turn when a tool is turned off', async () => {
    const from = countOf();
    const looks = (request: Json): Reply => {
      if (hasResults(request)) return text('Seen.');
      return async (response, recorded) => {
        await updateTool(scenario.admin, 'listen', { status: 0 });
        await calls({ name: 'listen' }, { name: 'look' })(response, recorded);
      };
    };
    act({ ann: looks }, master([['ann', 'Look.']]));
    await ask();
    await updateTool(scenario.admin, 'listen', { status: 1 });
    const [first, second] = requestsOf('ann', from);
    expect([wireTools(first), wireTools(second)]).toEqual([['listen', 'look'], ['look']]);
    expect(resultsIn(second)).toEqual([expect.stringContaining('global_disabled'), 'done']);
  });

  it('leaves out a member whose agent is turned off, with the reason', async () => {
    const dan = await makePlayer(scenario, { name: 'dan', status: 0 });
    const { crew, chief } = await makeCrew(scenario, { dan, ann });
    const { toolNames: names, disabledReasons } = await scenario.admin.ask(
      '/admin/netaclaw/agent/previewPrompt',
      { id: chief.id, crewId: crew.id },
    );
    expect([names, disabledReasons]).toEqual([
      ['delegate_ann'],
      [
        {
          name: 'delegate_dan',
          reason: 'source_unavailable',
          detail: expect.stringContaining('dan is turned off'),
        },
      ],
    ]);
  });
});

describe('a member that does not come to an answer', () => {
  const reportOf = async (member: (request: Json) => Reply): Promise<Json> => {
    const from = countOf();
    act({ ann: member, bob: says('B.') }, master(all.slice(0, 2)));
    const answer = await ask();
    const [, last] = requestsOf(press.chief.name, from);
    const children = await childrenOf(scenario, answer.runId);
    return {
      answer,
      results: resultsIn(last),
      statuses: children.map(({ status }) => status).toSorted(),
    };
  };

  it.each<[string, (request: Json) => Reply, RegExp]>([
    [
      'that fails',
      () => failure(400, 'the model is on strike'),
      /It failed: .*on strike.*not done/,
    ],
    ['that says nothing', says(''), /neither text nor a tool call.*not done/],
  ])('%s is reported as failed, and the others as done', async (_what, member, sentence) => {
    const { answer, results, statuses } = await reportOf(member);
    expect(results).toEqual([expect.stringMatching(sentence), expect.stringContaining('B.')]);
    expect(statuses).toEqual(['completed', 'failed']);
    expect(answer.toolCalls.map(({ status }: Json) => status)).toEqual(['error', 'ok']);
    expect(answer.status).toBe('completed');
  });

  it('that runs out of time is stopped and reported so, while its master goes on', async () => {
    const eve = await makePlayer(scenario, { name: 'eve', limits: { runTimeoutMs: 1000 } });
    const { crew, chief } = await makeCrew(scenario, { eve });
    scenario.provider.otherwise(
      play({ [chief.name]: master([['eve', 'Wait.']], 'Without eve.'), eve: () => stall }),
    );
    const from = countOf();
    const answer = await chat(scenario.admin, { crew: crew.name });
    expect([answer.status, answer.reply, answer.toolCalls[0].status]).toEqual([
      'completed',
      'Without eve.',
      'error',
    ]);
    expect(resultsIn(requestsOf(chief.name, from)[1])[0]).toMatch(/longer than 1 s.*not done/);
  });

  it('has its time within that of its master, which keeps some to answer', async () => {
    const chief = await makePlayer(scenario, { toolsets: [], limits: { runTimeoutMs: 2000 } });
    const crew = await scenario.admin.ask('/admin/netaclaw/crew/add', {
      name: 'hasty',
      masterAgentId: chief.id,
      members: [{ agentId: ann.id }],
    });
    scenario.provider.otherwise(
      play({ [chief.name]: master([['ann', 'Wait.']], 'In time.'), ann: () => stall }),
    );
    const answer = await chat(scenario.admin, { crew: crew.name });
    expect([answer.status, answer.reply]).toEqual(['completed', 'In time.']);
    const [child] = await childrenOf(scenario, answer.runId);
    expect([child?.status, child?.error]).toEqual([
      'failed',
      expect.stringContaining('longer than'),
    ]);
  });

  it('that is cancelled by itself is reported so', async () => {
    act({ ann: () => stall }, master([['ann', 'Wait.']]));
    const turn = await openChat(scenario.admin, { crew: press.crew.name });
    const { data } = await turn.until('delegate-start');
    await scenario.admin.ask('/admin/netaclaw/run/cancel', { id: data.childRunId });
    await turn.ended;
    const result = turn.events.find(({ event }) => event === 'tool-result');
    expect(result?.data).toMatchObject({
      status: 'error',
      preview: expect.stringContaining('cancelled'),
    });
    expect(turn.events.at(-1)?.data.status).toBe('completed');
  });
});

it('cancelling a crew ends its members, and the answer comes when all are stored', async () => {
  act({ ann: () => stall, bob: () => stall, cid: says('C.') });
  const turn = await openChat(scenario.admin, { crew: press.crew.name });
  const { data } = await turn.until('delegate-end');
  await scenario.admin.post(`/api/netaclaw/runs/${data.runId}/cancel`);
  const children = await childrenOf(scenario, data.runId);
  expect(children.map(({ agent, status }) => [agent, status]).toSorted()).toEqual([
    ['ann', 'cancelled'],
    ['bob', 'cancelled'],
    ['cid', 'completed'],
  ]);
  await turn.ended;
  const types = typesOf(turn.events);
  expect(types.filter((type) => type === 'delegate-end')).toHaveLength(3);
  expect(types.at(-1)).toBe('run-end');
  expect(turn.events.at(-1)?.data.status).toBe('cancelled');
  act({}, says('Here again.'));
  expect((await ask({ sessionId: data.sessionId })).reply).toBe('Here again.');
});

it('the third identical delegation is answered with a note instead of a run', async () => {
  const from = countOf();
  act(
    { ann: says('A.') },
    master([
      ['ann', 'Same.'],
      ['ann', 'Same. '],
      ['ann', ' same.'],
      ['ann', 'Other.'],
    ]),
  );
  const { runId } = await ask();
  expect(await childrenOf(scenario, runId)).toHaveLength(3);
  expect(resultsIn(requestsOf(press.chief.name, from)[1])[2]).toMatch(/twice already/);
});

it('a long answer of a member is cut, and lies whole where its master can read it', async () => {
  const chief = await makePlayer(scenario, { toolsets: ['base'], runtime: 'local' });
  const crew = await scenario.admin.ask('/admin/netaclaw/crew/add', {
    name: 'wordy',
    masterAgentId: chief.id,
    members: [{ agentId: ann.id }],
  });
  const from = countOf();
  const long = `${'word '.repeat(10_000)}end`;
  scenario.provider.otherwise(play({ [chief.name]: master([['ann', 'Talk.']]), ann: says(long) }));
  await chat(scenario.admin, { crew: crew.name });
  const [result = ''] = resultsIn(requestsOf(chief.name, from)[1]);
  expect(result.length).toBeLessThan(17 * 1024);
  expect(result).toMatch(/were cut here\. What the tool returned is in tool-results\/.+\.txt/);
  expect(result.endsWith('end')).toBe(true);
});

describe('a member that leads a crew of its own', () => {
  it.each([
    [1, []],
    [2, ['delegate_bob']],
  ])('with a depth of %i is offered %j of it', async (maxDepth, offered) => {
    const { crew: inner, chief: lead } = await makeCrew(scenario, { bob });
    const { crew, chief } = await makeCrew(scenario, { lead }, { maxDepth });
    const from = countOf();
    const onward = (request: Json): Reply =>
      wireTools(request).length === 0 || hasResults(request)
        ? text('Led.')
        : calls({ name: 'delegate_bob', arguments: '{"task":"Deep."}' });
    scenario.provider.otherwise(
      play({ [chief.name]: master([['lead', 'Lead.']]), [lead.name]: onward, bob: says('Deep.') }),
    );
    const { runId, status } = await chat(scenario.admin, { crew: crew.name });
    expect(status).toBe('completed');
    expect(wireTools(requestsOf(lead.name, from)[0])).toEqual(offered);
    const [child] = await childrenOf(scenario, runId);
    expect(child?.crew).toBe(maxDepth > 1 ? inner.name : crew.name);
    expect(await childrenOf(scenario, child?.runId)).toHaveLength(offered.length);
  });
});

describe('who may use a crew', () => {
  it('viewers may not, operators may, a key only when it names the crew; its role reaches the members', async () => {
    const { app, admin } = scenario;
    const { client: viewer } = await addPerson(app, admin, {
      username: 'crew-viewer',
      role: 'viewer',
    });
    const { client: operator } = await addPerson(app, admin, {
      username: 'crew-operator',
      role: 'operator',
    });
    const named = await makeKey(admin, { agents: [`crew:${press.crew.name}`] });
    const other = await makeKey(admin, { agents: [press.chief.name, 'ann'] });
    act({ ann: says('A.'), bob: says('B.'), cid: says('C.') });
    const body = { crew: press.crew.name, message: 'Hi' };
    const statuses = [];
    for (const client of [viewer, operator, named, other]) {
      statuses.push((await client.post('/api/netaclaw/chat', body)).status);
    }
    expect(statuses).toEqual([403, 200, 200, 403]);
    const direct = await named.post('/api/netaclaw/chat', { agent: 'ann', message: 'Hi' });
    expect(direct.status).toBe(403);
    const { runId } = (await named.post('/api/netaclaw/chat', body)).data;
    const [child] = await childrenOf(scenario, runId);
    const own = (await named.get(`/api/netaclaw/runs/${child?.runId}`)).data;
    expect([own.crew, own.status]).toEqual([press.crew.name, 'completed']);
    expect((await operator.get(`/api/netaclaw/runs/${child?.runId}`)).status).toBe(404);
  });

  it('a client of the OpenAI API finds it as a model and talks to it', async () => {
    const model = `crew:${press.crew.name}`;
    const key = await makeKey(scenario.admin, { agents: [model] });
    const from = countOf();
    act({ ann: says('A.'), bob: says('B.'), cid: says('C.') });
    expect((await key.get('/v1/models')).body.data.map(({ id }: Json) => id)).toEqual([model]);
    for (const path of [model, encodeURIComponent(model), '%']) {
      const answer = await key.get(`/v1/models/${path}`);
      expect(answer.body.id ?? answer.body.error.code).toBe(
        path === '%' ? 'model_not_found' : model,
      );
    }
    const messages = [{ role: 'user', content: 'Hello' }];
    const { body } = await key.post('/v1/chat/completions', { model, messages });
    expect(body).toMatchObject({ model, choices: [{ message: { content: 'All done.' } }] });
    expect(wireTools(requestsOf(press.chief.name, from)[0])).toEqual(toolNames);
    const { status, body: refused } = await key.post('/v1/chat/completions', {
      model: 'crew:nobody',
      messages,
    });
    expect([status, refused.error.code]).toEqual([404, 'model_not_found']);
  });
});

it('a hundred members run to the end, never more at once than the crew allows', async () => {
  const members: Record<string, Json> = {};
  for (let index = 0; index < 100; index += 1) {
    members[`m${index}`] = await makePlayer(scenario, { name: `m-${index}`, toolsets: [] });
  }
  const { crew, chief } = await makeCrew(scenario, members, { maxParallel: 5 });
  let running = 0;
  let most = 0;
  const works = (): Reply => async (response, request) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    await text('Done.')(response, request);
  };
  const parts = Object.fromEntries(Object.values(members).map(({ name }) => [name, works]));
  const tasks = Object.keys(members).map((name): [string, string] => [name, `Task of ${name}.`]);
  scenario.provider.otherwise(play({ ...parts, [chief.name]: master(tasks) }));
  const from = countOf();
  const answer = await chat(scenario.admin, { crew: crew.name });
  expect([answer.status, answer.reply, countOf() - from]).toEqual(['completed', 'All done.', 102]);
  expect(answer.toolCalls.filter(({ status }: Json) => status !== 'ok')).toEqual([]);
  expect([most > 1, most <= 5]).toEqual([true, true]);
  expect(await childrenOf(scenario, answer.runId)).toHaveLength(100);
}, 60_000);

it('more delegations than a turn may have are refused', async () => {
  const from = countOf();
  const tasks = Array.from({ length: 205 }, (_, index): [string, string] => [
    'ann',
    `Task ${index}.`,
  ]);
  act({ ann: says('A.') }, master(tasks));
  const { runId, toolCalls } = await ask();
  expect(toolCalls.filter(({ status }: Json) => status === 'error')).toHaveLength(5);
  expect(await childrenOf(scenario, runId)).toHaveLength(200);
  expect(resultsIn(requestsOf(press.chief.name, from)[1]).at(-1)).toMatch(/200 delegations/);
}, 60_000);
