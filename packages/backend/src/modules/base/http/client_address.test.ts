import type { IncomingMessage } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { clientAddress, configureTrustedProxies } from './client_address.js';

afterEach(() => configureTrustedProxies([]));

const from = (remoteAddress: string, forwarded?: string): IncomingMessage => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  // The two fields of a request that are read.
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
};

it.each([
  ['nobody is trusted', [], '10.0.0.2', '203.0.113.9', '10.0.0.2'],
  ['a trusted proxy', ['10.0.0.0/8'], '10.0.0.2', '203.0.113.9', '203.0.113.9'],
  ['a proxy by name', ['uniquelocal'], '172.18.0.5', '203.0.113.9', '203.0.113.9'],
  ['two trusted proxies', ['10.0.0.0/8'], '10.0.0.2', '203.0.113.9, 10.0.0.3', '203.0.113.9'],
  ['what a client made up', ['10.0.0.2'], '10.0.0.2', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['a stranger', ['10.0.0.2'], '203.0.113.7', '1.1.1.1', '203.0.113.7'],
  ['a trusted proxy that says nothing', ['10.0.0.2'], '10.0.0.2', undefined, '10.0.0.2'],
])('%s', (...[, trusted, remote, forwarded, expected]) => {
  configureTrustedProxies(trusted);
  expect(clientAddress(from(remote, forwarded))).toBe(expected);
});

it('refuses what is no address', () => {
  expect(() => configureTrustedProxies(['everyone'])).toThrow(TypeError);
});
