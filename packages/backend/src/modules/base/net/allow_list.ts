import ipaddr from 'ipaddr.js';
import { addressKind, parseAddress, type Address } from './address_rules.js';

/** One opened door: a name or a range of addresses, on one port or (null) on all. */
type AllowEntry =
  | { kind: 'host'; host: string; port: number | null }
  | { kind: 'range'; range: [Address, number]; port: number | null };

/** What an operator opened beyond the public internet. */
export type AllowList = readonly AllowEntry[];

/** Where a connection is about to go: the name in the URL and one address that it stands for. */
export interface Target {
  hostname: string;
  port: number;
  address: string;
}

/** Allowed, or one sentence that says which host and address are refused, why, and where to open it. */
export type EgressDecision = { allowed: true } | { allowed: false; reason: string };

const ALLOWED: EgressDecision = { allowed: true };
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/;
const FORMS = 'use a host, host:port, an address, address:port, [IPv6]:port or a CIDR';

/**
 * Reads the text of `EGRESS_ALLOW`: entries between commas, each a host, `host:port`, an address,
 * `address:port` (IPv6 in brackets) or a CIDR. An entry with a port opens that port only.
 * Throws an `Error` that names the first wrong entry.
 */
export function parseAllowList(text: string): AllowList {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseEntry);
}

/** Decides on one target. Public addresses are open; the others only through the list. */
export function decideEgress(target: Target, allow: AllowList): EgressDecision {
  const address = parseAddress(target.address);
  if (!address) return refuse(target, 'which is not an address');
  const kind = addressKind(address);
  if (kind.public || isListed(target, address, allow)) return ALLOWED;
  return refuse(target, `${kind.kind}`);
}

/** True when the list opens this name and port itself, whatever the name resolves to. */
export function isHostListed(hostname: string, port: number, allow: AllowList): boolean {
  const host = plainHost(hostname);
  return allow.some(
    (entry) => entry.kind === 'host' && entry.host === host && opensPort(entry, port),
  );
}

function isListed(target: Target, address: Address, allow: AllowList): boolean {
  if (isHostListed(target.hostname, target.port, allow)) return true;
  return allow.some(
    (entry) =>
      entry.kind === 'range' && opensPort(entry, target.port) && holds(entry.range, address),
  );
}

function opensPort(entry: AllowEntry, port: number): boolean {
  return entry.port === null || entry.port === port;
}

function holds(range: [Address, number], address: Address): boolean {
  return range[0].kind() === address.kind() && address.match(range);
}

function refuse(target: Target, why: string): EgressDecision {
  const { hostname, port, address } = target;
  const where = plainHost(hostname) === address ? hostname : `${hostname} (${address})`;
  const advice = `to allow it, add ${hostname}:${port} to EGRESS_ALLOW`;
  return { allowed: false, reason: `connections to ${where} are refused: it is ${why}; ${advice}` };
}

function parseEntry(entry: string): AllowEntry {
  if (entry.includes('/')) return { kind: 'range', range: parseRange(entry), port: null };
  if (parseAddress(entry) && !entry.startsWith('[')) return addressEntry(entry, null);
  const match = /^(\[[^\]]*\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(entry);
  const host = match?.[1];
  if (!host) throw wrongEntry(entry);
  const port = match[2] === undefined ? null : parsePort(match[2], entry);
  if (parseAddress(host)) return addressEntry(host, port);
  if (!HOST_NAME.test(plainHost(host)) || /^[\d.]+$/.test(host)) throw wrongEntry(entry);
  return { kind: 'host', host: plainHost(host), port };
}

function addressEntry(text: string, port: number | null): AllowEntry {
  const address = parseAddress(text);
  if (!address) throw wrongEntry(text);
  return { kind: 'range', range: [address, address.kind() === 'ipv4' ? 32 : 128], port };
}

function parseRange(entry: string): [Address, number] {
  const text = entry.replace(/^\[(.*)\]\//, '$1/');
  const isFourPart = ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
  if (!isFourPart && !ipaddr.IPv6.isValidCIDR(text)) throw wrongEntry(entry);
  return ipaddr.parseCIDR(text);
}

function parsePort(text: string, entry: string): number {
  const port = Number(text);
  if (port < 1 || port > 65_535) throw wrongEntry(entry);
  return port;
}

function wrongEntry(entry: string): Error {
  return new Error(`EGRESS_ALLOW: "${entry}" is not understood; ${FORMS}`);
}

/** A host as it is compared: lower case, without brackets and without the root's dot. */
function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
