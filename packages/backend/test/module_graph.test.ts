import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ensureBuilt,
  makeInstallation,
  startBuilt,
  type BuiltServer,
  type Installation,
} from './built_server.js';

/** Prints the address of every module that is loaded. */
const HOOKS =
  "import{writeSync}from'node:fs';export async function load(url,context,next){writeSync(2,'loaded '+url+'\\n');return next(url,context)}";
const asModule = (code: string): string =>
  `data:text/javascript,${encodeURIComponent(code).replaceAll("'", '%27')}`;
const REGISTER = asModule(
  `import{register}from'node:module';register(${JSON.stringify(asModule(HOOKS))});`,
);

let installation: Installation;
let server: BuiltServer;

beforeAll(async () => {
  ensureBuilt();
  installation = await makeInstallation({ NODE_OPTIONS: `--import=${REGISTER}` });
  server = await startBuilt(installation);
});
afterAll(async () => {
  await server?.end('SIGTERM');
  await installation?.remove();
});

it('a server that starts knows every driver and loads none', () => {
  const booters = [...server.output().matchAll(/sandbox\/booters\/(\w+)\.js/g)].map(
    ([, name]) => name,
  );
  expect(new Set(booters)).toEqual(
    new Set(['local_driver', 'shipyard_driver', 'shipyard_neo_driver', 'boxlite_driver']),
  );
});
