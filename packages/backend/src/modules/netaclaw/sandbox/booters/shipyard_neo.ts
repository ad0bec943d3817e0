import type { SandboxProfile } from '@netaclaw/contracts';
import { z } from 'zod';
import type { BooterHost, HostParts } from '../booter.js';
import { ComputerError } from '../components.js';
import { RemoteBooter, type BootPace } from '../remote/remote_booter.js';
import { fieldsOf } from '../remote/answers.js';
import { ServiceClient, type Pace } from '../remote/service_client.js';
import { bayKey } from './bay_credentials.js';
import { neoMeaning } from './neo_requests.js';
import { NeoSandboxes } from './neo_sandboxes.js';
import { NeoSkills } from './neo_skills.js';

const profilesSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      capabilities: z.array(z.string()).default([]),
      description: z.string().nullish(),
    }),
  ),
});

/** How patient it is; tests are in a hurry. */
export interface RemotePace {
  client?: Partial<Pace>;
  boot?: Partial<BootPace>;
}

/** The sandboxes of a Shipyard Neo service ("Bay"). */
export function createHost(
  { driver, settings, egress }: HostParts,
  pace: RemotePace = {},
): BooterHost & { profiles: NonNullable<BooterHost['profiles']> } {
  const { service } = settings;
  if (service === null) throw new ComputerError('unavailable', driver.problem(settings) ?? '');
  let secret = service.key;
  const client = new ServiceClient({
    name: 'Shipyard Neo',
    baseUrl: service.url,
    egress,
    headers: async () => {
      secret = await bayKey(service);
      return { authorization: `Bearer ${secret}` };
    },
    secret: () => secret,
    ...(pace.client ? { pace: pace.client } : {}),
  });
  const skills = new NeoSkills(client);
  const profiles = (signal: AbortSignal) => readProfiles(client, signal);
  const sandboxes = new NeoSandboxes({ client, skills, profiles });
  const parts = {
    driver,
    prompts: driver.defaultPrompts(settings),
    service: sandboxes,
    ...(pace.boot ? { pace: pace.boot } : {}),
  };
  return {
    create: (request) => new RemoteBooter(parts, request),
    erase: async () => {},
    unavailableTools: async () => [],
    check: (signal) => check(client, signal),
    profiles,
    skills,
  };
}

async function check(client: ServiceClient, signal: AbortSignal) {
  const meaning = neoMeaning({ doing: 'say how it is' });
  const health = await client.json({
    method: 'GET',
    path: '/health',
    repeatable: true,
    signal,
    meaning,
  });
  // The health route is open to all: only another one shows that the key is right.
  await readProfiles(client, signal);
  const { version } = fieldsOf(health);
  return { version: typeof version === 'string' ? version : null };
}

async function readProfiles(client: ServiceClient, signal: AbortSignal): Promise<SandboxProfile[]> {
  const answer = await client.json({
    method: 'GET',
    path: '/v1/profiles',
    query: { detail: true },
    repeatable: true,
    signal,
    meaning: neoMeaning({ doing: 'list its profiles' }),
  });
  const parsed = profilesSchema.safeParse(answer);
  if (!parsed.success) {
    throw new ComputerError('failed', 'Shipyard Neo answered what is no list of profiles.');
  }
  return parsed.data.items.map(({ id, capabilities, description }) => ({
    id,
    capabilities,
    description: description ?? null,
  }));
}
