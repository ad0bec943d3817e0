import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from './client.js';
import { addPerson } from './people.js';
import {
  callTools,
  makeSandboxAgent,
  startSandboxScene,
  type SandboxScene,
} from './sandbox_scene.js';
import { auditOf } from './scenario.js';

const BASE = '/admin/netaclaw/sandbox';
const driver = 'shipyard_neo';
const SKILL = '---\nname: bean-care\ndescription: Cares for beans.\n---\n\nWater them.\n';

let scene: SandboxScene;
let agent: Json;

beforeAll(async () => {
  scene = await startSandboxScene();
  agent = await makeSandboxAgent(scene);
  await callTools(
    scene,
    { agent },
    ['create_skill_payload', { payload: { skill_markdown: SKILL }, kind: 'skill' }],
    [
      'create_skill_candidate',
      { skill_key: 'bean-care', source_execution_ids: ['exec-1'], payload_ref: 'payload-1' },
    ],
  );
});
afterAll(() => scene?.end());

const ask = (step: string, body: Json): Promise<Json> =>
  scene.admin.ask(`${BASE}/${step}`, { driver, ...body });
const promote = { candidateId: 'cand-1', stage: 'stable' };

it('a candidate that an agent made is listed, with its content', async () => {
  const { list } = await ask('skillCandidates', {});
  expect(list).toMatchObject([{ id: 'cand-1', skillKey: 'bean-care', passed: null }]);
  const { payload } = await ask('skillPayload', { payloadRef: 'payload-1' });
  expect(payload.skill_markdown).toBe(SKILL);
});

it('is not released before an evaluation has passed', async () => {
  const answer = await scene.admin.post(`${BASE}/skillPromote`, { driver, ...promote });
  expect(answer.body.message).toContain('no passing evaluation');
  expect(answer.status).not.toBe(200);
});

it.each([
  ['operator', [200, 403, 403, 403]],
  ['viewer', [403, 403, 403, 403]],
] as const)('a person with the role %s may do %j of it', async (role, statuses) => {
  const { client } = await addPerson(scene.app, scene.admin, { username: `a-${role}`, role });
  const bodies: [string, Json][] = [
    ['skillEvaluate', { candidateId: 'cand-1', passed: true, score: 0.9 }],
    ['skillPromote', promote],
    ['skillRollback', { releaseId: 'rel-1' }],
    ['skillSync', { releaseId: 'rel-1' }],
  ];
  const answers: number[] = [];
  for (const [step, body] of bodies) {
    answers.push((await client.post(`${BASE}/${step}`, { driver, ...body })).status);
  }
  expect(answers).toEqual(statuses);
});

describe('a stable release', () => {
  it('is drafted into the skill store, waits for review there, and is in the audit', async () => {
    expect(await ask('skillPromote', promote)).toMatchObject({
      release: { id: 'rel-1', stage: 'stable' },
      draft: 'bean-care',
    });
    const { list } = await scene.admin.ask('/admin/netaclaw/skill/page', {});
    expect(list).toMatchObject([{ name: 'bean-care', status: 'draft', publishedNumber: null }]);
    expect(await auditOf(scene.admin, 'sandboxSkill:cand-1', 'sandbox.skillPromote')).toHaveLength(
      1,
    );
  });

  it('can be drafted again, and the one before it is gone back to', async () => {
    expect(await ask('skillSync', { releaseId: 'rel-1' })).toMatchObject({ draft: 'bean-care' });
    await ask('skillPromote', { ...promote, syncToLocal: false });
    const { list } = await ask('skillReleases', { activeOnly: true });
    expect(list).toMatchObject([{ id: 'rel-2' }]);
    expect(await ask('skillRollback', { releaseId: 'rel-2' })).toMatchObject({ id: 'rel-1' });
    expect(await auditOf(scene.admin, 'sandboxSkill:rel-2', 'sandbox.skillRollback')).toHaveLength(
      1,
    );
  });

  it('of a driver that has none is refused with a sentence', async () => {
    const body = { driver: 'boxlite' };
    const answer = await scene.admin.post(`${BASE}/skillReleases`, body);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringContaining('the driver boxlite has no releases of skills'),
    ]);
  });
});
