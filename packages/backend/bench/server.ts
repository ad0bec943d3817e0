// The real server in a child process, with a catalog of ten thousand tools and an agent that gets twenty of them.
import 'reflect-metadata';
import { Bootstrap } from '@midwayjs/bootstrap';
import { AppConfiguration, appModule } from '../src/app_module.js';
import { NetaClawToolRegistryService } from '../src/modules/netaclaw/service/tool_registry.js';
import { NetaClawToolSourcesService } from '../src/modules/netaclaw/service/tool_sources.js';
import { benchSource } from './catalog_of.js';
import { reportToParent } from './child.js';

await Bootstrap.configure({
  appDir: process.cwd(),
  baseDir: process.cwd(),
  imports: [appModule],
  moduleDetector: false,
  moduleLoadType: 'commonjs',
}).run();
const container = Bootstrap.getApplicationContext();
const sources = await container.getAsync(NetaClawToolSourcesService);
sources.add(benchSource(Number(process.argv[2] ?? 10_000)));
await (await container.getAsync(NetaClawToolRegistryService)).syncCatalogToDb(null);
reportToParent((await container.getAsync(AppConfiguration)).port);
