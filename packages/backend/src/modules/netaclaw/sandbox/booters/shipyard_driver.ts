import { booterKinds } from '@netaclaw/contracts';
import type { SandboxDriver } from '../booter.js';
import { SANDBOX_PROMPT, sandboxTools } from '../tool_lists.js';

const shipyardDriver: SandboxDriver = {
  kind: booterKinds.shipyard,
  label: 'The Shipyard sandbox',
  runtime: 'sandbox',
  defaultTools: () => sandboxTools,
  defaultPrompts: () => [SANDBOX_PROMPT],
  problem({ service }) {
    if (service === null) return 'Set SHIPYARD_URL to the address of the Shipyard service.';
    return service.key === null ? 'Set SHIPYARD_TOKEN to the token of the Shipyard service.' : null;
  },
  load: () => import('./shipyard.js'),
};
export default shipyardDriver;
