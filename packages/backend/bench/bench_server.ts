import { startChild, type Child } from './child.js';

const PASSWORD = 'bench-password-long';

/** The real server in a process of its own, with a catalog of so many tools. */
export const startBenchServer = (dataDir: string, tools: number): Promise<Child> =>
  startChild('./server.ts', [String(tools)], {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    PORT: '0',
    LOG_LEVEL: 'warn',
    ADMIN_PASSWORD: PASSWORD,
    EGRESS_ALLOW: '127.0.0.1',
    CHAT_RATE_LIMIT: '100000000',
    NODE_ENV: 'production',
  });

type Ask = (path: string, body: unknown) => Promise<{ id: number; token: string }>;

/** Signs in and makes a channel to the model. */
export async function signInAtBench(
  server: Child,
  model: Child,
): Promise<{ ask: Ask; token: string; channelId: number }> {
  let token = '';
  const ask: Ask = async (path, body) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text).data;
  };
  const signedIn = await ask('/admin/base/open/login', { username: 'admin', password: PASSWORD });
  token = signedIn.token;
  const channel = await ask('/admin/netaclaw/channel/add', {
    name: 'bench',
    protocol: 'openai_chat',
    baseUrl: `${model.url}/v1`,
    model: 'bench',
  });
  return { ask, token, channelId: channel.id };
}
