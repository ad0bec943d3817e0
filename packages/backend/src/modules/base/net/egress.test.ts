import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAllowList } from './allow_list.js';
import { EgressClient, EgressRefused, parseEgressUrl } from './egress.js';
import type { ResolveHost } from './pinned_connector.js';

let server: http.Server;
let port: number;
let answer: http.RequestListener;
const clients: EgressClient[] = [];

beforeEach(async () => {
  answer = (_request, response) => response.end('hello');
  server = http.createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  server.closeAllConnections();
  server.close();
});

function client(allow: string, resolve?: ResolveHost): EgressClient {
  const made = new EgressClient({ allow: parseAllowList(allow), ...(resolve ? { resolve } : {}) });
  clients.push(made);
  return made;
}

const limits = { maxBytes: 1000, timeoutMs: 2000 };

describe('check', () => {
  it.each([
    'http://127.0.0.1:1/v1',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost/',
  ])('refuses %s and names EGRESS_ALLOW', async (url) => {
    await expect(client('').check(url)).rejects.toThrow(/refused.*EGRESS_ALLOW/);
  });

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'http://user:word@example.com/',
    'nonsense',
  ])('refuses %s as a form', async (url) => {
    await expect(client('').check(url)).rejects.toBeInstanceOf(EgressRefused);
  });

  it('allows a listed address and a public one', async () => {
    const listed = client('127.0.0.1:11434').check('http://127.0.0.1:11434/v1');
    await expect(listed).resolves.toBeUndefined();
    const open = client('', async () => ['1.1.1.1']).check('https://api.example/v1');
    await expect(open).resolves.toBeUndefined();
  });

  it('refuses a name that stands for a private address', async () => {
    const check = client('', async () => ['10.0.0.5']).check('https://api.example/v1');
    await expect(check).rejects.toThrow(/api\.example \(10\.0\.0\.5\)/);
  });

  it('lets a name pass that does not resolve now', async () => {
    const offline = client('', () => Promise.reject(new Error('ENOTFOUND')));
    await expect(offline.check('https://later.example/')).resolves.toBeUndefined();
  });
});

describe('connections', () => {
  it('refuses an address that is not listed', async () => {
    const get = client('').get(`http://127.0.0.1:${port}/`, limits);
    await expect(get).rejects.toBeInstanceOf(EgressRefused);
  });

  it('refuses at connect what a resolver answers differently the second time', async () => {
    const answers = [['1.1.1.1'], ['127.0.0.1']];
    const rebinding = client('', async () => answers.shift() ?? ['127.0.0.1']);
    const url = `http://rebind.example:${port}/`;
    await rebinding.check(url);
    await expect(rebinding.get(url, limits)).rejects.toThrow(/rebind\.example \(127\.0\.0\.1\)/);
  });

  it('connects to the address that was checked, and asks the resolver once per connection', async () => {
    const asked: string[] = [];
    const pinned = client('127.0.0.1', async (hostname) => {
      asked.push(hostname);
      return ['127.0.0.1'];
    });
    const url = `http://models.example:${port}/`;
    const first = await pinned.get(url, limits);
    await wait(20); // the connection is free a moment after the body is
    await pinned.get(url, limits);
    expect(first.body.toString()).toBe('hello');
    expect(asked).toEqual(['models.example']);
  });

  it('leaves out the refused ones among the addresses of a name', async () => {
    const mixed = client(`127.0.0.1:${port}`, async () => ['10.255.255.1', '127.0.0.1']);
    const { status } = await mixed.get(`http://mixed.example:${port}/`, limits);
    expect(status).toBe(200);
  });

  it('keeps one pool an origin', () => {
    const made = client('127.0.0.1');
    const pool = made.pool(new URL(`http://127.0.0.1:${port}/a`));
    expect(made.pool(new URL(`http://127.0.0.1:${port}/b`))).toBe(pool);
    expect(made.pool(new URL(`http://127.0.0.1:1/`))).not.toBe(pool);
  });
});

describe('downloads', () => {
  it('follows a redirect and says where it ended', async () => {
    answer = (request, response) => {
      if (request.url === '/start') response.writeHead(302, { location: '/end?x=1' }).end('moved');
      else response.writeHead(200, { 'content-type': 'image/png' }).end('picture');
    };
    const got = await client('127.0.0.1').get(`http://127.0.0.1:${port}/start`, limits);
    expect(got).toMatchObject({
      url: `http://127.0.0.1:${port}/end?x=1`,
      status: 200,
      contentType: 'image/png',
    });
  });

  it.each(['http://169.254.169.254/', 'http://127.0.0.1:1/', 'file:///etc/passwd'])(
    'checks a redirect to %s again',
    async (location) => {
      answer = (_request, response) => response.writeHead(302, { location }).end();
      const get = client(`127.0.0.1:${port}`).get(`http://127.0.0.1:${port}/`, limits);
      await expect(get).rejects.toBeInstanceOf(EgressRefused);
    },
  );

  it('ends a circle of redirects', async () => {
    answer = (_request, response) => response.writeHead(302, { location: '/' }).end();
    const get = client('127.0.0.1').get(`http://127.0.0.1:${port}/`, limits);
    await expect(get).rejects.toThrow('redirects');
  });

  it('stops at the size limit', async () => {
    answer = (_request, response) => response.end('x'.repeat(1001));
    const get = client('127.0.0.1').get(`http://127.0.0.1:${port}/`, limits);
    await expect(get).rejects.toThrow('larger than 1000 bytes');
  });

  it('stops at the time limit and at the signal', async () => {
    answer = () => {};
    const url = `http://127.0.0.1:${port}/`;
    const late = client('127.0.0.1').get(url, { maxBytes: 10, timeoutMs: 50 });
    await expect(late).rejects.toThrow(/timeout/i);
    const signal = AbortSignal.abort(new Error('cancelled'));
    const aborted = client('127.0.0.1').get(url, { ...limits, signal });
    await expect(aborted).rejects.toThrow('cancelled');
  });
});

it('reads URLs in one way', () => {
  expect(parseEgressUrl('HTTP://ExAmple.com:80/a').href).toBe('http://example.com/a');
});
