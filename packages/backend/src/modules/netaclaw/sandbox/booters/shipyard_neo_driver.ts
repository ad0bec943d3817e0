import { booterKinds } from '@netaclaw/contracts';
import type { SandboxDriver } from '../booter.js';
import { browserTools, lifecycleTools, SANDBOX_PROMPT, sandboxTools } from '../tool_lists.js';

/** The service's word for a sandbox that has a browser. */
const BROWSER = 'browser';

const PATH_RULE =
  '# Paths in the sandbox\nPaths are relative to the root of the workspace: write "report.md" or "data/in.csv", never "/workspace/report.md".';

const SKILL_RULE = `# Skills made in the sandbox
A skill goes this way, in this order:
1. A payload holds its content.
2. A candidate names the payload and the executions that it comes from.
3. An evaluation of the candidate must pass. Nothing is released without it.
4. A release: stage "canary" for trial, stage "stable" for production. With sync_to_local a stable release is also drafted into the skill store of this server, where a person reviews it.
A released skill is changed by a new payload, a new candidate and a new release. Files made on the side are no skills.`;

const neoDriver: SandboxDriver = {
  kind: booterKinds.shipyardNeo,
  label: 'The Shipyard Neo sandbox',
  runtime: 'sandbox',
  hasProfiles: true,
  hasSkillReleases: true,
  defaultTools: (capabilities) => [
    ...sandboxTools,
    ...lifecycleTools,
    ...(capabilities === null || capabilities.includes(BROWSER) ? browserTools : []),
  ],
  defaultPrompts: () => [PATH_RULE, SKILL_RULE, SANDBOX_PROMPT],
  problem({ service }) {
    if (service === null) return 'Set BAY_URL to the address of the Shipyard Neo service.';
    return service.key === null && service.dataDir === null
      ? 'Set BAY_API_KEY to a key of the Shipyard Neo service, or BAY_DATA_DIR to the folder with its credentials.json.'
      : null;
  },
  load: () => import('./shipyard_neo.js'),
};
export default neoDriver;
