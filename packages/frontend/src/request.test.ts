import { agentRoutes, toolRoutes, failures } from '@netaclaw/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connection, connectionWorks } from './connection.js';
import { call, onSignInEnded } from './request.js';
import { keepTokens, readTokens } from './tokens.js';

type Reply = (url: string, init: RequestInit) => Response | Promise<Response>;

const sync = { inserted: 1, updated: 0, missing: 0, unchanged: 3, refused: [] };
const success = (data: unknown) => Response.json({ code: 1000, message: 'success', data });
const failure = (status: number, body: object) => Response.json(body, { status });
const expired = () => failure(401, { code: 1101, message: 'the token has expired' });
const tokens = (n: number) => ({
  token: `token-${n}`,
  refreshToken: `refresh-${n}`,
  expire: 1800,
  refreshExpire: 9000,
});
const tokenOf = (init: RequestInit) => new Headers(init.headers).get('authorization');

let asked: string[] = [];
function serve(reply: Reply): void {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    asked.push(url);
    return reply(url, init);
  });
}

beforeEach(() => {
  asked = [];
  localStorage.clear();
  keepTokens(tokens(1));
});
afterEach(() => {
  connectionWorks();
  vi.unstubAllGlobals();
});

describe('call', () => {
  it('answers the data of the envelope', async () => {
    serve(() => success(sync));
    await expect(call(toolRoutes.sync, { body: {} })).resolves.toEqual(sync);
  });

  it('puts the query into the address and the token into the header', async () => {
    serve((url, init) => failure(404, { code: 1104, message: `${url} ${tokenOf(init)}` }));
    await expect(call(agentRoutes.info, { query: { id: 7 } })).rejects.toThrow(
      '/admin/netaclaw/agent/info?id=7 Bearer token-1',
    );
  });

  it("throws the server's sentence, code and details", async () => {
    const body = { code: 1109, message: 'changed meanwhile', details: { current: { version: 2 } } };
    serve(() => failure(failures.conflict.status, body));
    await expect(call(toolRoutes.sync, { body: {} })).rejects.toMatchObject({
      kind: 'conflict',
      ...body,
    });
  });

  it('refuses an answer that is not as agreed', async () => {
    serve(() => success({ inserted: 'many' }));
    await expect(call(toolRoutes.sync, { body: {} })).rejects.toMatchObject({ kind: 'unexpected' });
  });

  it('says that the server is gone when nothing answers', async () => {
    serve(() => Promise.reject(new TypeError('fetch failed')));
    await expect(call(toolRoutes.sync, { body: {} })).rejects.toMatchObject({ kind: 'network' });
    expect(connection.lost.value).toBe(true);
  });
});

describe('renewal', () => {
  const renewing: Reply = (url, init) => {
    if (url.endsWith('/refreshToken')) return success(tokens(2));
    return tokenOf(init) === 'Bearer token-2' ? success(sync) : expired();
  };

  it('renews an expired token and asks again', async () => {
    serve(renewing);
    await expect(call(toolRoutes.sync, { body: {} })).resolves.toEqual(sync);
    expect(readTokens()?.refreshToken).toBe('refresh-2');
  });

  it('renews once for all requests that wait for it', async () => {
    serve(renewing);
    await Promise.all([1, 2, 3].map(() => call(toolRoutes.sync, { body: {} })));
    expect(asked.filter((url) => url.endsWith('/refreshToken'))).toHaveLength(1);
  });

  it("takes another tab's tokens instead of spending the refresh token twice", async () => {
    serve((url, init) => {
      if (tokenOf(init) === 'Bearer token-1') keepTokens(tokens(2));
      return renewing(url, init);
    });
    await call(toolRoutes.sync, { body: {} });
    expect(asked.filter((url) => url.endsWith('/refreshToken'))).toHaveLength(0);
  });

  it('waits for a new sign-in when the old one has ended, and then goes on', async () => {
    serve((url, init) => {
      if (url.endsWith('/refreshToken')) return expired();
      return tokenOf(init) === 'Bearer token-3' ? success(sync) : expired();
    });
    onSignInEnded(async () => void keepTokens(tokens(3)));
    await expect(call(toolRoutes.sync, { body: {} })).resolves.toEqual(sync);
  });
});
