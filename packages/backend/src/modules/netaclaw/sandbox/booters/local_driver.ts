import { booterKinds } from '@netaclaw/contracts';
import type { SandboxDriver } from '../booter.js';
import { codeTools, fileTools } from '../tool_lists.js';
import { WORKSPACE_ALIAS } from '../workspace_path.js';

const localDriver: SandboxDriver = {
  kind: booterKinds.local,
  label: 'The local computer',
  runtime: 'local',
  defaultTools: () => [...codeTools, ...fileTools],
  defaultPrompts: ({ localIsolation }) => [
    `You have a workspace folder of your own on this server. Paths are relative to its root. Each command starts afresh in that root: a changed folder, a variable or a background process does not outlive it.${
      localIsolation === 'bubblewrap'
        ? ` Commands see it as ${WORKSPACE_ALIAS}, have no network, and cannot change anything outside it but /tmp, which is emptied after each command.`
        : ''
    }`,
  ],
  problem: () => null,
  load: () => import('./local.js'),
};
export default localDriver;
