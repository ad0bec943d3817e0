// npm start: sets up, builds what has changed, runs the server in this process.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, root, setup } from './setup.mjs';

process.chdir(root);
setup();
build();
if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
process.env.NODE_ENV ??= 'production';
await import('../packages/backend/dist/main.js');
