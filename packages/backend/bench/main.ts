// npm run bench [-- --turns N]
import { parseArgs } from 'node:util';
import { benchResolver, benchSync } from './core.js';
import { print } from './report.js';
import { benchTurns } from './turns.js';

const { values } = parseArgs({ options: { turns: { type: 'string', default: '4000' } } });

print('Resolver', benchResolver());
const served = await benchTurns(Number(values.turns));
print('Sockets', served.sockets);
print('A turn over REST, against a bare pass-through in the same run', served.turns);
print('Sync of the catalog, embedded database', await benchSync());
process.exit(0);
