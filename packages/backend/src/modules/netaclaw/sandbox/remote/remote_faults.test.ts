import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bootRequest, refusal, run } from '../../../../../test/booter_conformance.js';
import { BAY_KEY, BayStandIn } from '../../../../../test/sandbox_services/bay.js';
import { hostOf, HURRIED } from '../../../../../test/sandbox_services/hosts.js';
import { ShipyardStandIn, SHIPYARD_TOKEN } from '../../../../../test/sandbox_services/shipyard.js';
import type { Booter, BooterHost, BootRequest } from '../booter.js';
import { createHost as createShipyard } from '../booters/shipyard.js';
import shipyardDriver from '../booters/shipyard_driver.js';
import { createHost as createNeo } from '../booters/shipyard_neo.js';
import neoDriver from '../booters/shipyard_neo_driver.js';

const never = new AbortController().signal;

describe('Shipyard Neo', () => {
  let bay: BayStandIn;
  let host: BooterHost;
  beforeEach(async () => {
    bay = await new BayStandIn().start();
    host = hostOf(neoDriver, createNeo, { url: bay.url, key: BAY_KEY });
  });
  afterEach(() => bay.close());

  const boot = async (fields: Partial<BootRequest> = {}) => {
    const booter = host.create({ ...bootRequest('session'), ...fields });
    return { booter, computer: await booter.boot(never) };
  };

  it('takes an idle sandbox as it is, without waiting', async () => {
    bay.newStatus = 'idle';
    const { computer } = await boot();
    expect(bay.count(/^GET \/v1\/sandboxes/)).toBe(0);
    expect((await run(computer, 'echo up')).stdout).toBe('up\n');
  });

  it('waits for a sandbox that is starting', async () => {
    bay.startingLooks = 4;
    await boot();
    expect(bay.count(/^GET \/v1\/sandboxes\//)).toBe(4);
  });

  it('chooses the first profile when none is asked for', async () => {
    await boot();
    expect(bay.last.profile).toBe('python-default');
    await boot({ profile: 'browser' });
    expect(bay.last.profile).toBe('browser');
  });

  it('creates one sandbox though the connection drops after it was created', async () => {
    bay.fail(/^POST \/v1\/sandboxes$/, { drop: 'after', times: 2 });
    await boot();
    expect(bay.boxes.size).toBe(1);
    const keys = bay.requests
      .filter(({ method, path }) => method === 'POST' && path === '/v1/sandboxes')
      .map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(3);
  });

  it.each([429, 500, 502, 503])('tries to create again after %d', async (status) => {
    bay.fail(/^POST \/v1\/sandboxes$/, { times: 2, answer: { status } });
    await boot();
    expect(bay.boxes.size).toBe(1);
  });

  it('gives up after three tries, with a sentence though the service gave none', async () => {
    bay.fail(/^POST \/v1\/sandboxes$/, { times: 99, answer: { status: 500 } });
    await expect(boot()).rejects.toMatchObject({
      ...refusal('unavailable'),
      message: expect.stringContaining('it answered 500 and gave no reason'),
    });
    expect(bay.count(/^POST/)).toBe(3);
  });

  it('deletes a sandbox that does not come up', async () => {
    bay.startingLooks = 2;
    bay.newStatus = 'failed';
    await expect(boot()).rejects.toMatchObject({
      ...refusal('unavailable'),
      message: expect.stringContaining('failed'),
    });
    expect(bay.boxes.size).toBe(0);
  });

  it('deletes a sandbox whose boot is cancelled', async () => {
    bay.startingLooks = 99;
    const abort = new AbortController();
    const booting = host.create(bootRequest('session')).boot(abort.signal);
    setTimeout(() => abort.abort(), 50);
    await expect(booting).rejects.toMatchObject({ name: 'ComputerError' });
    expect(bay.boxes.size).toBe(0);
  });

  it('waits as long as a sandbox that is not ready asks to, and runs the command once', async () => {
    const { computer } = await boot();
    const details = { sandbox_id: bay.last.id, retry_after_ms: 40 };
    const error = { code: 'session_not_ready', message: 'starting', details };
    bay.fail(/shell\/exec$/, { times: 5, answer: { status: 503, body: { error } } });
    const began = performance.now();
    expect((await run(computer, 'echo 1 >> runs; cat runs')).stdout).toBe('1\n');
    expect(performance.now() - began).toBeGreaterThan(5 * 40 - 10);
  });

  it('heeds a Retry-After header', async () => {
    const { booter } = await boot();
    bay.fail(/^GET \/v1\/sandboxes/, {
      answer: { status: 503, headers: { 'retry-after': '0.3' } },
    });
    const began = performance.now();
    expect(await booter.healthy()).toBe(true);
    expect(performance.now() - began).toBeGreaterThan(250);
  });

  it('never runs a command twice, whatever breaks', async () => {
    const { computer } = await boot();
    bay.fail(/shell\/exec$/, { drop: 'after' });
    await expect(run(computer, 'echo x >> once')).rejects.toMatchObject(refusal('unavailable'));
    expect((await run(computer, 'cat once')).stdout).toBe('x\n');
  });

  it('keeps the workspace through passing faults: they are thrown, not taken for the end', async () => {
    const { booter, computer } = await boot();
    await computer.files.writeText('kept.txt', 'still here');
    bay.fail(/^GET \/v1\/sandboxes/, { times: 3, answer: { status: 500 } });
    await expect(booter.healthy()).rejects.toMatchObject(refusal('unavailable'));
    bay.fail(/^GET \/v1\/sandboxes/, { times: 3, drop: 'before' });
    await expect(booter.healthy()).rejects.toMatchObject(refusal('unavailable'));
    expect(await booter.healthy()).toBe(true);
    expect(await computer.files.readText('kept.txt')).toBe('still here');
    expect(bay.count(/^DELETE/)).toBe(0);
  });

  it('is not gone because of a key that does not fit', async () => {
    const { booter } = await boot();
    const error = { code: 'unauthorized', message: 'no' };
    bay.fail(/^GET \/v1\/sandboxes/, { answer: { status: 401, body: { error } } });
    await expect(booter.healthy()).rejects.toMatchObject({
      ...refusal('denied'),
      message: expect.stringContaining('BAY_API_KEY'),
    });
    expect(await booter.healthy()).toBe(true);
  });

  it.each(['expired', 'deleted'])('is gone once it is %s', async (how) => {
    const { booter, computer } = await boot();
    if (how === 'expired') bay.expire(bay.last.id);
    else bay.boxes.delete(bay.last.id);
    await expect(run(computer, 'true')).rejects.toMatchObject(refusal('gone'));
    expect(await booter.healthy()).toBe(false);
  });

  it('finds the earlier sandbox again, stopped or not, with its files', async () => {
    const { booter, computer } = await boot();
    await computer.files.writeText('kept.txt', 'mine');
    await booter.shutdown();
    expect(bay.last.status).toBe('idle');
    const again = await boot({ resume: booter.remoteId });
    expect(again.booter.keepsFiles).toBe(true);
    expect(await again.computer.files.readText('kept.txt')).toBe('mine');
    expect(bay.boxes.size).toBe(1);
  });

  it('boots a new one where the earlier one is gone, and says so', async () => {
    const { booter } = await boot({ resume: 'sandbox-999' });
    expect(booter.keepsFiles).toBe(false);
    expect(bay.boxes.size).toBe(1);
  });

  it('does not take a fault for the end of the earlier one', async () => {
    const { booter } = await boot();
    bay.fail(/^GET \/v1\/sandboxes/, { times: 3, answer: { status: 502 } });
    await expect(boot({ resume: booter.remoteId })).rejects.toMatchObject(refusal('unavailable'));
    expect(bay.boxes.size).toBe(1);
    expect(bay.count(/^DELETE/)).toBe(0);
  });

  it('reads a 502 that means 404 as a missing file, at once', async () => {
    const { computer } = await boot();
    const asked = bay.requests.length;
    await expect(computer.files.list('missing')).rejects.toMatchObject(refusal('not_found'));
    await expect(computer.files.remove('missing')).rejects.toMatchObject(refusal('not_found'));
    await expect(computer.files.readText('missing')).rejects.toMatchObject(refusal('not_found'));
    expect(bay.requests.length - asked).toBe(3);
  });

  it('tries again after a 502 that means something else', async () => {
    const { computer } = await boot();
    await computer.files.writeText('a', 'b');
    const error = { code: 'ship_error', message: 'connection refused' };
    bay.fail(/download$/, { answer: { status: 502, body: { error } } });
    expect(await computer.files.readText('a')).toBe('b');
  });

  it('explains an absolute path', async () => {
    const { computer } = await boot();
    await expect(computer.files.writeText('/etc/x', '')).rejects.toMatchObject({
      ...refusal('invalid_path'),
      message: expect.stringContaining('relative'),
    });
  });

  it.each(['', ' ', 'a\nb', 'a\0b'])('refuses the path %j before asking', async (path) => {
    const { computer } = await boot();
    const asked = bay.requests.length;
    await expect(computer.files.readText(path)).rejects.toMatchObject(refusal('invalid_path'));
    expect(bay.requests).toHaveLength(asked);
  });

  it('asks for no more time than the service allows', async () => {
    const { computer } = await boot();
    await run(computer, 'true', { timeoutMs: 3_600_000 });
    await computer.python?.run({ code: 'pass', timeoutMs: 3_600_000, signal: never });
    await computer.python?.run({ code: 'pass', timeoutMs: 1, signal: never });
    const asked = bay.requests.flatMap(({ body }) => body?.timeout ?? []);
    expect(asked).toEqual([300, 300, 1]);
  });

  it('names what this sandbox cannot do, and what it can', async () => {
    const { computer } = await boot();
    expect(computer.browser).toBeNull();
    const details = { capability: 'python', available: ['shell'] };
    const error = { code: 'capability_not_supported', message: 'no python', details };
    bay.fail(/python/, { answer: { status: 400, body: { error } } });
    const running = computer.python?.run({ code: '1', timeoutMs: 1000, signal: never });
    await expect(running).rejects.toMatchObject({
      ...refusal('unsupported'),
      message: expect.stringContaining('It offers: shell'),
    });
  });

  it('words a schema failure', async () => {
    const { computer } = await boot();
    const detail = [{ loc: ['body', 'command'], msg: 'field required', type: 'missing' }];
    bay.fail(/shell/, { answer: { status: 422, body: { detail } } });
    await expect(run(computer, 'x')).rejects.toThrow('command: field required');
  });

  it('lives longer when it is extended, and takes "it never ends" for an answer', async () => {
    const { booter } = await boot();
    const before = booter.expiresAt?.getTime() ?? 0;
    await booter.extend(600);
    expect(booter.expiresAt?.getTime()).toBe(before + 600_000);
    bay.last.expiresAt = null;
    await booter.extend(600);
    expect(booter.expiresAt).toBeNull();
  });

  it('brings files in though an upload breaks off', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'upload-'));
    await writeFile(join(folder, 'in'), 'bytes');
    const { computer } = await boot();
    bay.fail(/upload$/, { drop: 'before', times: 2 });
    await computer.files.upload(join(folder, 'in'), 'a/in');
    expect(await computer.files.readText('a/in')).toBe('bytes');
    await rm(folder, { recursive: true });
  });

  it('keeps its key out of every sentence', async () => {
    const error = { code: 'conflict', message: `key ${BAY_KEY} has no quota` };
    bay.fail(/^POST/, { answer: { status: 409, body: { error } } });
    await expect(boot()).rejects.toThrow(/key \*\*\* has no quota/);
  });

  it('reaches nothing that the egress rules refuse', async () => {
    const outside = hostOf(neoDriver, createNeo, { url: 'http://10.1.2.3:1', key: 'k' });
    await expect(outside.check(never)).rejects.toMatchObject({
      ...refusal('denied'),
      message: expect.stringContaining('EGRESS_ALLOW'),
    });
  });

  it('says within its time that a service does not answer', async () => {
    const pace = { ...HURRIED, client: { tries: 1 } };
    const dead = hostOf(neoDriver, createNeo, { url: 'http://127.0.0.1:1', key: 'k', pace });
    await expect(dead.check(never)).rejects.toMatchObject({
      ...refusal('unavailable'),
      message: expect.stringContaining('http://127.0.0.1:1'),
    });
  });

  it('can be ended for good, twice', async () => {
    const { booter } = await boot();
    await booter.destroy();
    await booter.destroy();
    expect(bay.boxes.size).toBe(0);
    expect(await booter.healthy()).toBe(false);
  });
});

describe('Shipyard', () => {
  let yard: ShipyardStandIn;
  let booter: Booter;
  beforeEach(async () => {
    yard = await new ShipyardStandIn().start();
    const host = hostOf(shipyardDriver, createShipyard, { url: yard.url, key: SHIPYARD_TOKEN });
    booter = host.create(bootRequest('会话 一'));
  });
  afterEach(() => yard.close());

  it('sends a session name of any language as a header can hold it', async () => {
    await run(await booter.boot(never), 'true');
    const sent = yard.requests.flatMap(({ headers }) => headers['x-session-id'] ?? []);
    expect(new Set(sent).size).toBe(1);
    expect(sent[0]).toMatch(/^[0-9a-f]{40}$/);
  });

  it('ends a command before the service does, and keeps what it wrote', async () => {
    yard.longestSeconds = 30;
    const computer = await booter.boot(never);
    const limits = { timeoutMs: 500 };
    expect(await run(computer, 'echo begun; sleep 60', limits)).toMatchObject({
      timedOut: true,
      stdout: 'begun\n',
    });
    await run(computer, 'true', { timeoutMs: 600_000 });
    const sent = yard.requests.at(-1)?.body.payload;
    expect(sent.timeout).toBe(30);
    expect(sent.command).toContain('timeout -k 1 28 ');
  });

  it('is a time-out with what the service allows when the service was first after all', async () => {
    yard.longestSeconds = 1;
    const computer = await booter.boot(never);
    const result = await run(computer, 'sleep 20', { timeoutMs: 600_000 });
    expect(result).toEqual({
      exitCode: null,
      stdout: '',
      stderr: '',
      timedOut: true,
      allowedMs: 28_000,
    });
  });

  it('reads times without a zone as UTC', async () => {
    await booter.boot(never);
    const left = (booter.expiresAt?.getTime() ?? 0) - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThan(3_700_000);
  });

  it('is gone once its ship is deleted or stopped', async () => {
    const computer = await booter.boot(never);
    yard.last.status = 0;
    expect(await booter.healthy()).toBe(false);
    yard.ships.clear();
    await expect(run(computer, 'true')).rejects.toMatchObject(refusal('gone'));
  });

  it('keeps the ship when only a file is missing', async () => {
    const computer = await booter.boot(never);
    await expect(computer.files.readText('no')).rejects.toMatchObject(refusal('not_found'));
    await expect(computer.files.list('no')).rejects.toMatchObject(refusal('not_found'));
    expect(await booter.healthy()).toBe(true);
  });

  it('never makes a second ship by trying again', async () => {
    yard.fail(/^POST \/ship$/, { drop: 'after' });
    await expect(booter.boot(never)).rejects.toMatchObject(refusal('unavailable'));
    expect(yard.ships.size).toBe(1);
  });
});
