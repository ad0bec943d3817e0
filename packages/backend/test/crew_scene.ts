import type { Json } from './client.js';
import { makeAgent, wireSystem, type Scenario } from './scenario.js';
import { calls, text, type Reply } from './scripted_provider.js';

/** A play: every agent of a crew speaks through one scripted model, told apart by its system prompt. */
export function play(parts: Readonly<Record<string, (request: Json) => Reply>>): Reply {
  return (response, request) => {
    const [, name = ''] = /I am agent (\S+)\./.exec(wireSystem(request)) ?? [];
    const part = parts[name];
    return (part ? part(request) : text(`no part for ${name}`))(response, request);
  };
}

/** Has delegated already: its last message is a result. */
export const hasResults = ({ body }: Json): boolean => body.messages.at(-1)?.role === 'tool';

/** Of a request: the results of its last round, as the master reads them. */
export const resultsIn = ({ body }: Json): string[] => {
  const from = body.messages.findLastIndex(({ role }: Json) => role === 'assistant');
  return body.messages.slice(from + 1).map(({ content }: Json) => String(content));
};

/** Delegates to all of these at once, then says `end`. */
export const master =
  (tasks: readonly [member: string, task: string][], end = 'All done.') =>
  (request: Json): Reply =>
    hasResults(request)
      ? text(end)
      : calls(
          ...tasks.map(([member, task], index) => ({
            name: `delegate_${member}`,
            arguments: JSON.stringify({ task }),
            id: `call_${index}`,
          })),
        );

let count = 0;

/** An agent whose system prompt says its name, so that a play knows it. */
export async function makePlayer(scenario: Scenario, fields: Json = {}): Promise<Json> {
  const name = fields.name ?? `player-${++count}`;
  return makeAgent(scenario, { name, systemPrompt: `I am agent ${name}.`, ...fields });
}

/** A crew of a fresh master and these members, each with its alias. */
export async function makeCrew(
  scenario: Scenario,
  members: Readonly<Record<string, Json>>,
  fields: Json = {},
): Promise<{ crew: Json; chief: Json }> {
  const chief = await makePlayer(scenario, { toolsets: [] });
  const crew = await scenario.admin.ask('/admin/netaclaw/crew/add', {
    name: `crew-${++count}`,
    masterAgentId: chief.id,
    members: Object.entries(members).map(([alias, { id }]) => ({ agentId: id, alias })),
    ...fields,
  });
  return { crew, chief };
}

/** The runs that a run delegated to, as its detail lists them. */
export const childrenOf = async ({ admin }: Scenario, runId: string): Promise<Json[]> =>
  (await admin.get(`/admin/netaclaw/run/info?id=${runId}`)).data.childRuns;
