import dns from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { decideEgress, type AllowList } from './allow_list.js';

/** The addresses of a host name, as a resolver gives them; rejects when there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** An address that a person set, or one that it led to, may not be reached. `message` is for people. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
}

/** What a connection is checked against. */
export interface EgressRules {
  allow: AllowList;
  resolve: ResolveHost;
}

/** The system's resolver, in the order that it prefers. */
export const resolveWithSystem: ResolveHost = async (hostname) => {
  const found = await dns.lookup(hostname, { all: true, verbatim: true });
  return found.map((entry) => entry.address);
};

/**
 * The addresses of a host that may be connected to on a port. Where a name stands for several, the
 * refused ones are left out. Throws `EgressRefused` when none remains, and what the resolver throws.
 */
export async function allowedAddresses(
  hostname: string,
  port: number,
  rules: EgressRules,
): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(literal) ? [literal] : await rules.resolve(hostname);
  const decisions = addresses.map((address) => ({
    address,
    decision: decideEgress({ hostname, port, address }, rules.allow),
  }));
  const open = decisions.filter(({ decision }) => decision.allowed);
  if (open.length > 0) return open.map(({ address }) => address);
  const first = decisions[0]?.decision;
  throw new EgressRefused(
    first && !first.allowed ? first.reason : `the host ${hostname} has no address`,
  );
}

/**
 * Makes the connections of one origin. Each new connection resolves and checks, and then goes to the
 * very address that was checked: the socket's own lookup is answered from it, so a resolver that
 * changes its mind in between has no say.
 */
export function pinnedConnector(rules: EgressRules, port: number): buildConnector.connector {
  const connect = buildConnector({ lookup: pinnedLookup(rules, port), timeout: 10_000 });
  return (options, callback) => {
    if (!isIP(options.hostname)) return connect(options, callback);
    // A literal address is never looked up, so it is checked here.
    const { hostname } = options;
    const decision = decideEgress({ hostname, port, address: hostname }, rules.allow);
    if (decision.allowed) return connect(options, callback);
    return callback(new EgressRefused(decision.reason), null);
  };
}

function pinnedLookup(rules: EgressRules, port: number): LookupFunction {
  return async (hostname, options, callback) => {
    try {
      const addresses = await allowedAddresses(hostname, port, rules);
      answerLookup(addresses, options.all === true, callback);
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), '');
    }
  };
}

function answerLookup(
  addresses: readonly string[],
  all: boolean,
  callback: Parameters<LookupFunction>[2],
): void {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  if (all) callback(null, found);
  else callback(null, found[0]?.address ?? '', found[0]?.family);
}
