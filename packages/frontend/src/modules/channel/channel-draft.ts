import type { Channel, ChannelAddBody } from '@netaclaw/contracts';

/** What an operator can change of a channel. The key is null while it stays as it is. */
export interface ChannelDraft extends Omit<ChannelAddBody, 'apiKey'> {
  apiKey: string | null;
}

export const channelDraftKeys = [
  'name',
  'protocol',
  'baseUrl',
  'apiKey',
  'model',
  'capability',
  'contextWindow',
  'maxOutputTokens',
  'params',
  'headers',
  'timeoutMs',
  'fallbackChannelId',
  'status',
] as const satisfies readonly (keyof ChannelDraft)[];

export const emptyChannel: ChannelDraft = {
  name: '',
  protocol: 'openai_chat',
  baseUrl: null,
  apiKey: null,
  model: '',
  capability: null,
  contextWindow: null,
  maxOutputTokens: null,
  params: {},
  headers: {},
  timeoutMs: null,
  fallbackChannelId: null,
  status: 1,
};

/** A stored channel as its form shows it; header values stay masked, which leaves them as they are. */
export const channelDraftOf = (channel: Channel): ChannelDraft => ({
  name: channel.name,
  protocol: channel.protocol,
  baseUrl: channel.baseUrl,
  apiKey: null,
  model: channel.model,
  capability: channel.capability,
  contextWindow: channel.contextWindow,
  maxOutputTokens: channel.maxOutputTokens,
  params: channel.params,
  headers: channel.headers,
  timeoutMs: channel.timeoutMs,
  fallbackChannelId: channel.fallbackChannelId,
  status: channel.status,
});

/** The body that adds a channel: without a key when none was typed. */
export const channelAddBodyOf = ({ apiKey, ...fields }: ChannelDraft): ChannelAddBody =>
  apiKey === null || apiKey === '' ? fields : { ...fields, apiKey };

/** A form's parameter changed; one without a value is left out. */
export function changedParams(
  params: ChannelDraft['params'],
  change: { [name in keyof ChannelDraft['params']]: ChannelDraft['params'][name] | null },
): ChannelDraft['params'] {
  const entries = Object.entries({ ...params, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}

/** One line of the header table, as it is typed. */
export interface HeaderLine {
  name: string;
  value: string;
}

export const linesOfHeaders = (headers: Readonly<Record<string, string>>): HeaderLine[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** The headers that lines stand for; a line that is empty is none. */
export const headersOfLines = (lines: readonly HeaderLine[]): Record<string, string> =>
  Object.fromEntries(
    lines.filter(({ name, value }) => name !== '' || value !== '').map((l) => [l.name, l.value]),
  );
