import { allRoutes, isOpenAiPath, type Route } from '@netaclaw/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bootApp, type TestApp } from './app.js';
import { TestClient, type Json } from './client.js';

let app: TestApp;
let document: Json;

beforeAll(async () => {
  app = await bootApp();
  const answer = await new TestClient(app.url).get('/openapi.json');
  document = answer.body;
});
afterAll(async () => {
  await app?.stop();
  await app?.remove();
});

const routes = allRoutes.map(({ tag, route }) => ({
  name: `${route.method.toUpperCase()} ${route.path}`,
  tag,
  route,
}));
const pathOf = ({ path }: Route): string => path.replaceAll(/:(\w+)/g, '{$1}');
const operationOf = (route: Route): Json => document.paths[pathOf(route)]?.[route.method];

/** What a JSON pointer within the document leads to. */
const follow = (pointer: string): Json =>
  pointer
    .replace(/^#\//, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value: Json, part) => value?.[part], document);

/** Every `$ref` in a value, however deep. */
function referencesIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}

/** A schema with its reference followed. */
const resolved = (schema: Json): Json => (schema.$ref ? follow(schema.$ref) : schema);

describe('/openapi.json', () => {
  it('is an OpenAPI 3.1 document', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: expect.any(String), version: expect.any(String) },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
    expect(Object.keys(document.paths).every((path) => path.startsWith('/'))).toBe(true);
  });

  it('describes every route and no other', () => {
    const described = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.toSorted()).toEqual(
      routes.map(({ route }) => `${route.method} ${pathOf(route)}`).toSorted(),
    );
  });

  it('refers to nothing that is not there', () => {
    const references = [...new Set(referencesIn(document))];
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((reference) => follow(reference) === undefined)).toEqual([]);
  });

  it.each(routes)('says of $name who may, what goes in and what comes out', ({ route, tag }) => {
    const operation = operationOf(route);
    expect(operation).toMatchObject({ tags: [tag], summary: route.summary });
    expect(operation.security).toEqual(route.access === 'open' ? undefined : [{ bearer: [] }]);
    const answers = Object.values<Json>(operation.responses['200'].content);
    expect(answers.length).toBeGreaterThan(0);
    expect(operation.responses.default.content['application/json'].schema).toBeDefined();
  });

  // The OpenAI-compatible API is somebody else's contract and lets unknown fields pass.
  it.each(routes.filter(({ route }) => route.body !== undefined && !isOpenAiPath(route.path)))(
    'has for $name a body that is an object without room for more',
    ({ route }) => {
      const schema = resolved(operationOf(route).requestBody.content['application/json'].schema);
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    },
  );

  it.each(routes.filter(({ route }) => route.path.includes(':')))(
    'names the parameters in the path of $name',
    ({ route }) => {
      const names = operationOf(route)
        .parameters.map(resolved)
        .filter((parameter: Json) => parameter.in === 'path' && parameter.required === true)
        .map((parameter: Json) => parameter.name);
      expect(names).toEqual([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    },
  );

  it('has for the OpenAI-compatible API its own failures, and its chunks', () => {
    const { post } = document.paths['/v1/chat/completions'];
    const failure = resolved(post.responses.default.content['application/json'].schema);
    expect(Object.keys(failure.properties)).toEqual(['error']);
    const { content } = post.responses['200'];
    const objects = ['application/json', 'text/event-stream'].map(
      (type) => resolved(content[type].schema).properties.object.const,
    );
    expect(objects).toEqual(['chat.completion', 'chat.completion.chunk']);
  });

  it.each([
    ['post', '/api/netaclaw/chat', ['application/json', 'text/event-stream']],
    ['get', '/api/netaclaw/runs/{id}/events', ['text/event-stream']],
    ['post', '/v1/chat/completions', ['application/json', 'text/event-stream']],
    ['get', '/api/netaclaw/files/{id}', ['*/*']],
    ['post', '/admin/netaclaw/audit/export', ['text/csv']],
    ['get', '/metrics', ['text/plain']],
    ['get', '/health/live', ['application/json']],
  ])('says what %s %s answers with: %j', (method, path, types) => {
    const { content } = document.paths[path][method].responses['200'];
    expect(Object.keys(content)).toEqual(types);
  });

  it('has the events of a run for its streams, and bytes for its files', () => {
    const answer = (path: string, method: string): Json =>
      document.paths[path][method].responses['200'].content;
    for (const content of [
      answer('/api/netaclaw/chat', 'post'),
      answer('/api/netaclaw/runs/{id}/events', 'get'),
    ]) {
      expect(content['text/event-stream'].schema.$ref).toMatch(/^#\/components\/schemas\/RunEvent/);
    }
    const file = { type: 'string', format: 'binary' };
    expect(answer('/api/netaclaw/files/{id}', 'get')['*/*'].schema).toEqual(file);
    const { requestBody } = document.paths['/api/netaclaw/files'].post;
    expect(requestBody.required).toBe(true);
    expect(requestBody.content['multipart/form-data'].schema).toMatchObject({
      properties: { file },
      required: ['file'],
    });
  });

  it.each(routes.filter(({ route }) => route.body !== undefined))(
    'asks for the body of $name where it has required fields',
    ({ route }) => {
      const { requestBody } = operationOf(route);
      const { required = [] } = resolved(requestBody.content['application/json'].schema);
      const allowed = required.length > 0 ? [true] : [true, undefined];
      expect(allowed).toContain(requestBody.required);
    },
  );

  it('leaves a body free that may be empty', () => {
    expect(document.paths['/admin/netaclaw/tool/page'].post.requestBody.required).toBeUndefined();
  });

  it('is small enough to read and says nothing of this machine', () => {
    const text = JSON.stringify(document);
    expect(text.length).toBeLessThan(500_000);
    expect(text).not.toContain(app.dataDir);
  });
});
