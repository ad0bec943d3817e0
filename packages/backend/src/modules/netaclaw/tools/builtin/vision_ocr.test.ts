import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeLocalComputer } from '../../../../../test/local_computer.js';
import { callTool, facilitiesWith } from '../../../../../test/tool_call.js';
import type { ToolCallContext } from '../../runtime/port.js';
import { resolveTools, type ResolveFacts } from '../../runtime/tools/resolve_tools.js';
import { planSync } from '../../service/tool/tool_sync.js';
import { loadBuiltinSource } from '../builtin_source.js';
import { Catalog } from '../catalog.js';
import { buildSnapshot } from '../registry_snapshot.js';
import tool from './vision_ocr.js';

const images = fileURLToPath(new URL('../../../../../test/images/', import.meta.url));

/** Every thread this process has started since the tests began. */
const threads: Worker[] = [];
const noteThread = (thread: Worker): void => void threads.push(thread);
const alive = (): number => threads.filter(({ threadId }) => threadId !== -1).length;

let machine: Awaited<ReturnType<typeof makeLocalComputer>>;
let server: string;
beforeAll(async () => {
  process.on('worker', noteThread);
  machine = await makeLocalComputer();
  server = await mkdtemp(join(tmpdir(), 'ocr-'));
});
afterAll(async () => {
  process.off('worker', noteThread);
  await machine.dispose();
  await rm(server, { recursive: true, force: true });
});

/** Lays a file into the workspace: bytes, or one of the images kept with the tests. */
async function lay(name: string, bytes?: Buffer): Promise<string> {
  if (bytes) await writeFile(join(server, name), bytes);
  await machine.computer.files.upload(join(bytes ? server : images, name), name);
  return name;
}

const call = (values: unknown, context: Partial<ToolCallContext> = {}) =>
  callTool(tool, values, { facilities: facilitiesWith(async () => machine.computer), context });

const ENGLISH = 'Invoice 4711 is due on Friday';
const CHINESE = '今天天气很好，我们去公园。';

it('starts nothing before it is first called', async () => {
  expect((await loadBuiltinSource()).declare()).toContain(tool);
  expect(threads).toEqual([]);
});

describe('an image', () => {
  it.each([
    ['english.png', ENGLISH],
    ['english.jpg', ENGLISH],
    ['english.bmp', ENGLISH],
    ['chinese.png', CHINESE],
    ['chinese.webp', CHINESE],
    ['mixed.png', '订单编号 4711 已发货 Thank you'],
  ])('%s is read', async (name, text) => {
    const { status, content } = await call({ path: await lay(name) });
    const [head, ...lines] = content.split('\n');
    expect([status, lines.join('\n')]).toEqual(['ok', text]);
    expect(head).toMatch(
      new RegExp(
        String.raw`^\[Text .+ "${name}" \(eng\+chi_sim\), mean confidence [89]\d of 100\.\]$`,
      ),
    );
  });

  it('is read in the languages asked for', async () => {
    const { content } = await call({ path: await lay('english.png'), languages: ['eng'] });
    expect(content).toMatch(/\(eng\), mean confidence 9\d of 100\.\]\nInvoice/);
    const wrong = await call({ path: await lay('chinese.png'), languages: ['eng', 'eng'] });
    expect(wrong).toMatchObject({ content: expect.stringMatching(/\(eng\).*That is low/) });
    expect(wrong.content).not.toContain('天');
    const right = await call({ path: 'chinese.png', languages: ['chi_sim'] });
    expect(right.content).toContain(CHINESE);
  });

  it('without text is an error that says what may help', async () => {
    expect(await call({ path: await lay('blank.png') })).toEqual({
      status: 'error',
      content: expect.stringMatching(/^No text was recognised in "blank\.png" .*enlarge/),
    });
  });

  it('in an unknown language is refused by the schema', () => {
    expect(tool.schema.parameters.safeParse({ path: 'a.png', languages: ['deu'] }).success).toBe(
      false,
    );
  });
});

/** A PNG that claims these sides; what follows its header is of no use. */
async function pngOf(width: number, height: number): Promise<Buffer> {
  const png = await readFile(join(images, 'english.png'));
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

/** The line of `english.bmp` many times below each other, which takes seconds to read. */
async function longBmp(times: number): Promise<Buffer> {
  const bmp = await readFile(join(images, 'english.bmp'));
  const start = bmp.readUInt32LE(10);
  const head = Buffer.from(bmp.subarray(0, start));
  head.writeInt32LE(bmp.readInt32LE(22) * times, 22);
  return Buffer.concat([head, ...Array.from({ length: times }, () => bmp.subarray(start))]);
}

describe('what is not read', () => {
  it.each<[string, () => Promise<Buffer>, RegExp]>([
    ['words.png', async () => Buffer.from('no image'), /"words\.png" is not an image/],
    ['empty.png', async () => Buffer.alloc(0), /is not an image/],
    ['stub.jpg', async () => Buffer.from([0xff, 0xd8, 0xff]), /is not an image/],
    ['moving.gif', () => readFile(join(images, 'english.gif')), /is not an image.*convert/],
    ['bomb.png', () => pngOf(30_000, 30_000), /too large: 30000 x 30000 pixels.*Scale it/],
    ['ribbon.png', () => pngOf(40_000, 10), /too large: 40000 x 10/],
    ['wide.bmp', () => longBmp(80), /is a BMP of \d+ bytes.*Convert it to PNG/],
    ['cut.png', async () => (await pngOf(443, 60)).subarray(0, 700), /damaged or cut off/],
    ['heavy.png', async () => Buffer.alloc(10 * 1024 ** 2 + 1), /larger than 10485760 bytes/],
  ])('%s is an error that says why', async (name, bytes, sentence) => {
    const path = await lay(name, await bytes());
    expect(await call({ path })).toEqual({
      status: 'error',
      content: expect.stringMatching(sentence),
    });
  });

  it.each([
    ['none.png', '"none.png" does not exist'],
    ['.', 'folder'],
    ['../secret.png', 'outside the workspace'],
  ])('%s is refused by the computer', async (path, sentence) => {
    expect(await call({ path })).toMatchObject({
      status: 'error',
      content: expect.stringContaining(sentence),
    });
  });
});

describe('engines', () => {
  it('are two at most, however many calls there are', async () => {
    const path = await lay('english.png');
    const results = await Promise.all(Array.from({ length: 6 }, () => call({ path })));
    expect(results.filter(({ content }) => content.includes(ENGLISH))).toHaveLength(6);
    expect(alive()).toBeLessThanOrEqual(2);
  });

  it('are ended with a call that is aborted, whether it loads, reads or waits', async () => {
    const path = await lay('long.bmp', await longBmp(30));
    const abort = new AbortController();
    const reason = new Error('The run was stopped.');
    const calls = [1, 2, 3].map(() => call({ path }, { signal: abort.signal }));
    const settled = Promise.allSettled(calls);
    setTimeout(() => abort.abort(reason), 200);
    expect(await settled).toEqual(calls.map(() => ({ status: 'rejected', reason })));
    await expect.poll(alive, { timeout: 5000 }).toBe(0);

    const late = new AbortController();
    const loading = call({ path }, { signal: late.signal });
    await expect.poll(alive, { timeout: 5000 }).toBe(1);
    late.abort(reason);
    await expect(loading).rejects.toBe(reason);
    await expect.poll(alive, { timeout: 5000 }).toBe(0);
    await expect(call({ path }, { signal: late.signal })).rejects.toBe(reason);
  });

  it('that break down cost their call only', async () => {
    const path = await lay('long.bmp', await longBmp(30));
    const before = threads.length;
    const broken = call({ path });
    await expect.poll(() => threads.length).toBe(before + 1);
    await threads.at(-1)?.terminate();
    await expect(broken).rejects.toThrow('ended by itself');
    expect(await call({ path: await lay('english.png') })).toMatchObject({ status: 'ok' });
  });

  it('are ended when nobody has needed them for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await call({ path: await lay('english.png') });
      vi.advanceTimersByTime(59_000);
      expect(alive()).toBe(1);
      vi.advanceTimersByTime(1000);
    } finally {
      vi.useRealTimers();
    }
    await expect.poll(alive, { timeout: 5000 }).toBe(0);
  });

  it('ask the network for nothing and keep no process alive', async () => {
    // Also loaded by every thread of that process.
    const noNetwork = `
      import net from 'node:net'; import dns from 'node:dns';
      const refuse = () => { process._rawDebug('NETWORK'); throw new Error('no network'); };
      globalThis.fetch = refuse; net.Socket.prototype.connect = refuse; dns.lookup = refuse;`;
    const program = `
      import { readFile } from 'node:fs/promises';
      import tool from ${JSON.stringify(new URL('vision_ocr.ts', import.meta.url).href)};
      const files = { readBytes: (path) => readFile(path) };
      const run = tool.create({ computer: async () => ({ files }) });
      const input = { path: ${JSON.stringify(join(images, 'mixed.png'))}, languages: ['eng', 'chi_sim'] };
      const hold = setTimeout(() => {}, 15_000);
      console.log((await run(input, { signal: new AbortController().signal })).content);
      clearTimeout(hold);`;
    const blocker = join(server, 'no_network.mjs');
    const main = join(server, 'main.mjs');
    await Promise.all([writeFile(blocker, noNetwork), writeFile(main, program)]);
    const preload = ['@oxc-node/core/register', pathToFileURL(blocker).href];
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [...preload.map((module) => `--import=${module}`), main],
      { cwd: fileURLToPath(new URL('../../../../../', import.meta.url)), timeout: 12_000 },
    );
    expect(stdout).toContain('订单编号 4711 已发货 Thank you');
    expect(stdout + stderr).not.toMatch(/network|warning/i);
  });
});

describe('the resolver has it', () => {
  const catalog = loadBuiltinSource().then((source) => new Catalog([source]));

  async function resolve(facts: Partial<ResolveFacts>) {
    const declared = await catalog;
    const rows = planSync(declared.all(), []).inserts.map(({ name, toolset, source }) => ({
      name,
      label: name,
      toolset,
      source,
      description: null,
      status: 1 as const,
      sort: 0,
      promptHint: null,
    }));
    return resolveTools({
      toolsets: ['vision'],
      agentDisabled: [],
      capability: { value: 'vision', origin: 'channel' },
      memory: false,
      skills: false,
      crewMaster: false,
      crewTools: [],
      computer: { label: 'The local computer', tools: new Set(), problem: null },
      callerRole: 'client',
      callerDenied: [],
      unavailable: new Map(),
      fit: null,
      registry: buildSnapshot(declared, rows, '1'),
      ...facts,
    });
  }

  it.each(['vision', 'multimodal'] as const)('offered to a %s model', async (value) => {
    const { toolNames } = await resolve({ capability: { value, origin: 'agent' } });
    expect(toolNames).toEqual(['vision_ocr']);
  });

  it('kept from a text model, whether there is a computer or not', async () => {
    const text = { value: 'text', origin: 'channel' } as const;
    for (const facts of [{}, { computer: null }]) {
      const { toolNames, disabledReasons } = await resolve({ capability: text, ...facts });
      expect(toolNames).toEqual([]);
      expect(disabledReasons).toEqual([
        {
          name: 'vision_ocr',
          reason: 'capability_mismatch',
          detail: expect.stringMatching(/^Needs a model with vision; this one has text \(channel/),
        },
      ]);
    }
  });

  it('kept from an agent without a computer', async () => {
    const { disabledReasons } = await resolve({ computer: null });
    expect(disabledReasons).toMatchObject([{ name: 'vision_ocr', reason: 'no_computer' }]);
  });
});
