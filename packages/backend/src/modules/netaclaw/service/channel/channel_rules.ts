import type { ChannelAddBody, ChannelUpdateBody, Problem } from '@netaclaw/contracts';
import type { Actor } from '../../../base/auth/actor.js';
import { DomainError } from '../../../base/error.js';
import type { NetaClawModelChannelEntity } from '../../entity/model_channel.js';
import { hasSecretIn } from './secret_url.js';

type Fields = Partial<Omit<ChannelAddBody, 'apiKey' | 'headers'>>;

/** What a channel's protocol asks for. Pure. */
export function channelProblems({ protocol, baseUrl }: Fields): Problem[] {
  if (protocol === 'rehearsal' || baseUrl) return [];
  return [{ path: 'baseUrl', message: `the protocol ${protocol ?? ''} needs a base URL` }];
}

/** What a channel falls back to. */
export type FallbackLink = Pick<NetaClawModelChannelEntity, 'id' | 'name' | 'fallbackChannelId'>;

/**
 * The names on the way from a channel back to itself by the fallbacks that are to be, it first and last;
 * null when the way does not come back. `others` are the channels as they are stored. Pure.
 */
export function fallbackCircle(
  channel: FallbackLink,
  others: readonly FallbackLink[],
): string[] | null {
  const byId = new Map([...others, channel].map((link) => [link.id, link]));
  const way = new Set([channel]);
  for (let link = next(channel); link !== undefined && !way.has(link); link = next(link)) {
    way.add(link);
    if (link.fallbackChannelId === channel.id) return [...way, channel].map(({ name }) => name);
  }
  return null;

  function next({ fallbackChannelId }: FallbackLink): FallbackLink | undefined {
    return fallbackChannelId === null ? undefined : byId.get(fallbackChannelId);
  }
}

/**
 * An operator works with channels but not with their secrets: he sets no key and no headers, takes none
 * away, and does not point a channel that has any to another address, which would hand them over.
 */
export function refuseSecrets(
  actor: Actor,
  body: Pick<ChannelUpdateBody, 'apiKey' | 'headers' | 'baseUrl'>,
  before: Pick<NetaClawModelChannelEntity, 'apiKey' | 'headers' | 'baseUrl'> | null,
): void {
  if (actor.role === 'admin') return;
  if (changesSecret(body, before)) {
    throw new DomainError(
      'forbidden',
      'only the role admin may set or clear the key or the headers of a channel',
    );
  }
  const hasSecret =
    before !== null &&
    (before.apiKey !== null || before.headers !== null || hasSecretIn(before.baseUrl ?? ''));
  if (hasSecret && body.baseUrl !== undefined && body.baseUrl !== before.baseUrl) {
    throw new DomainError(
      'forbidden',
      'only the role admin may change the address of a channel that has a key, headers, or a secret in its address',
    );
  }
}

/** Nothing in the place of nothing is no change; an empty key or empty headers in the place of some are. */
function changesSecret(
  { apiKey, headers }: Pick<ChannelUpdateBody, 'apiKey' | 'headers'>,
  before: Pick<NetaClawModelChannelEntity, 'apiKey' | 'headers'> | null,
): boolean {
  const hasKey = (before?.apiKey ?? null) !== null;
  const hasHeaders = (before?.headers ?? null) !== null;
  const keyChanges = apiKey !== undefined && (apiKey !== '' || hasKey);
  const headersChange = headers !== undefined && (Object.keys(headers).length > 0 || hasHeaders);
  return keyChanges || headersChange;
}
