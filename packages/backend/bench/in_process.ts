import 'reflect-metadata';
import { Bootstrap } from '@midwayjs/bootstrap';
import { appModule } from '../src/app_module.js';
import { NetaClawToolRegistryService } from '../src/modules/netaclaw/service/tool/tool_registry.js';
import { NetaClawToolSourcesService } from '../src/modules/netaclaw/service/tool/tool_sources.js';

/** The application in this process, for what is measured without HTTP. */
export async function startInProcess() {
  await Bootstrap.configure({
    appDir: process.cwd(),
    baseDir: process.cwd(),
    imports: [appModule],
    moduleDetector: false,
    moduleLoadType: 'commonjs',
  }).run();
  const container = Bootstrap.getApplicationContext();
  return {
    sources: await container.getAsync(NetaClawToolSourcesService),
    registry: await container.getAsync(NetaClawToolRegistryService),
    stop: () => Bootstrap.stop(),
  };
}
