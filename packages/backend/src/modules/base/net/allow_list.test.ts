import { describe, expect, it } from 'vitest';
import { decideEgress, isHostListed, parseAllowList } from './allow_list.js';

const decide = (address: string, allow = '') =>
  decideEgress({ hostname: 'host.example', port: 443, address }, parseAllowList(allow)).allowed;

describe('addresses without a list', () => {
  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '100.63.255.255',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '64:ff9b::808:808',
    '::ffff:8.8.8.8',
  ])('allows the public address %s', (address) => {
    expect(decide(address)).toBe(true);
  });

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback beyond .1', '127.8.8.8'],
    ['loopback of IPv6', '::1'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['unspecified of IPv6', '::'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['metadata', '169.254.169.254'],
    ['link-local of IPv6', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['multicast', '224.0.0.1'],
    ['multicast of IPv6', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation of IPv6', '2001:db8::1'],
    ['unique-local', 'fd00::1'],
    ['metadata of IPv6', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped metadata in hex', '::ffff:a9fe:a9fe'],
    ['compatible loopback', '::127.0.0.1'],
    ['NAT64 of a private address', '64:ff9b::a00:1'],
    ['local NAT64', '64:ff9b:1::1'],
    ['6to4 of a private address', '2002:a00:1::1'],
    ['Teredo', '2001:0:a00:1::1'],
    ['translated (SIIT)', '::ffff:0:10.0.0.1'],
    ['no address at all', 'localhost'],
  ])('refuses %s: %s', (_kind, address) => {
    expect(decide(address)).toBe(false);
  });
});

describe('the list', () => {
  it.each([
    { what: 'an address', list: '10.0.0.1', address: '10.0.0.1', allowed: true },
    { what: 'another address', list: '10.0.0.1', address: '10.0.0.2', allowed: false },
    { what: 'a range', list: '10.0.0.0/8', address: '10.9.9.9', allowed: true },
    { what: 'outside the range', list: '10.0.0.0/8', address: '11.0.0.1', allowed: true },
    {
      what: 'outside the range, private',
      list: '10.0.0.0/8',
      address: '192.168.0.1',
      allowed: false,
    },
    { what: 'a port', list: '127.0.0.1:443', address: '127.0.0.1', allowed: true },
    { what: 'another port', list: '127.0.0.1:11434', address: '127.0.0.1', allowed: false },
    { what: 'IPv6 in brackets with a port', list: '[::1]:443', address: '::1', allowed: true },
    {
      what: 'IPv6 in brackets with another port',
      list: '[::1]:80',
      address: '::1',
      allowed: false,
    },
    { what: 'bare IPv6', list: 'fd00::5', address: 'fd00::5', allowed: true },
    { what: 'an IPv6 range', list: 'fd00::/8', address: 'fd12::1', allowed: true },
    {
      what: 'a mapped address by its IPv4 entry',
      list: '127.0.0.1',
      address: '::ffff:127.0.0.1',
      allowed: true,
    },
    { what: 'a host', list: 'HOST.example.', address: '10.1.1.1', allowed: true },
    { what: 'a host with a port', list: 'host.example:443', address: '10.1.1.1', allowed: true },
    {
      what: 'a host with another port',
      list: 'host.example:80',
      address: '10.1.1.1',
      allowed: false,
    },
    { what: 'a part of a host', list: 'example', address: '10.1.1.1', allowed: false },
    { what: 'the second entry', list: 'other, 10.1.1.0/24 ,', address: '10.1.1.1', allowed: true },
  ])('$what: $list against $address → $allowed', ({ list, address, allowed }) => {
    expect(decide(address, list)).toBe(allowed);
  });

  it.each([
    'http://10.0.0.1',
    '10.0.0.0/33',
    '10.0.0.1:0',
    '10.0.0.1:70000',
    '300.1.1.1',
    '10.0.0.0/8:80',
    'two words',
    '[::1',
    '*.internal',
    'user@host',
    '-dash',
  ])('names the wrong entry %s', (entry) => {
    expect(() => parseAllowList(`127.0.0.1,${entry}`)).toThrow(`EGRESS_ALLOW: "${entry}"`);
  });

  it('is empty for an empty text', () => {
    expect(parseAllowList(' ')).toEqual([]);
  });

  it('knows a host by name alone', () => {
    const list = parseAllowList('ollama:11434');
    expect(isHostListed('OLLAMA', 11434, list)).toBe(true);
    expect(isHostListed('ollama', 80, list)).toBe(false);
  });
});

it('says host, address, reason and where to allow it', () => {
  const target = { hostname: 'intranet.example', port: 8080, address: '10.0.0.7' };
  expect(decideEgress(target, [])).toEqual({
    allowed: false,
    reason:
      'connections to intranet.example (10.0.0.7) are refused: it is a private address; ' +
      'to allow it, add intranet.example:8080 to EGRESS_ALLOW',
  });
});
