// Runs the pinned pnpm through npx, so that a fresh clone needs nothing but Node and npm.
//   node scripts/pnpm.mjs [--setup] <pnpm arguments>
import { run, setup } from './setup.mjs';

const args = process.argv.slice(2);
if (args[0] === '--setup') {
  args.shift();
  setup();
}
run(args);
