import { Pool } from 'undici';
import { isHostListed, type AllowList } from './allow_list.js';
import {
  allowedAddresses,
  EgressRefused,
  pinnedConnector,
  resolveWithSystem,
  type EgressRules,
  type ResolveHost,
} from './pinned_connector.js';

export { EgressRefused } from './pinned_connector.js';

/** Limits of a small download. `timeoutMs` is for all of it, redirects included. */
export interface DownloadLimits {
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** What was downloaded, whatever its status; `url` is where the last redirect led. */
export interface Download {
  url: string;
  status: number;
  contentType: string;
  body: Buffer;
}

const MAX_REDIRECTS = 5;
const MAX_POOLS = 256;

/**
 * The one client for addresses that a person can set. What it may reach is decided when a connection
 * is made, for the address that the connection then uses; kept connections are not asked again.
 */
export class EgressClient {
  private readonly rules: EgressRules;
  private readonly pools = new Map<string, Pool>();

  constructor(options: { allow: AllowList; resolve?: ResolveHost }) {
    this.rules = { allow: options.allow, resolve: options.resolve ?? resolveWithSystem };
  }

  /**
   * Looks whether an address may be used, for the moment when a person sets it. Throws `EgressRefused`
   * with a sentence. A name that does not resolve now is let pass: the connection is checked anyway.
   */
  async check(url: string): Promise<void> {
    const { hostname, port } = addressOf(parseEgressUrl(url));
    if (isHostListed(hostname, port, this.rules.allow)) return;
    try {
      await allowedAddresses(hostname, port, this.rules);
    } catch (error) {
      if (error instanceof EgressRefused) throw error;
    }
  }

  /**
   * The kept, pinned connections of a URL's origin; use them at once and do not keep the pool.
   * A refused address shows as an `EgressRefused` of the request. It follows no redirects.
   */
  pool(url: URL): Pool {
    return this.pools.get(url.origin) ?? this.openPool(url);
  }

  /**
   * Downloads something small by GET. Every redirect is checked like the first address, at most five
   * are followed. Throws `EgressRefused`, the signal's reason, a `TimeoutError`, or what broke.
   */
  async get(url: string, limits: DownloadLimits): Promise<Download> {
    const timeout = AbortSignal.timeout(limits.timeoutMs);
    const signal = limits.signal ? AbortSignal.any([limits.signal, timeout]) : timeout;
    let next = parseEgressUrl(url);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const step = await this.getOnce(next, limits.maxBytes, signal);
      if (!('redirect' in step)) return step;
      next = step.redirect;
    }
    throw new EgressRefused(`${next.host} was not asked: more than ${MAX_REDIRECTS} redirects`);
  }

  /** Ends all connections; running requests are broken off. */
  async close(): Promise<void> {
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  private openPool(url: URL): Pool {
    const { origin } = parseEgressUrl(url.href);
    const connect = pinnedConnector(this.rules, addressOf(url).port);
    const pool = new Pool(origin, { connect });
    this.pools.set(origin, pool);
    this.dropOldestPool();
    return pool;
  }

  /** People can set any number of origins. The oldest pool goes; its running requests still finish. */
  private dropOldestPool(): void {
    if (this.pools.size <= MAX_POOLS) return;
    const [oldest] = this.pools;
    if (!oldest) return;
    this.pools.delete(oldest[0]);
    void oldest[1].close();
  }

  private async getOnce(
    url: URL,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Download | { redirect: URL }> {
    const path = url.pathname + url.search;
    const { statusCode, headers, body } = await this.pool(url).request({
      path,
      method: 'GET',
      signal,
    });
    const location = headers['location'];
    if (isRedirect(statusCode) && typeof location === 'string') {
      await body.dump();
      return { redirect: parseEgressUrl(new URL(location, url).href) };
    }
    return {
      url: url.href,
      status: statusCode,
      contentType: String(headers['content-type'] ?? ''),
      body: await readWithin(body, maxBytes),
    };
  }
}

/** The one reader of such addresses: WHATWG, http or https, no user and password. Throws `EgressRefused`. */
export function parseEgressUrl(text: string): URL {
  if (!URL.canParse(text)) throw new EgressRefused('this is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressRefused(`the URL starts with ${url.protocol}, only http and https are allowed`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressRefused('the URL holds a user name or password; leave them out');
  }
  return url;
}

/** True for the statuses that send a client elsewhere (RFC 9110, 15.4). */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function addressOf(url: URL): { hostname: string; port: number } {
  const standard = url.protocol === 'https:' ? 443 : 80;
  return { hostname: url.hostname, port: url.port === '' ? standard : Number(url.port) };
}

async function readWithin(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
