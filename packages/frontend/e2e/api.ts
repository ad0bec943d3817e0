import {
  agentRoutes,
  apiKeyRoutes,
  authRoutes,
  channelRoutes,
  chatAnswerSchema,
  chatRoutes,
  crewRoutes,
  skillRoutes,
  userRoutes,
  type Crew,
  type Route,
} from '@netaclaw/contracts';
import { z } from 'zod';
import { adminPassword } from './console.js';
import type { Places } from './pages.js';

/** Calls the server as a program does, to lay out what a test looks at. */
export interface Api {
  call<A extends z.ZodType, B extends z.ZodType>(
    route: Route<B, never, never, A>,
    body: z.input<B>,
  ): Promise<z.output<A>>;
}

export async function apiOf(
  url: string,
  person = { username: 'admin', password: adminPassword },
): Promise<Api> {
  let token: string | null = null;
  const api: Api = {
    async call(route, body) {
      const response = await fetch(`${url}${route.path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error(`${route.path}: ${JSON.stringify(answer)}`);
      const { data } = z.object({ data: z.unknown() }).parse(answer);
      return route.answer.parse(data);
    },
  };
  ({ token } = await api.call(authRoutes.login, person));
  return api;
}

/** Of everybody whom `furnish` adds. */
export const otherPassword = 'another-long-password';

/** One turn of an agent. */
export async function chat(api: Api, agent: string, message: string) {
  return chatAnswerSchema.parse(await api.call(chatRoutes.chat, { agent, message }));
}

/** A crew that leads itself in rehearsal: what its master is told to call, it delegates. */
export async function addCrew(api: Api, name: string): Promise<Crew> {
  const agents = await api.call(agentRoutes.list, {});
  const channelId = (await api.call(channelRoutes.list, {})).find(
    (channel) => channel.name === 'Rehearsal',
  )?.id;
  const ofCrew = (agent: string) => ({ name: `${name}-${agent}`, channelId: channelId ?? null });
  const master = await api.call(agentRoutes.add, { ...ofCrew('chief'), toolsets: [] });
  const writer = await api.call(agentRoutes.add, { ...ofCrew('writer'), toolsets: ['planning'] });
  const demo = agents.find((agent) => agent.name === 'demo');
  return api.call(crewRoutes.add, {
    name,
    label: 'The press',
    masterAgentId: master.id,
    members: [
      { agentId: writer.id, alias: 'writer', description: 'Writes.' },
      { agentId: demo?.id ?? 0 },
    ],
  });
}

/** A skill of two versions: agents have the first, the second waits for approval. */
async function addSkill(api: Api): Promise<number> {
  const content = (body: string): string =>
    `---\nname: tidy-notes\ndescription: Tidies notes. Use it after a meeting.\nlicense: MIT\nmetadata:\n  author: house\nallowed-tools: read_file write_file\n---\n\n# Steps\n\n${body}\n`;
  const { id, version } = await api.call(skillRoutes.add, { content: content('1. Read them.') });
  const approved = await api.call(skillRoutes.review, { id, version, decision: 'approve' });
  const first = await api.call(skillRoutes.publish, { id, version: approved.version });
  const second = await api.call(skillRoutes.update, {
    id,
    version: first.version,
    content: content('1. Read them.\n2. Sort them.'),
  });
  await api.call(skillRoutes.review, {
    id,
    version: second.version,
    decision: 'submit',
    comment: 'One step more.',
  });
  return id;
}

/** A console in use: users of every role, a channel, an agent, a key, a run with a tool call. */
export async function furnish(api: Api): Promise<Places> {
  for (const role of ['operator', 'viewer'] as const) {
    const user = { username: `a-${role}`, password: otherPassword, role };
    await api.call(userRoutes.add, user);
  }
  await api.call(channelRoutes.add, {
    name: 'house model',
    protocol: 'openai_chat',
    baseUrl: 'https://models.example.com/v1',
    apiKey: 'sk-of-nobody-1234',
    model: 'house-large',
    capability: 'vision',
    headers: { 'x-team': 'operations' },
    params: { temperature: 0.2 },
  });
  await api.call(apiKeyRoutes.add, { name: 'nightly report', agents: ['demo'] });
  const skillId = await addSkill(api);
  const agent = await api.call(agentRoutes.add, {
    name: 'careful',
    label: 'Careful helper',
    description: 'Reads before it writes.',
    systemPrompt: 'You are careful.\n\nRead a file before you change it.',
    runtime: 'local',
    tools: { disabled: ['bash'] },
    skills: ['tidy-notes'],
    pinnedSkills: ['tidy-notes'],
  });
  const { runId } = await chat(api, 'demo', 'CALL list_dir {}');
  const crew = await addCrew(api, 'press');
  const message = `CALL delegate_writer ${JSON.stringify({ task: 'Write about bees.' })}`;
  await api.call(chatRoutes.chat, { crew: crew.name, message });
  return { agentId: agent.id, runId, crewId: crew.id, skillId };
}
