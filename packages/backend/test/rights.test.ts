import { allRoutes, type CallerRole, type Route } from '@netaclaw/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { classes, controllers } from '../src/classes.js';
import type { Controller } from '../src/modules/base/http/handler.js';
import { bootApp, type TestApp } from './app.js';
import { signIn, TestClient } from './client.js';
import { addPerson } from './people.js';

type Caller = 'nobody' | CallerRole;
const callers: readonly Caller[] = ['nobody', 'viewer', 'operator', 'admin', 'client'];

let app: TestApp;
const clients = new Map<Caller, TestClient>();

beforeAll(async () => {
  app = await bootApp();
  const admin = await signIn(app);
  const { key } = await admin.ask('/admin/netaclaw/apiKey/add', { name: 'rights', agents: null });
  const viewer = await addPerson(app, admin, { username: 'a-viewer', role: 'viewer' });
  const operator = await addPerson(app, admin, { username: 'an-operator', role: 'operator' });
  clients.set('nobody', new TestClient(app.url));
  clients.set('admin', admin);
  clients.set('viewer', viewer.client);
  clients.set('operator', operator.client);
  clients.set('client', new TestClient(app.url, key));
});
afterAll(async () => {
  await app?.stop();
  await app?.remove();
});

const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

/** What the table of rights says: 401, 403, or that the caller may. */
function expected({ access }: Route, caller: Caller): 'may' | 401 | 403 {
  if (access === 'open') return 'may';
  if (caller === 'nobody') return 401;
  const may = caller === 'client' ? access.keys === true : access.roles.includes(caller);
  return may ? 'may' : 403;
}

/** Asks for something that no route accepts, so that a permitted call changes nothing. */
async function ask({ method, path }: Route, client: TestClient): Promise<'may' | 401 | 403> {
  const url = path.replaceAll(/:\w+/g, '0197b2f0-0000-7000-8000-000000000000');
  const body = method === 'post' ? { notAField: true } : undefined;
  const { status } = await client.send(method.toUpperCase(), url, body);
  return status === 401 || status === 403 ? status : 'may';
}

describe('rights', () => {
  const routes = allRoutes.map(({ route }) => ({ name: nameOf(route), route }));

  it.each(routes)('of $name are as the table says, for everyone', async ({ route }) => {
    const verdicts: [Caller, string | number][] = [];
    for (const caller of callers) {
      const client = clients.get(caller);
      if (client) verdicts.push([caller, await ask(route, client)]);
    }
    expect(verdicts).toEqual(callers.map((caller) => [caller, expected(route, caller)]));
  });

  it('are refused in the common form, with a sentence', async () => {
    const viewer = await clients.get('viewer')?.post('/admin/base/user/page');
    expect([viewer?.status, viewer?.body]).toEqual([
      403,
      { code: 1103, message: 'this needs the role admin; yours is viewer' },
    ]);
  });
});

it('what controllers and services share is one object, as its scope says', async () => {
  const made = new Map<string, Set<object>>();
  const visit = (value: unknown): void => {
    const type = classes.find((each) => value instanceof each);
    if (!type || typeof value !== 'object' || value === null) return;
    const known = made.get(type.name) ?? new Set();
    if (known.has(value)) return;
    made.set(type.name, known.add(value));
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const type of controllers) visit(await app.get<object>(type));
  expect(made.size).toBeGreaterThan(controllers.length + 10);
  expect([...made].filter(([, { size }]) => size > 1).map(([name]) => name)).toEqual([]);
});

it('every route of the contracts has exactly one handler, and every handler a route', async () => {
  const instances = await Promise.all(controllers.map((type) => app.get<Controller>(type)));
  const handled = instances.flatMap(({ handlers }) => handlers.map(({ route }) => nameOf(route)));
  expect(handled.toSorted()).toEqual(allRoutes.map(({ route }) => nameOf(route)).toSorted());
});
