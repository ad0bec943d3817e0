import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

let isTrusted = proxyAddr.compile([]);

/**
 * Sets whose `X-Forwarded-For` is believed: addresses, networks in CIDR form, or `loopback`,
 * `linklocal`, `uniquelocal`. Throws `TypeError` for anything else.
 */
export function configureTrustedProxies(proxies: readonly string[]): void {
  isTrusted = proxyAddr.compile([...proxies]);
}

/**
 * The address a request came from. Behind trusted proxies it is the last one in `X-Forwarded-For` that is
 * not theirs; whatever a client wrote there itself stands before it and is not looked at.
 */
export const clientAddress = (incoming: IncomingMessage): string =>
  proxyAddr(incoming, isTrusted) ?? 'unknown';
