import { bootApp, type TestApp } from './app.js';
import { signIn, TestClient, type Json } from './client.js';
import { startScriptedProvider, type ScriptedProvider } from './scripted_provider.js';

/** A running application, its first user, and a scripted model behind a channel. */
export interface Scenario {
  app: TestApp;
  admin: TestClient;
  provider: ScriptedProvider;
  channel: Json;
  end(): Promise<void>;
}

/** Boots the application and a model for it. Commands run without isolation, so that it needs no bubblewrap. */
export async function startScenario(settings: Record<string, string> = {}): Promise<Scenario> {
  const app = await bootApp({ LOCAL_ISOLATION: 'none', ...settings });
  const provider = await startScriptedProvider();
  const admin = await signIn(app);
  const channel = await makeChannel(admin, { baseUrl: provider.baseUrl });
  return {
    app,
    admin,
    provider,
    channel,
    async end() {
      await app.stop();
      await provider.close();
      await app.remove();
    },
  };
}

let count = 0;
const freshName = (kind: string): string => `${kind}-${++count}`;

/** Adds a channel that speaks `openai_chat`; its name is made up unless given. */
export const makeChannel = (admin: TestClient, fields: Json): Promise<Json> =>
  admin.ask('/admin/netaclaw/channel/add', {
    name: freshName('channel'),
    protocol: 'openai_chat',
    model: 'scripted',
    ...fields,
  });

/** Adds an agent on the scenario's channel; its name is made up unless given. */
export const makeAgent = (
  { admin, channel }: Pick<Scenario, 'admin' | 'channel'>,
  fields: Json = {},
): Promise<Json> =>
  admin.ask('/admin/netaclaw/agent/add', {
    name: freshName('agent'),
    channelId: channel.id,
    ...fields,
  });

/** Adds an API key and answers a client that uses it. */
export async function makeKey(admin: TestClient, fields: Json = {}): Promise<TestClient> {
  const body = { name: freshName('key'), agents: null, ...fields };
  const { key } = await admin.ask('/admin/netaclaw/apiKey/add', body);
  return new TestClient(admin.url, key);
}

/** One turn, answered whole; fails the test when no run began. */
export const chat = (client: TestClient, body: Json): Promise<Json> =>
  client.ask('/api/netaclaw/chat', { message: 'Hello', ...body });

/** A tool's row by its name. */
export async function toolRow(admin: TestClient, name: string): Promise<Json> {
  const rows: Json[] = await admin.ask('/admin/netaclaw/tool/all');
  const row = rows.find((tool) => tool.name === name);
  if (!row) throw new Error(`there is no row for the tool ${name}`);
  return row;
}

/** Changes a tool's operator fields, from its current version. */
export async function updateTool(admin: TestClient, name: string, fields: Json): Promise<Json> {
  const { id, version } = await toolRow(admin, name);
  return admin.ask('/admin/netaclaw/tool/update', { id, version, ...fields });
}

/** The newest audit rows of a target. */
export async function auditOf(admin: TestClient, target: string, action?: string): Promise<Json[]> {
  const body = { target, ...(action === undefined ? {} : { action }) };
  return (await admin.ask('/admin/netaclaw/audit/page', body)).list;
}

/** The names in a request's `tools`, as the model got it. */
export const wireTools = (request: Json): string[] =>
  (request?.body.tools ?? []).map((tool: Json) => tool.function.name);

/** The system prompt of a request, as the model got it. */
export const wireSystem = (request: Json): string => String(request?.body.messages[0].content);
