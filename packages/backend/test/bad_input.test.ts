import http from 'node:http';
import { allRoutes, isOpenAiPath, type Route } from '@netaclaw/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Json, TestClient } from './client.js';
import { makeAgent, makeChannel, startScenario, type Scenario } from './scenario.js';

const SOME_ID = '0197b2f0-0000-7000-8000-000000000000';

let scenario: Scenario;
let admin: TestClient;

beforeAll(async () => {
  scenario = await startScenario();
  ({ admin } = scenario);
  await makeAgent(scenario, { name: 'helper' });
});
afterAll(() => scenario?.end());

const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;
const concrete = ({ path }: Route): string => path.replaceAll(/:\w+/g, SOME_ID);
const named = (routes: readonly Route[]) => routes.map((route) => ({ name: nameOf(route), route }));

const routes = allRoutes.map(({ route }) => route);
/** The OpenAI-compatible API words its refusals otherwise and lets unknown fields pass: see its own test. */
const ours = routes.filter(({ path }) => !isOpenAiPath(path));
const withBody = named(ours.filter(({ body }) => body !== undefined));
const withQuery = named(ours.filter(({ query }) => query !== undefined));
const withKey = named(ours.filter(({ params }) => params !== undefined));

const send = (route: Route, body: unknown): Promise<Answer> =>
  admin.send(route.method.toUpperCase(), concrete(route), body);

/** What a refusal of wrong input is like: 400 in the common form, with a sentence. */
const refusal = { status: 400, body: { code: 1002, message: expect.stringMatching(/\w{3}/) } };
const pathsOf = ({ body }: Answer): string[] => body.details.map(({ path }: Json) => path);

describe('every route with a body', () => {
  it.each(withBody)('$name refuses an unknown field by its name', async ({ route }) => {
    const answer = await send(route, { surprise: true });
    expect(answer).toMatchObject(refusal);
    expect(pathsOf(answer)).toContain('surprise');
  });

  it.each(withBody)('$name refuses a body that is no object', async ({ route }) => {
    for (const body of ['[]', '"text"', '7', 'null', 'true'])
      expect(await send(route, body)).toMatchObject(refusal);
  });

  it.each(withBody)(
    '$name refuses keys that reach a prototype, escaped or not',
    async ({ route }) => {
      for (const key of ['__proto__', '\\u005f\\u005fproto__', 'constructor', 'prototyp\\u0065']) {
        for (const text of [`{"${key}":{"isAdmin":true}}`, `{"a":[{"b":{"${key}":1}}]}`]) {
          const answer = await send(route, text);
          expect(answer).toMatchObject(refusal);
          expect(pathsOf(answer).join()).toMatch(/__proto__|constructor|prototype/);
        }
      }
      expect(({} as Json).isAdmin).toBeUndefined();
    },
  );

  it.each(withBody)('$name refuses a body of 2 MB', async ({ route }) => {
    const answer = await send(route, JSON.stringify({ text: 'x'.repeat(2_000_000) }));
    expect([answer.status, answer.body.code]).toEqual([413, 1113]);
  });

  it.each(withBody)('$name refuses what is no JSON', async ({ route }) => {
    for (const text of ['{', '{"a":1,}', "{'a':1}", 'a=1', '{"a":NaN}', '\u0000']) {
      expect(await send(route, text)).toMatchObject(refusal);
    }
  });
});

describe('a body', () => {
  const login = '/admin/base/open/login';
  const raw = async (
    headers: Record<string, string>,
    body: string | Uint8Array,
  ): Promise<number> => {
    const response = await fetch(admin.url + login, { method: 'POST', headers, body });
    await response.text();
    return response.status;
  };

  it('of another content type is refused', async () => {
    const body = JSON.stringify({ username: 'admin', password: 'wrong-password' });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      '',
    ]) {
      expect(await raw({ 'content-type': type }, body)).toBe(400);
    }
    expect(await raw({ 'content-type': 'application/json; charset=utf-8' }, body)).toBe(401);
  });

  it('that is nested too deep is refused, however deep', async () => {
    for (const depth of [100, 10_000, 200_000]) {
      const nested = '['.repeat(depth) + ']'.repeat(depth);
      const answer = await admin.post('/admin/netaclaw/agent/add', `{"name":${nested}}`);
      expect(answer).toMatchObject(refusal);
    }
  });

  it('that is too large is refused also when it does not say how long it is', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = http.request(
        admin.url + login,
        { method: 'POST', headers: { 'content-type': 'application/json' } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      request.on('error', reject);
      for (let part = 0; part < 20; part += 1) request.write('x'.repeat(100_000));
      request.end();
    });
    expect(status).toBe(413);
  });

  it('with bytes that are no UTF-8, or a compressed one, is refused and harms nothing', async () => {
    const type = { 'content-type': 'application/json' };
    expect(await raw(type, Buffer.from([0x7b, 0x22, 0xff, 0xfe]))).toBe(400);
    expect(await raw({ ...type, 'content-encoding': 'gzip' }, Buffer.from([31, 139, 8, 0]))).toBe(
      400,
    );
    expect((await admin.get('/health/ready')).status).toBe(200);
  });

  it('names every wrong place at once', async () => {
    const answer = await admin.post('/admin/netaclaw/agent/add', {
      name: 'Not A Slug',
      runtime: 'mainframe',
      limits: { maxToolIterations: 0, surprise: 1 },
    });
    expect(answer).toMatchObject(refusal);
    expect(pathsOf(answer).toSorted()).toEqual([
      'limits.maxToolIterations',
      'limits.surprise',
      'name',
      'runtime',
    ]);
  });
});

describe('a value of the wrong type', () => {
  it.each([
    ['/admin/netaclaw/agent/add', { name: 7 }, 'name'],
    ['/admin/netaclaw/agent/add', { name: 'a', toolsets: 'base' }, 'toolsets'],
    ['/admin/netaclaw/agent/add', { name: 'a', toolsets: [1] }, 'toolsets.0'],
    ['/admin/netaclaw/agent/add', { name: 'a', status: true }, 'status'],
    ['/admin/netaclaw/agent/page', { page: '1' }, 'page'],
    ['/admin/netaclaw/agent/page', { page: -1 }, 'page'],
    ['/admin/netaclaw/agent/page', { page: 1.5 }, 'page'],
    ['/admin/netaclaw/agent/page', { size: 1e9 }, 'size'],
    ['/admin/netaclaw/agent/page', { keyWord: {} }, 'keyWord'],
    ['/admin/netaclaw/agent/delete', { ids: [] }, 'ids'],
    ['/admin/netaclaw/agent/delete', { ids: ['1'] }, 'ids.0'],
    ['/admin/netaclaw/channel/add', { name: 'c', protocol: 'telepathy', model: 'm' }, 'protocol'],
    ['/admin/netaclaw/channel/add', { name: 'c', protocol: 'openai_chat', model: 'm' }, 'baseUrl'],
    ['/admin/netaclaw/tool/update', { id: 1, version: '1' }, 'version'],
    ['/admin/netaclaw/run/page', { from: 'yesterday' }, 'from'],
    ['/admin/netaclaw/run/cancel', { id: 'not-a-uuid' }, 'id'],
    ['/admin/netaclaw/session/delete', { ids: ['not-a-uuid'] }, 'ids.0'],
    ['/admin/netaclaw/apiKey/add', { name: 'k', agents: 'all' }, 'agents'],
    ['/api/netaclaw/chat', { agent: 'helper', message: 7 }, 'message'],
    ['/api/netaclaw/chat', { agent: 'helper', message: '' }, 'message'],
    ['/api/netaclaw/chat', { agent: 'helper', message: [] }, 'message'],
    ['/api/netaclaw/chat', { agent: 'helper', message: ' \n\t\u3000' }, 'message'],
    ['/api/netaclaw/chat', { agent: 'helper', message: [{ type: 'text', text: ' ' }] }, 'message'],
    ['/api/netaclaw/chat', { agent: 'helper', message: 'a', stream: 'yes' }, 'stream'],
    ['/api/netaclaw/chat', { agent: 'helper', message: 'a', sessionId: '1' }, 'sessionId'],
    ['/api/netaclaw/chat', { agent: 'helper', message: 'a', denyTools: 'bash' }, 'denyTools'],
    ['/api/netaclaw/chat', { message: 'a' }, 'agent'],
    ['/api/netaclaw/chat', { agent: 'nobody', message: 'a' }, 'agent'],
  ])('%s %j is refused at its path', async (path, body, wrong) => {
    const answer = await admin.post(path, body);
    expect(answer).toMatchObject(refusal);
    expect(pathsOf(answer)).toContain(wrong);
  });
});

describe('an agent that cannot be spoken to', () => {
  it('without a channel is refused at its path', async () => {
    const agent = await makeAgent(scenario, { channelId: null });
    const answer = await admin.post('/api/netaclaw/chat', { agent: agent.name, message: 'a' });
    expect(answer).toMatchObject(refusal);
    expect(pathsOf(answer)).toEqual(['agent']);
    expect(answer.body.message).toMatch(/has no model channel/);
  });

  it('because its channel is turned off is refused at its path', async () => {
    const channel = await makeChannel(admin, { baseUrl: scenario.provider.baseUrl, status: 0 });
    const agent = await makeAgent({ admin, channel });
    const answer = await admin.post('/api/netaclaw/chat', { agent: agent.name, message: 'a' });
    expect(answer).toMatchObject(refusal);
    expect(pathsOf(answer)).toEqual(['agent']);
    expect(answer.body.message).toMatch(/is turned off/);
  });
});

describe('every route with a query', () => {
  it.each(withQuery)('$name refuses an unknown parameter by its name', async ({ route }) => {
    const answer = await admin.get(`${concrete(route)}?surprise=1`);
    expect(answer).toMatchObject(refusal);
    expect(pathsOf(answer)).toContain('surprise');
  });

  it.each(withQuery)('$name refuses a parameter that is given twice', async ({ route }) => {
    const known = Object.keys(shapeOf(route));
    for (const name of known) {
      const answer = await admin.get(`${concrete(route)}?${name}=1&${name}=2`);
      expect(answer).toMatchObject(refusal);
      expect(pathsOf(answer)).toContain(name);
    }
  });

  it.each(['-1', '0', '1.5', 'x', '', '1e999', '99999999999999999999'])(
    'refuses the number %j',
    async (value) => {
      for (const path of [
        `/admin/netaclaw/agent/info?id=${value}`,
        `/api/netaclaw/sessions?page=${value}`,
        `/api/netaclaw/sessions?size=${value}`,
      ]) {
        expect(await admin.get(path)).toMatchObject(refusal);
      }
    },
  );
});

const shapeOf = ({ query }: Route): object =>
  query !== undefined && 'shape' in query && typeof query.shape === 'object'
    ? (query.shape ?? {})
    : {};

describe('every route with a key in its path', () => {
  it.each(withKey)('$name refuses what is no UUID', async ({ route }) => {
    for (const id of ['1', 'x', `${SOME_ID}0`, '%00', "'%20OR%201=1", '%E0%A4%A']) {
      const path = route.path.replaceAll(/:\w+/g, id);
      const answer = await admin.send(route.method.toUpperCase(), path);
      expect([path, answer.status]).toEqual([path, 400]);
    }
  });
});

describe('a request', () => {
  it('for what is not there is 404, whatever the method', async () => {
    const answers = await Promise.all([
      admin.get('/admin/netaclaw/nothing/page'),
      admin.send('PUT', '/admin/netaclaw/agent/add', {}),
      admin.get('/admin/netaclaw/agent/add'),
      admin.post('/admin/netaclaw/agent/add/'),
    ]);
    expect(answers.map(({ status, body }) => [status, body?.code])).toEqual(
      answers.map(() => [404, 1104]),
    );
  });

  it('for a file outside of the console gets none', async () => {
    const { hostname, port } = new URL(admin.url);
    const climb = '../'.repeat(12);
    for (const path of [
      `/${climb}etc/passwd`,
      `/assets/${climb}etc/passwd`,
      `/${climb.replaceAll('.', '%2e')}etc/passwd`,
      '/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
    ]) {
      const text = await new Promise<string>((resolve, reject) => {
        http
          .get({ hostname, port, path }, async (response) => {
            resolve((await response.toArray()).join(''));
          })
          .on('error', reject);
      });
      expect(text).not.toContain('root:');
    }
  });

  it('tells nothing of the inside when it is refused', async () => {
    const answers = await Promise.all([
      admin.post('/admin/netaclaw/agent/page', { keyWord: "'; DROP TABLE netaclaw_agent; --" }),
      admin.post('/admin/netaclaw/agent/page', { keyWord: '%_\\!' }),
      admin.get('/admin/netaclaw/agent/info?id=2147483648'),
      admin.get('/admin/netaclaw/agent/info?id=9007199254740991'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
    const everything = answers.map(({ text }) => text).join('');
    expect(everything).not.toMatch(/node_modules|SQLITE|QueryFailed|\bat \/|\.ts:/);
  });
});
