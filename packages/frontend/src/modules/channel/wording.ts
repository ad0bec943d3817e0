import { namedFields, statusWord, type Wording } from '../../components/readable.js';

const params = [
  'temperature',
  'topP',
  'frequencyPenalty',
  'presencePenalty',
  'seed',
  'reasoningEffort',
];
const paramNames = Object.fromEntries(params.map((name) => [name, `channels.param.${name}`]));

/** How the fields of a channel read, for people. `channelName` knows the channels that there are. */
export function channelWording(
  t: (key: string) => string,
  channelName: (id: number) => string,
): Wording {
  return (key, value) => {
    if (key === 'status') return statusWord(value, t);
    if (key === 'protocol') return t(`protocol.${String(value)}`);
    if (key === 'params') return namedFields(value, paramNames, t);
    if (key === 'fallbackChannelId' && typeof value === 'number') return channelName(value);
    if (key === 'capability')
      return t(value === null ? 'channels.capabilityNone' : `capability.${String(value)}`);
    return undefined;
  };
}
