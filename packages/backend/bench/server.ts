// The real server in a child process, with a catalog of ten thousand tools and an agent that gets twenty of them.
import 'reflect-metadata';
import { Bootstrap } from '@midwayjs/bootstrap';
import { benchSource } from './catalog_of.js';
import { reportToParent } from './child.js';

// As it is built: what the loader of this file makes of TypeScript is not what is run in earnest.
const built = (path: string): Promise<unknown> =>
  import(new URL(`../dist/${path}`, import.meta.url).href);
type AppModule = typeof import('../src/app_module.js');
type Registry = typeof import('../src/modules/netaclaw/service/tool/tool_registry.js');
type Sources = typeof import('../src/modules/netaclaw/service/tool/tool_sources.js');
const { AppConfiguration, appModule } = (await built('app_module.js')) as AppModule;
const { NetaClawToolRegistryService } = (await built(
  'modules/netaclaw/service/tool/tool_registry.js',
)) as Registry;
const { NetaClawToolSourcesService } = (await built(
  'modules/netaclaw/service/tool/tool_sources.js',
)) as Sources;

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
