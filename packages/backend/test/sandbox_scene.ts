import { BAY_KEY, BayStandIn } from './sandbox_services/bay.js';
import type { Json } from './client.js';
import { chat, makeAgent, startScenario, type Scenario } from './scenario.js';
import { calls, text } from './scripted_provider.js';

/** A running application with a stand-in of Shipyard Neo behind it. */
export interface SandboxScene extends Scenario {
  bay: BayStandIn;
}

export async function startSandboxScene(settings: Record<string, string> = {}) {
  const bay = await new BayStandIn().start();
  const scenario = await startScenario({ BAY_URL: bay.url, BAY_API_KEY: BAY_KEY, ...settings });
  return {
    ...scenario,
    bay,
    async end() {
      await scenario.end();
      await bay.close();
    },
  };
}

/** All toolsets that a sandbox brings, and the base. */
export const SANDBOX_TOOLSETS = ['base', 'sandbox', 'browser', 'skill_lifecycle'];

/** An agent in a sandbox of Shipyard Neo. */
export const makeSandboxAgent = (scene: SandboxScene, fields: Json = {}): Promise<Json> =>
  makeAgent(scene, {
    runtime: 'sandbox',
    sandbox: { driver: 'shipyard_neo', profile: 'browser' },
    toolsets: SANDBOX_TOOLSETS,
    ...fields,
  });

/** One turn in which the model calls these tools at once: the answer, and the results as the model read them. */
export async function callTools(
  scene: SandboxScene,
  {
    agent,
    sessionId,
    as = scene.admin,
  }: { agent: Json; sessionId?: string; as?: Scenario['admin'] },
  ...wanted: readonly [name: string, args: Json][]
): Promise<{ answer: Json; sessionId: string; results: string[] }> {
  const scripted = wanted.map(([name, args]) => ({ name, arguments: JSON.stringify(args) }));
  scene.provider.script(calls(...scripted), text('Done.'));
  const answer = await chat(as, { agent: agent.name, ...(sessionId ? { sessionId } : {}) });
  const { messages = [] } = scene.provider.requests.at(-1)?.body ?? {};
  const from = messages.findLastIndex(({ role }) => role === 'assistant');
  const results = messages.slice(from + 1).map(({ content }) => String(content));
  return { answer, sessionId: answer.sessionId, results };
}
