import type { BooterHost, HostParts } from '../booter.js';
import { ComputerError } from '../components.js';
import { RemoteBooter } from '../remote/remote_booter.js';
import { ServiceClient } from '../remote/service_client.js';
import type { RemotePace } from './shipyard_neo.js';
import { shipMeaning, Ships } from './ships.js';

/** The sandboxes of a Shipyard service, the one before Neo. */
export function createHost(
  { driver, settings, egress }: HostParts,
  pace: RemotePace = {},
): BooterHost {
  const { service } = settings;
  if (service === null) {
    throw new ComputerError('unavailable', driver.problem(settings) ?? '');
  }
  const client = new ServiceClient({
    name: 'Shipyard',
    baseUrl: service.url,
    egress,
    headers: async () => ({ authorization: `Bearer ${service.key ?? ''}` }),
    secret: () => service.key,
    ...(pace.client ? { pace: pace.client } : {}),
  });
  const parts = {
    driver,
    prompts: driver.defaultPrompts(settings),
    service: new Ships(client),
    ...(pace.boot ? { pace: pace.boot } : {}),
  };
  return {
    create: (request) => new RemoteBooter(parts, request),
    erase: async () => {},
    unavailableTools: async () => [],
    async check(signal) {
      const meaning = shipMeaning({ doing: 'say how it is' });
      await client.json({ method: 'GET', path: '/health', repeatable: true, signal, meaning });
      return { version: null };
    },
    profiles: null,
    skills: null,
  };
}
