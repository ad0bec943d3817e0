import type { Role } from '@netaclaw/contracts';
import type { TestApp } from './app.js';
import { signIn, type Json, type TestClient } from './client.js';

/** The password of everyone that a test adds. */
export const PASSWORD = 'a long enough password';

/** Adds a user and signs in as them. */
export async function addPerson(
  app: Pick<TestApp, 'url'>,
  admin: TestClient,
  { username, role }: { username: string; role: Role },
): Promise<{ user: Json; client: TestClient }> {
  const user = await admin.ask('/admin/base/user/add', { username, password: PASSWORD, role });
  return { user, client: await signIn(app, username, PASSWORD) };
}
