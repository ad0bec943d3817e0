import { capabilitySchema, disabledReasonSchema, type DisabledReason } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { governedTool, registryOf } from '../../../../../test/governed_tools.js';
import type { ToolFit } from '../provider/tool_fit.js';
import type { GovernedTool } from './governed_tool.js';
import { resolveTools, type ComputerFacts, type ResolveFacts } from './resolve_tools.js';

/** A situation in which nothing is in a tool's way. */
const openFacts = (...tools: GovernedTool[]): ResolveFacts => ({
  toolsets: [...new Set(tools.map(({ toolset }) => toolset))],
  agentDisabled: [],
  capability: { value: 'multimodal', origin: 'channel' },
  memory: true,
  skills: true,
  crewMaster: true,
  crewTools: [],
  computer: {
    label: 'The local computer',
    tools: new Set(tools.map(({ name }) => name)),
    problem: null,
  },
  callerRole: 'admin',
  callerDenied: [],
  unavailable: new Map(),
  fit: null,
  registry: registryOf(...tools),
});

const computerWith = (facts: Partial<ComputerFacts>): ComputerFacts => ({
  label: 'The local computer',
  tools: new Set(['it']),
  problem: null,
  ...facts,
});

/** What makes one tool, `it`, fail one check: fields of the tool and facts of the situation. */
interface Obstacle {
  reason: DisabledReason;
  tool?: Partial<GovernedTool>;
  facts?: Partial<ResolveFacts>;
}

/** In the order of the table in the design; the reasons of one line are one group. */
const obstacles: readonly (readonly Obstacle[])[] = [
  [{ reason: 'not_in_catalog', tool: { inCatalog: false } }],
  [{ reason: 'global_disabled', tool: { status: 0 } }],
  [{ reason: 'agent_disabled', facts: { agentDisabled: ['it'] } }],
  [
    {
      reason: 'capability_mismatch',
      tool: { capability: 'vision' },
      facts: { capability: { value: 'text', origin: 'fallback' } },
    },
  ],
  [
    { reason: 'memory_off', tool: { scene: 'memory' }, facts: { memory: false } },
    { reason: 'no_skills', tool: { scene: 'skills' }, facts: { skills: false } },
    { reason: 'not_crew_master', tool: { scene: 'crew_master' }, facts: { crewMaster: false } },
    { reason: 'no_computer', tool: { scene: 'computer' }, facts: { computer: null } },
    { reason: 'no_computer', tool: { scene: 'computer_files' }, facts: { computer: null } },
    {
      reason: 'sandbox_capability_missing',
      tool: { scene: 'computer' },
      facts: { computer: computerWith({ tools: new Set() }) },
    },
  ],
  [{ reason: 'admin_only', tool: { adminOnly: true }, facts: { callerRole: 'operator' } }],
  [{ reason: 'caller_removed', facts: { callerDenied: ['it'] } }],
  [{ reason: 'source_unavailable', facts: { unavailable: new Map([['it', 'No key is set.']]) } }],
  [
    {
      reason: 'schema_rejected',
      facts: { fit: ({ name }) => ({ problem: 'the keyword not is used', wireName: name }) },
    },
  ],
];

function resolveWith(...given: readonly Obstacle[]) {
  const fields: Partial<GovernedTool> = {};
  const facts: Partial<ResolveFacts> = {};
  for (const obstacle of given) {
    Object.assign(fields, obstacle.tool);
    Object.assign(facts, obstacle.facts);
  }
  return resolveTools({ ...openFacts(governedTool('it', fields)), ...facts });
}

describe('each reason', () => {
  it.each(obstacles.flat())('$reason leaves the tool out and says so in a sentence', (obstacle) => {
    const { toolNames, disabledReasons } = resolveWith(obstacle);
    expect(toolNames).toEqual([]);
    expect(disabledReasons).toEqual([
      { name: 'it', reason: obstacle.reason, detail: expect.stringMatching(/^[A-Z].+\.$/) },
    ]);
  });

  it.each(obstacles.flat())('is not there without the obstacle of $reason', ({ tool }) => {
    const kept = { ...tool, inCatalog: true, status: 1 } as const;
    expect(resolveTools(openFacts(governedTool('it', kept))).toolNames).toEqual(['it']);
  });
});

describe('the order of the checks', () => {
  const pairs = obstacles
    .slice(1)
    .flatMap((later, index) =>
      (obstacles[index] ?? []).flatMap((first) =>
        later.map((second) => ({ first, second, pair: `${first.reason} > ${second.reason}` })),
      ),
    );

  it.each(pairs)('a tool that fails both gets the first: $pair', ({ first, second }) => {
    const reasons = resolveWith(first, second).disabledReasons.map(({ reason }) => reason);
    expect(reasons).toEqual([first.reason]);
  });

  it('covers every reason there is', () => {
    const reasons = obstacles.flat().map(({ reason }) => reason);
    expect([...new Set([...reasons, 'name_conflict'])]).toEqual(disabledReasonSchema.options);
  });

  it('gives the very first to a tool that fails all', () => {
    const one = obstacles.flatMap(([obstacle]) => (obstacle ? [obstacle] : []));
    expect(resolveWith(...one).disabledReasons[0]?.reason).toBe('not_in_catalog');
  });
});

describe('names that meet at the provider', () => {
  const cut: ToolFit = ({ name }) => ({ problem: null, wireName: name.slice(0, 4) });
  const reasonsOf = (names: readonly string[], facts: Partial<ResolveFacts> = {}) => {
    const tools = names.map((name) => governedTool(name));
    const resolved = resolveTools({ ...openFacts(...tools), fit: cut, ...facts });
    return Object.fromEntries([
      ...resolved.toolNames.map((name) => [name, 'in']),
      ...resolved.disabledReasons.map(({ name, reason }) => [name, reason]),
    ]);
  };

  it.each([
    [['find_a', 'find_b'], { find_a: 'in', find_b: 'name_conflict' }],
    [['find', 'find_b'], { find: 'in', find_b: 'name_conflict' }],
    [['find_a', 'find_b', 'list_a'], { find_a: 'in', find_b: 'name_conflict', list_a: 'in' }],
    [['fin', 'find'], { fin: 'in', find: 'in' }],
  ])('%j: the first keeps the name', (names, expected) => {
    expect(reasonsOf(names)).toEqual(expected);
  });

  it('says which tool has the name', () => {
    const tools = [governedTool('find_a'), governedTool('find_b')];
    expect(resolveTools({ ...openFacts(...tools), fit: cut }).disabledReasons[0]?.detail).toBe(
      'The model\'s provider would know it as "find", which is what it calls find_a.',
    );
  });

  it('a tool that is out for another reason takes no name', () => {
    const expected = { find_a: 'agent_disabled', find_b: 'in' };
    expect(reasonsOf(['find_a', 'find_b'], { agentDisabled: ['find_a'] })).toEqual(expected);
  });

  it('a refused schema comes first', () => {
    const fit: ToolFit = (tool) => ({
      ...cut(tool),
      problem: tool.name === 'find_b' ? 'no' : null,
    });
    const expected = { find_a: 'in', find_b: 'schema_rejected' };
    expect(reasonsOf(['find_a', 'find_b'], { fit })).toEqual(expected);
  });
});

describe('capabilities', () => {
  const options = capabilitySchema.options;
  const served = new Set([
    'text for text',
    'text for vision',
    'text for multimodal',
    'vision for vision',
    'vision for multimodal',
    'multimodal for multimodal',
  ]);
  const rows = options.flatMap((needs) => options.map((has) => ({ needs, has })));

  it.each(rows)('a tool that needs $needs, a model with $has', ({ needs, has }) => {
    const tool = governedTool('it', { capability: needs });
    const facts = { ...openFacts(tool), capability: { value: has, origin: 'channel' } as const };
    expect(resolveTools(facts).toolNames).toEqual(served.has(`${needs} for ${has}`) ? ['it'] : []);
  });

  it.each(['agent', 'channel', 'fallback'] as const)(
    "names the model's capability and its origin %s",
    (origin) => {
      const tool = governedTool('it', { capability: 'multimodal' });
      const facts = { ...openFacts(tool), capability: { value: 'vision', origin } as const };
      const detail = resolveTools(facts).disabledReasons[0]?.detail;
      expect(detail).toContain('multimodal');
      expect(detail).toContain('vision');
      expect(detail).toContain(origin);
    },
  );
});

describe('scenes', () => {
  it('calls a computer that cannot be had an unavailable source, with its own sentence', () => {
    const problem = 'This server has no driver for it.';
    const result = resolveWith({
      reason: 'source_unavailable',
      tool: { scene: 'computer' },
      facts: { computer: computerWith({ problem, tools: new Set() }) },
    });
    expect(result.disabledReasons).toEqual([
      { name: 'it', reason: 'source_unavailable', detail: problem },
    ]);
  });

  it.each([
    ['a source', { unavailable: new Map([['it', '']]) }],
    ['a computer', { computer: computerWith({ problem: '' }) }],
  ])('leaves a tool out when the sentence of %s is empty', (_what, facts) => {
    const result = resolveWith({
      reason: 'source_unavailable',
      tool: { scene: 'computer' },
      facts,
    });
    expect(result.toolNames).toEqual([]);
    expect(result.disabledReasons[0]).toMatchObject({
      reason: 'source_unavailable',
      detail: expect.stringMatching(/\.$/),
    });
  });

  it('asks any computer of a tool that works on files, whether it names the tool or not', () => {
    const tool = { scene: 'computer_files' } as const;
    const facts = openFacts(governedTool('it', tool));
    const computer = computerWith({ tools: new Set() });
    expect(resolveTools({ ...facts, computer }).toolNames).toEqual(['it']);
    const away = { ...computer, problem: 'It is away.' };
    expect(resolveTools({ ...facts, computer: away }).disabledReasons).toEqual([
      { name: 'it', reason: 'source_unavailable', detail: 'It is away.' },
    ]);
  });

  it('asks no computer of a tool that does not act on one', () => {
    const result = resolveTools({ ...openFacts(governedTool('it')), computer: null });
    expect(result.toolNames).toEqual(['it']);
  });

  it.each(['operator', 'viewer', 'client'] as const)('keeps an admin tool from a %s', (role) => {
    const facts = { ...openFacts(governedTool('it', { adminOnly: true })), callerRole: role };
    expect(resolveTools(facts).disabledReasons[0]).toMatchObject({ reason: 'admin_only' });
  });
});

describe("the agent's disabled tools", () => {
  const core = governedTool('todo', { toolset: 'planning', isCore: true, canDisable: false });

  it('keep a core tool, with a warning that names it once', () => {
    const result = resolveTools({ ...openFacts(core), agentDisabled: ['todo', 'todo'] });
    expect(result.toolNames).toEqual(['todo']);
    expect(result.warnings).toEqual([expect.stringContaining('"todo"')]);
  });

  it('report a name that nobody knows as not_in_catalog, once', () => {
    const result = resolveTools({ ...openFacts(core), agentDisabled: ['ghost', 'ghost'] });
    expect(result.disabledReasons).toEqual([
      { name: 'ghost', reason: 'not_in_catalog', detail: expect.stringContaining('"ghost"') },
    ]);
  });

  it.each([
    ['in its toolsets', ['planning', 'base']],
    ['outside its toolsets', ['planning']],
  ])('report a row that the code forgot, %s, once', (_where, toolsets) => {
    const gone = governedTool('gone', { inCatalog: false });
    const facts = { ...openFacts(core, gone), toolsets, agentDisabled: ['gone'] };
    expect(resolveTools(facts).disabledReasons).toEqual([
      { name: 'gone', reason: 'not_in_catalog', detail: expect.any(String) },
    ]);
  });

  it('leave base without bash and with the rest', () => {
    const names = ['bash', 'list_dir', 'patch', 'read_file', 'write_file'];
    const tools = names.map((name) => governedTool(name, { scene: 'computer' }));
    const result = resolveTools({ ...openFacts(...tools, core), agentDisabled: ['bash'] });
    expect(result.toolNames).toEqual(['list_dir', 'patch', 'read_file', 'todo', 'write_file']);
    expect(result.disabledReasons).toMatchObject([{ name: 'bash', reason: 'agent_disabled' }]);
  });
});

describe('candidates', () => {
  const tools = [
    governedTool('zeta', { sort: -1 }),
    governedTool('beta'),
    governedTool('alpha', { toolset: 'planning' }),
    governedTool('Upper'),
    governedTool('omega', { toolset: 'memory', sort: 7 }),
  ];

  it('come by sort, then by name, whatever the order of toolsets and rows', () => {
    const orders = [
      [tools, ['base', 'planning', 'memory']],
      [tools.toReversed(), ['memory', 'planning', 'base']],
      [
        [...tools.slice(2), ...tools.slice(0, 2)],
        ['planning', 'memory', 'base'],
      ],
    ] as const;
    for (const [shuffled, toolsets] of orders) {
      const result = resolveTools({ ...openFacts(...shuffled), toolsets });
      expect(result.toolNames).toEqual(['zeta', 'Upper', 'alpha', 'beta', 'omega']);
    }
  });

  it('come once when a toolset is named twice', () => {
    const facts = { ...openFacts(...tools), toolsets: ['planning', 'planning'] };
    expect(resolveTools(facts).toolNames).toEqual(['alpha']);
  });

  it('are none for empty toolsets, which is a warning', () => {
    const result = resolveTools({ ...openFacts(...tools), toolsets: [] });
    expect(result.toolNames).toEqual([]);
    expect(result.disabledReasons).toEqual([]);
    expect(result.warnings).toEqual(['This agent has no tools in this situation.']);
  });

  it('are none of a toolset that does not exist', () => {
    const facts = { ...openFacts(...tools), toolsets: ['planning', 'nonsense'] };
    expect(resolveTools(facts).toolNames).toEqual(['alpha']);
  });

  it('hold the crew tools of a master, and of nobody else who does not name them', () => {
    const delegate = governedTool('delegate_ann', { toolset: 'crew', scene: 'crew_master' });
    const facts = { ...openFacts(...tools, delegate), toolsets: ['planning'] };
    expect(resolveTools(facts).toolNames).toEqual(['alpha', 'delegate_ann']);
    const member = resolveTools({ ...facts, crewMaster: false });
    expect([member.toolNames, member.disabledReasons]).toEqual([['alpha'], []]);
  });

  it('hold a tool for each member of the crew in play, for its master alone', () => {
    const member = (name: string) =>
      governedTool(name, { toolset: 'crew', scene: 'crew_master', source: 'crew' });
    const crewTools = [member('delegate_ann'), member('delegate_bob')];
    const facts = { ...openFacts(...tools), toolsets: ['planning'], crewTools };
    expect(resolveTools(facts).toolNames).toEqual(['alpha', 'delegate_ann', 'delegate_bob']);
    const sub = { ...facts, crewMaster: false };
    expect(resolveTools(sub)).toMatchObject({ toolNames: ['alpha'], disabledReasons: [] });
    expect(resolveTools({ ...sub, toolsets: ['planning', 'crew'] }).disabledReasons).toEqual(
      crewTools.map(({ name }) => ({
        name,
        reason: 'not_crew_master',
        detail: expect.any(String),
      })),
    );
    const denied = { ...facts, callerDenied: ['delegate_bob'] };
    expect(resolveTools(denied).disabledReasons).toMatchObject([
      { name: 'delegate_bob', reason: 'caller_removed' },
    ]);
    const gone = { ...facts, unavailable: new Map([['delegate_ann', 'Its agent is off.']]) };
    expect(resolveTools(gone).disabledReasons).toEqual([
      { name: 'delegate_ann', reason: 'source_unavailable', detail: 'Its agent is off.' },
    ]);
  });

  it("leave out a member whose tool would be one of the code's", () => {
    const declared = governedTool('delegate_ann', { toolset: 'planning' });
    const crewTools = [governedTool('delegate_ann', { toolset: 'crew', scene: 'crew_master' })];
    const facts = { ...openFacts(declared), toolsets: ['planning'], crewTools };
    const { tools: included, disabledReasons } = resolveTools(facts);
    expect(included).toEqual([declared]);
    expect(included[0]).toBe(declared);
    expect(disabledReasons).toMatchObject([{ name: 'delegate_ann', reason: 'name_conflict' }]);
  });

  it('all left out is a warning', () => {
    expect(resolveWith({ reason: 'global_disabled', tool: { status: 0 } }).warnings).toEqual([
      'This agent has no tools in this situation.',
    ]);
  });
});

describe('what comes with the tools', () => {
  it('names as built in neither internal nor crew nor sandbox tools', () => {
    const tools = [
      governedTool('bash'),
      governedTool('todo', { toolset: 'planning', visibility: 'internal' }),
      governedTool('skill_view', { toolset: 'skills', visibility: 'skill' }),
      governedTool('delegate_ann', { toolset: 'crew' }),
      governedTool('python', { toolset: 'sandbox' }),
      governedTool('browser_exec', { toolset: 'browser' }),
      governedTool('skill_promote', { toolset: 'skill_lifecycle' }),
    ];
    const result = resolveTools(openFacts(...tools));
    expect(result.toolNames).toHaveLength(tools.length);
    expect(result.builtinToolNames).toEqual(['bash', 'skill_view']);
  });

  it('holds the prompt hints of the tools that are in, in their order', () => {
    const tools = [
      governedTool('patch', { promptHint: 'Read first.', sort: 2 }),
      governedTool('bash', { promptHint: 'Chain.', sort: 3 }),
      governedTool('list_dir'),
      governedTool('off', { promptHint: 'Never said.', status: 0 }),
    ];
    expect(resolveTools(openFacts(...tools)).toolPromptHints).toEqual([
      { name: 'patch', hint: 'Read first.' },
      { name: 'bash', hint: 'Chain.' },
    ]);
  });
});

describe('for any facts', () => {
  /** Mulberry32: the same numbers in every run. */
  function numbersFrom(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    };
  }

  class Chance {
    private readonly next: () => number;
    constructor(seed: number) {
      this.next = numbersFrom(seed);
    }
    below(limit: number): number {
      return Math.floor(this.next() * limit);
    }
    one<T>(...items: readonly [T, ...T[]]): T {
      return items[this.below(items.length)] ?? items[0];
    }
    is(share: number): boolean {
      return this.next() < share;
    }
    some<T>(items: readonly T[], share: number): T[] {
      return items.filter(() => this.is(share));
    }
    shuffled<T>(items: readonly T[]): T[] {
      return items
        .map((item) => ({ item, key: this.next() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ item }) => item);
    }
  }

  const names = Array.from({ length: 12 }, (_, index) => `tool_${index}`);
  const toolsets = ['base', 'planning', 'memory', 'skills', 'crew', 'sandbox', 'vision'] as const;

  function anyTool(chance: Chance, name: string): GovernedTool {
    return governedTool(name, {
      toolset: chance.one(...toolsets),
      visibility: chance.one('tool', 'internal', 'skill'),
      capability: chance.one('text', 'text', 'vision', 'multimodal'),
      canDisable: chance.is(0.7),
      scene: chance.one(null, 'memory', 'skills', 'crew_master', 'computer', 'computer_files'),
      adminOnly: chance.is(0.2),
      inCatalog: chance.is(0.9),
      status: chance.one(0, 1, 1, 1),
      sort: chance.below(3) - 1,
      promptHint: chance.is(0.5) ? `About ${name}.` : null,
    });
  }

  function anyFacts(seed: number): { facts: ResolveFacts; tools: GovernedTool[]; chance: Chance } {
    const chance = new Chance(seed);
    const tools = chance.some(names, 0.8).map((name) => anyTool(chance, name));
    const crewTools = chance
      .some(['delegate_a', 'delegate_b'], 0.5)
      .map((name) => governedTool(name, { toolset: 'crew', scene: 'crew_master', source: 'crew' }));
    const sentences = (share: number) =>
      new Map(chance.some(names, share).map((name) => [name, chance.one('', 'Down.')]));
    const facts: ResolveFacts = {
      toolsets: chance.shuffled([...chance.some(toolsets, 0.7), ...chance.some(toolsets, 0.1)]),
      agentDisabled: chance.some([...names, 'ghost'], 0.2),
      capability: {
        value: chance.one('text', 'vision', 'multimodal'),
        origin: chance.one('agent', 'channel', 'fallback'),
      },
      memory: chance.is(0.5),
      skills: chance.is(0.5),
      crewMaster: chance.is(0.5),
      crewTools,
      computer: chance.is(0.3)
        ? null
        : computerWith({
            tools: new Set(chance.some(names, 0.7)),
            problem: chance.one(null, null, null, '', 'Gone.'),
          }),
      callerRole: chance.one('admin', 'operator', 'viewer', 'client'),
      callerDenied: chance.some(names, 0.1),
      unavailable: sentences(0.1),
      fit: null,
      registry: registryOf(...tools),
    };
    return { facts, tools, chance };
  }

  const SEEDS = 3000;

  it('tools and reasons part the candidates, each once', () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { facts, tools } = anyFacts(seed);
      const { toolNames, disabledReasons } = resolveTools(facts);
      const candidates = [...tools, ...facts.crewTools].filter(
        ({ toolset }) =>
          facts.toolsets.includes(toolset) || (facts.crewMaster && toolset === 'crew'),
      );
      const forgotten = facts.agentDisabled.filter(
        (name) => !tools.some((tool) => tool.name === name && tool.inCatalog),
      );
      const expected = new Set([...candidates.map(({ name }) => name), ...forgotten]);
      const said = [...toolNames, ...disabledReasons.map(({ name }) => name)];
      expect(said.toSorted(), `seed ${seed}`).toEqual([...expected].toSorted());
      const withoutDetail = disabledReasons.filter(({ detail }) => detail === '');
      expect(withoutDetail, `seed ${seed}`).toEqual([]);
    }
  });

  it('the same facts give the same answer, in whatever order they are listed', () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { facts, tools, chance } = anyFacts(seed);
      const once = resolveTools(facts);
      expect(resolveTools(facts), `seed ${seed}`).toEqual(once);
      const mixed = resolveTools({
        ...facts,
        toolsets: chance.shuffled(facts.toolsets),
        callerDenied: chance.shuffled(facts.callerDenied),
        registry: registryOf(...chance.shuffled(tools)),
      });
      expect(mixed, `seed ${seed}`).toEqual(once);
    }
  });

  it('one more denied, disabled or unavailable name never adds a tool and takes at most that one', () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { facts, chance } = anyFacts(seed);
      const before = resolveTools(facts).toolNames;
      const name = chance.one('tool_0', ...names);
      const narrower: ResolveFacts[] = [
        { ...facts, callerDenied: [...facts.callerDenied, name] },
        { ...facts, agentDisabled: [...facts.agentDisabled, name] },
        { ...facts, unavailable: new Map([...facts.unavailable, [name, 'Down.']]) },
      ];
      for (const [at, changed] of narrower.entries()) {
        const after = resolveTools(changed).toolNames;
        const isLocked = at === 1 && facts.registry.get(name)?.canDisable === false;
        const expected = isLocked ? before : before.filter((kept) => kept !== name);
        expect(after, `seed ${seed}, change ${at}`).toEqual(expected);
      }
    }
  });

  it('does not change its facts', () => {
    const { facts } = anyFacts(7);
    const copy = structuredClone({ ...facts, registry: null });
    resolveTools(facts);
    expect({ ...facts, registry: null }).toEqual(copy);
  });
});
