import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, TestClient } from './client.js';
import { streamChat } from './event_stream.js';
import { addPerson } from './people.js';
import {
  callTools,
  makeSandboxAgent,
  startSandboxScene,
  type SandboxScene,
} from './sandbox_scene.js';
import { chat, wireSystem } from './scenario.js';
import { calls, text } from './scripted_provider.js';

let scene: SandboxScene;
let agent: Json;

beforeAll(async () => {
  scene = await startSandboxScene();
  agent = await makeSandboxAgent(scene);
});
afterAll(() => scene?.end());

async function upload(client: TestClient, name: string, content: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  const response = await fetch(`${client.url}/api/netaclaw/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}` },
    body: form,
  });
  const answer: Json = await response.json();
  return answer.data.fileId;
}
const readBack = async (path: string): Promise<string> =>
  (await scene.bay.last.workspace.read(path)).toString();
const download: [string, Json] = ['download_file', { remote_path: 'out/plan.txt' }];
const written: [string, Json] = ['write_file', { path: 'out/plan.txt', content: 'Plant beans.' }];

describe('a file that a person attaches', () => {
  it('is in the sandbox before the model is asked, and the prompt says where', async () => {
    const fileId = await upload(scene.admin, 'seeds.csv', 'bean,3');
    scene.provider.script(text('I see it.'));
    await chat(scene.admin, {
      agent: agent.name,
      message: [
        { type: 'text', text: 'Look' },
        { type: 'file', fileId },
      ],
    });
    const request = scene.provider.requests.at(-1);
    const said = `${wireSystem(request)}${JSON.stringify(request?.body.messages)}`;
    const path = /uploads\/[^"\s\\]*seeds\.csv/.exec(said)?.[0] ?? 'the prompt names no path';
    expect(await readBack(path)).toBe('bean,3');
  });

  it('is brought in by its name, into the working directory', async () => {
    await upload(scene.admin, 'late.txt', 'late');
    const { results } = await callTools(scene, { agent }, [
      'upload_file',
      { local_path: '/anything/late.txt' },
    ]);
    expect(results[0]).toContain('late.txt');
    expect(await readBack('late.txt')).toBe('late');
  });

  it('that is not there is an error that says what to do', async () => {
    const { answer, results } = await callTools(scene, { agent }, [
      'upload_file',
      { local_path: 'no-such.txt' },
    ]);
    expect([answer.toolCalls[0].status, results[0]]).toEqual([
      'error',
      expect.stringContaining('no-such.txt'),
    ]);
  });
});

describe('a file that the agent sends', () => {
  it('is told by an event, kept, and opens for its person alone', async () => {
    const { sessionId } = await callTools(scene, { agent }, written);
    scene.provider.script(calls({ name: download[0], arguments: JSON.stringify(download[1]) }));
    scene.provider.script(text('Here it is.'));
    const events = await streamChat(scene.admin, { agent: agent.name, sessionId });
    const file = events.find(({ event }) => event === 'file')?.data;
    expect(file).toMatchObject({ name: 'plan.txt', size: 12, mime: 'text/plain' });
    expect((await scene.admin.get(file.link)).text).toBe('Plant beans.');
    const other = await addPerson(scene.app, scene.admin, { username: 'other', role: 'admin' });
    expect((await other.client.get(file.link)).status).toBe(404);
    expect((await fetch(scene.admin.url + file.link)).status).toBe(401);
    const { data } = await scene.admin.get(`/api/netaclaw/sessions/${sessionId}/messages`);
    expect(data.turns.at(-1).files).toMatchObject([{ fileId: file.fileId, name: 'plan.txt' }]);
  });

  it('can be kept without telling the person', async () => {
    const { sessionId } = await callTools(scene, { agent }, written);
    const args = { ...download[1], also_send_to_user: false };
    const { answer, results } = await callTools(scene, { agent, sessionId }, [download[0], args]);
    expect(results[0]).toContain('The person was not told of it.');
    const events = await scene.admin.get(`/api/netaclaw/runs/${answer.runId}/events`);
    expect(events.text).not.toContain('event: file');
  });

  it('that is not there is an error that names it', async () => {
    const { answer, results } = await callTools(scene, { agent }, [
      'download_file',
      { remote_path: 'nothing.txt' },
    ]);
    expect([answer.toolCalls[0].status, results[0]]).toEqual([
      'error',
      expect.stringContaining('nothing.txt'),
    ]);
  });
});
