import type { Channel, ChannelAddBody, ChannelUpdateBody } from '@netaclaw/contracts';
import type { SecretBox } from '../../../base/auth/secret_box.js';
import type { NetaClawModelChannelEntity } from '../../entity/model_channel.js';
import { maskedUrl, SECRET_MASK } from './secret_url.js';

const HINT_LENGTH = 4;
const SHORTEST_HINTED = 12;

/** The stored headers in clear. */
export function openHeaders(
  row: Pick<NetaClawModelChannelEntity, 'headers'>,
  box: SecretBox,
): Record<string, string> {
  // Written by `sealHeaders` from a parsed body, and authenticated by the box.
  return row.headers === null ? {} : (JSON.parse(box.open(row.headers)) as Record<string, string>);
}

/** A row as the API shows it: no key, no header value, no secret in the address. */
export function channelOf(row: NetaClawModelChannelEntity, box: SecretBox): Channel {
  const names = Object.keys(openHeaders(row, box));
  return {
    id: row.id,
    name: row.name,
    protocol: row.protocol,
    baseUrl: row.baseUrl && maskedUrl(row.baseUrl),
    apiKeyHint: row.apiKeyHint,
    model: row.model,
    capability: row.capability,
    contextWindow: row.contextWindow,
    maxOutputTokens: row.maxOutputTokens,
    params: row.params,
    headers: Object.fromEntries(names.map((name) => [name, SECRET_MASK])),
    timeoutMs: row.timeoutMs,
    fallbackChannelId: row.fallbackChannelId,
    status: row.status,
    version: row.version,
    createTime: row.createTime.toISOString(),
    updateTime: row.updateTime.toISOString(),
  };
}

type Body = Omit<ChannelAddBody, never> | Omit<ChannelUpdateBody, 'id' | 'version'>;

/** The columns that a body sets, secrets sealed. `before` are the stored headers in clear. */
export function channelColumns(
  { apiKey, headers, ...plain }: Body,
  before: Readonly<Record<string, string>>,
  box: SecretBox,
): Partial<NetaClawModelChannelEntity> {
  return {
    ...withoutUndefined(plain),
    ...(apiKey === undefined ? {} : keyColumns(apiKey, box)),
    ...(headers === undefined ? {} : { headers: sealHeaders(headers, before, box) }),
  };
}

/** The end of a key, by which people tell keys apart; of a short one nothing. */
const hintOf = (apiKey: string): string =>
  apiKey.length < SHORTEST_HINTED ? '****' : apiKey.slice(-HINT_LENGTH);

const keyColumns = (apiKey: string, box: SecretBox) =>
  apiKey === ''
    ? { apiKey: null, apiKeyHint: null }
    : { apiKey: box.seal(apiKey), apiKeyHint: hintOf(apiKey) };

function sealHeaders(
  headers: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
  box: SecretBox,
): string | null {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    value === SECRET_MASK ? (before[name] ?? '') : value,
  ]);
  return entries.length === 0 ? null : box.seal(JSON.stringify(Object.fromEntries(entries)));
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, inner]) => inner !== undefined),
  ) as Partial<T>;
}
