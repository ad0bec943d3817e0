import ipaddr from 'ipaddr.js';

/** A parsed address of either family. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** What kind of address one is: reachable by everyone, or a sentence fragment that says why it is not. */
export type AddressKind = { public: true } | { public: false; kind: string };

const PUBLIC: AddressKind = { public: true };
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Words for the ranges that people meet; the others are called reserved. */
const kinds: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  carrierGradeNat: 'a carrier-grade NAT address',
  private: 'a private address',
  uniqueLocal: 'a private address',
};

/**
 * Parses an address as a resolver or a URL spells it; null when it is none. An IPv4 address that is
 * carried inside IPv6 (mapped, RFC 4291, or translated by NAT64, RFC 6052) is returned as the IPv4
 * address that a connection reaches in the end, so that every rule sees the real target.
 */
export function parseAddress(text: string): Address | null {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!ipaddr.IPv6.isValid(bare)) return null;
  return carriedAddress(ipaddr.IPv6.parse(bare));
}

/**
 * Only public unicast is public: the IANA special-purpose registries decide for IPv4, and for IPv6
 * nothing outside 2000::/3 counts, nor 6to4, Teredo or anything else reserved inside it.
 */
export function addressKind(address: Address): AddressKind {
  const range = address.range();
  if (range === 'unicast' && isGlobal(address)) return PUBLIC;
  return { public: false, kind: kinds[range] ?? 'a reserved address' };
}

function isGlobal(address: Address): boolean {
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

function carriedAddress(address: ipaddr.IPv6): Address {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (!address.match(NAT64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
