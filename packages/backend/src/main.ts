import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { Bootstrap, BootstrapStarter } from '@midwayjs/bootstrap';
import { appModule } from './app_module.js';
import { frameworkLogger } from './modules/base/log/logger.js';
import { parseSettings } from './settings.js';

/** A wrong setting, a taken port, an unreachable database: one clear line, and the end. */
function giveUp(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`NetaClaw cannot start: ${message}\n`);
  process.exit(1);
}

/** Midway would log a failed start with its stack and end the process before it could be told here. */
class Starter extends BootstrapStarter {
  override run(): Promise<void> {
    return super.run().catch(giveUp);
  }
}

class Server extends Bootstrap {
  protected static override starter = new Starter();
}

// What the server writes (conversations, uploads, keys) is for its own user alone.
process.umask(0o077);

try {
  parseSettings(process.env);
  await Server.configure({
    appDir: process.cwd(),
    baseDir: fileURLToPath(new URL('.', import.meta.url)),
    logger: frameworkLogger,
    imports: [appModule],
    moduleDetector: false,
    moduleLoadType: 'commonjs',
  }).run();
} catch (error) {
  giveUp(error);
}
