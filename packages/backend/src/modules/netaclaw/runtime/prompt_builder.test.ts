import { beforeAll, describe, expect, it } from 'vitest';
import { loadBuiltinSource } from '../tools/builtin_source.js';
import type { ToolSchema } from '../tools/source.js';
import {
  buildLastingLayers,
  buildRuntimeLayer,
  joinLayers,
  type PromptFacts,
} from './prompt_builder.js';
import { estimateTokens } from './estimate.js';

const noFacts: PromptFacts = {
  profile: '',
  session: {},
  toolHints: [],
  computerPrompts: [],
  memory: [],
  guidance: [],
};
const fullFacts: PromptFacts = {
  profile: '\nYou keep the books of a bakery.\n',
  session: {
    sessionId: 's-1',
    source: 'rest',
    model: 'gpt-x',
    user: 'anna',
    channel: 'main',
    chatId: 'c-1',
    parentSession: 's-0',
  },
  executionContext: 'Task 7: count the flour.',
  toolHints: [
    { name: 'bash', hint: 'Chain commands.\n' },
    { name: 'patch', hint: 'Read first.' },
  ],
  computerPrompts: ['You have a workspace folder.', 'It has no network.'],
  memory: ['# Memory\n- likes rye', '# Notes\n- closes at six'],
  guidance: ['## House rules\n- Be brief.'],
};
const moment = { now: new Date('2026-03-01T12:34:56.789Z'), timeZone: 'Europe/Berlin' };

const layerOf = (key: string, facts: Partial<PromptFacts>) =>
  buildLastingLayers({ ...noFacts, ...facts }).find((layer) => layer.key === key);

describe('a whole prompt', () => {
  it('has its layers in order', () => {
    const layers = [...buildLastingLayers(fullFacts), buildRuntimeLayer(moment)];
    expect(layers.map(({ key, title, origin }) => `${key} / ${title} / ${origin}`)).toEqual([
      'identity / Identity / platform',
      'profile / Agent profile / agent',
      'context / Context / session',
      'tools / Tools / tools',
      'memory / Memory / memory',
      'guidance / Guidance / platform',
      'runtime / Time / clock',
    ]);
    expect(joinLayers(layers)).toMatchSnapshot();
  });

  it('of an agent without anything has identity and guidance only', () => {
    expect(buildLastingLayers(noFacts)).toMatchSnapshot();
  });

  it('counts the tokens of each layer from its text', () => {
    for (const { content, tokens } of buildLastingLayers(fullFacts)) {
      expect(tokens).toBe(estimateTokens(content));
    }
  });

  it('is the same for the same facts, and only the last layer knows the time', () => {
    expect(buildLastingLayers(fullFacts)).toEqual(buildLastingLayers(fullFacts));
    expect(joinLayers(buildLastingLayers(fullFacts))).not.toMatch(/\d\d:\d\d/);
  });
});

describe('the context layer', () => {
  it('holds the session and what a task passes along', () => {
    expect(layerOf('context', fullFacts)?.content).toMatchInlineSnapshot(`
      "# Session
      - Session id: s-1
      - Source: rest
      - Model: gpt-x
      - User: anna
      - Channel: main
      - Chat id: c-1
      - Parent session: s-0

      # Execution Context
      Task 7: count the flour."
    `);
  });

  it.each([null, undefined, ''])('leaves out a line whose value is %j', (unset) => {
    const session = { sessionId: 's-1', source: unset, user: unset, chatId: unset };
    expect(layerOf('context', { session })?.content).toBe('# Session\n- Session id: s-1');
  });

  it('holds the execution context alone when the session says nothing', () => {
    expect(layerOf('context', { executionContext: 'Task 7.' })?.content).toBe(
      '# Execution Context\nTask 7.',
    );
  });

  it('is not there when there is nothing to say', () => {
    expect(layerOf('context', { session: { sessionId: null }, executionContext: null })).toBe(
      undefined,
    );
  });
});

describe('the profile layer', () => {
  it("is the agent's prompt without blanks around it", () => {
    expect(layerOf('profile', fullFacts)?.content).toBe('You keep the books of a bakery.');
  });

  it('is not there for an agent whose prompt is blank', () => {
    expect(layerOf('profile', { profile: ' \n' })).toBe(undefined);
  });
});

describe('the tools layer', () => {
  it("holds the hints in order, then the computer's parts", () => {
    expect(layerOf('tools', fullFacts)?.content).toMatchInlineSnapshot(`
      "# Tools

      ## bash
      Chain commands.

      ## patch
      Read first.

      You have a workspace folder.

      It has no network."
    `);
  });

  it('holds the parts of a computer without a heading of tools', () => {
    expect(layerOf('tools', { computerPrompts: ['You have a folder.'] })?.content).toBe(
      'You have a folder.',
    );
  });

  it('is not there without hints and computer', () => {
    expect(layerOf('tools', {})).toBe(undefined);
  });
});

describe('the memory and guidance layers', () => {
  it('hold their sections, the tool failure guidance last', () => {
    expect(layerOf('memory', fullFacts)?.content).toMatchInlineSnapshot(`
      "# Memory
      - likes rye

      # Notes
      - closes at six"
    `);
    expect(layerOf('guidance', fullFacts)?.content).toMatchInlineSnapshot(`
      "## House rules
      - Be brief.

      ## Tool failure guidance
      - When the same kind of tool fails repeatedly, stop varying the query.
      - Use what is already there, and say what is uncertain.
      - Give the part that is confirmed rather than nothing."
    `);
  });
});

describe('the runtime layer', () => {
  it('tells UTC, local time and the zone', () => {
    expect(buildRuntimeLayer(moment).content).toMatchInlineSnapshot(`
      "# Time
      - UTC: 2026-03-01T12:34:56.789Z
      - Local: 2026-03-01 13:34:56
      - Time zone: Europe/Berlin"
    `);
  });

  it('follows the zone it is given', () => {
    const { content } = buildRuntimeLayer({ ...moment, timeZone: 'Asia/Tokyo' });
    expect(content).toContain('- Local: 2026-03-01 21:34:56');
    expect(content).toContain('- Time zone: Asia/Tokyo');
  });
});

describe('the default hints of the built-in tools', () => {
  let schemas: ToolSchema[] = [];
  beforeAll(async () => {
    schemas = (await loadBuiltinSource()).declare().map(({ schema }) => schema);
  });

  it('name no other tool: it may not be there', () => {
    const hinted = schemas.filter(({ promptHint }) => promptHint !== undefined);
    expect(hinted.length).toBeGreaterThan(0);
    const named = hinted.flatMap(({ name, promptHint = '' }) =>
      schemas
        .filter((other) => other.name !== name)
        .filter((other) => new RegExp(`\\b${other.name}\\b`).test(promptHint))
        .map((other) => `${name} names ${other.name}`),
    );
    expect(named).toEqual([]);
  });
});
