// npm start: sets up, builds what has changed, runs the server in this process.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, root, setup } from './setup.mjs';

process.chdir(root);
setup();
build();
if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
process.env.NODE_ENV ??= 'production';
stopWithNpm();
await import('../packages/backend/dist/main.js');

/**
 * npm runs this under a shell, and a signal that ends npm ends that shell without reaching the server:
 * it would go on alone, holding the port and the database. So it stops when its parent has changed.
 */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}
