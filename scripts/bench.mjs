// npm run bench: figures against a bare pass-through in the same run, so that they mean something on any machine.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, root, setup } from './setup.mjs';

process.chdir(root);
setup();
build();
const { status } = spawnSync(
  process.execPath,
  ['--import', '@oxc-node/core/register', 'bench/main.ts', ...process.argv.slice(2)],
  { cwd: join(root, 'packages/backend'), stdio: 'inherit' },
);
process.exit(status ?? 1);
