import type { ChannelAddBody, ChannelUpdateBody, Problem } from '@netaclaw/contracts';
import type { Actor } from '../../../base/auth/actor.js';
import { DomainError } from '../../../base/error.js';
import type { NetaClawModelChannelEntity } from '../../entity/model_channel.js';

type Fields = Partial<Omit<ChannelAddBody, 'apiKey' | 'headers'>>;

/** What a channel's protocol asks for. Pure. */
export function channelProblems({ protocol, baseUrl }: Fields): Problem[] {
  if (protocol === 'rehearsal' || baseUrl) return [];
  return [{ path: 'baseUrl', message: `the protocol ${protocol ?? ''} needs a base URL` }];
}

/**
 * An operator works with channels but not with their secrets: he sets no key and no headers, and does
 * not point a channel that has any to another address, which would hand them over.
 */
export function refuseSecrets(
  actor: Actor,
  body: Pick<ChannelUpdateBody, 'apiKey' | 'headers' | 'baseUrl'>,
  before: Pick<NetaClawModelChannelEntity, 'apiKey' | 'headers' | 'baseUrl'> | null,
): void {
  if (actor.role === 'admin') return;
  const setsSecret =
    (body.apiKey !== undefined && body.apiKey !== '') ||
    (body.headers !== undefined && Object.keys(body.headers).length > 0);
  if (setsSecret) {
    throw new DomainError(
      'forbidden',
      'only the role admin may set the key or the headers of a channel',
    );
  }
  const hasSecret = before !== null && (before.apiKey !== null || before.headers !== null);
  if (hasSecret && body.baseUrl !== undefined && body.baseUrl !== before.baseUrl) {
    throw new DomainError(
      'forbidden',
      'only the role admin may change the address of a channel that has a key or headers',
    );
  }
}
