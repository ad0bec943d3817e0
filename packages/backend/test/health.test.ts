import { afterAll, beforeAll, expect, it } from 'vitest';
import { bootApp, type TestApp } from './app.js';
import { TestClient } from './client.js';

let app: TestApp;
beforeAll(async () => {
  app = await bootApp();
});
afterAll(async () => {
  await app?.stop();
  await app?.remove();
});

it('says that it lives', async () => {
  const answer = await new TestClient(app.url).get('/health/live');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: 'live' });
});
