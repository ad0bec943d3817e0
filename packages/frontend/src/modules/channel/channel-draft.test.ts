import { describe, expect, it } from 'vitest';
import {
  changedParams,
  channelAddBodyOf,
  emptyChannel,
  headersOfLines,
  linesOfHeaders,
} from './channel-draft.js';

describe('the form of a channel', () => {
  it('sends a key only when one was typed', () => {
    expect(channelAddBodyOf(emptyChannel)).not.toHaveProperty('apiKey');
    expect(channelAddBodyOf({ ...emptyChannel, apiKey: 'sk-1' }).apiKey).toBe('sk-1');
  });

  it('leaves a parameter out whose value was cleared', () => {
    expect(changedParams({ temperature: 1, seed: 3 }, { temperature: null })).toEqual({ seed: 3 });
  });

  it('keeps a masked header as it was sent', () => {
    const headers = { 'x-team': '********' };
    expect(headersOfLines([...linesOfHeaders(headers), { name: '', value: '' }])).toEqual(headers);
  });
});
