import { booterKinds } from '@netaclaw/contracts';
import type { SandboxDriver } from '../booter.js';
import { SANDBOX_PROMPT, sandboxTools } from '../tool_lists.js';

const boxliteDriver: SandboxDriver = {
  kind: booterKinds.boxlite,
  label: 'The Boxlite sandbox',
  runtime: 'sandbox',
  defaultTools: () => sandboxTools,
  defaultPrompts: () => [SANDBOX_PROMPT],
  problem: ({ service }) =>
    service === null ? "Set BOXLITE_URL to the address of the Boxlite container's server." : null,
  load: () => import('./boxlite.js'),
};
export default boxliteDriver;
