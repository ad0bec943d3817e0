import { parseAllowList } from '../../src/modules/base/net/allow_list.js';
import { EgressClient } from '../../src/modules/base/net/egress.js';
import type {
  BooterHost,
  HostParts,
  SandboxDriver,
} from '../../src/modules/netaclaw/sandbox/booter.js';
import type { RemotePace } from '../../src/modules/netaclaw/sandbox/booters/shipyard_neo.js';

/** A pace for tests: no wait is long. */
export const HURRIED: RemotePace = {
  client: { firstWaitMs: 5, startMs: 3000 },
  boot: { pollMs: 10, startMs: 2000, freshMs: 0 },
};

/** A driver's implementation, set up for a service that stands on this machine. */
export function hostOf(
  driver: SandboxDriver,
  create: (parts: HostParts, pace: RemotePace) => BooterHost,
  service: { url: string; key: string | null; dataDir?: string | null; pace?: RemotePace },
): BooterHost {
  const egress = new EgressClient({ allow: parseAllowList('127.0.0.1') });
  const settings = {
    service: { dataDir: null, ...service },
    localIsolation: 'none' as const,
    dataDir: '/nowhere',
  };
  return create({ driver, settings, egress }, service.pace ?? HURRIED);
}
