// npm run bench [-- --turns N]
import { parseArgs } from 'node:util';
import { benchResolver, benchSync } from './core.js';
import { benchCrew } from './crew.js';
import { print } from './report.js';
import { benchSockets } from './sockets.js';
import { benchStreams } from './streams.js';
import { benchTurns, withServers } from './turns.js';

const { values } = parseArgs({ options: { turns: { type: 'string', default: '4000' } } });

print('Resolver', benchResolver());
await withServers(async (bench) => {
  print('Sockets', await benchSockets(bench.server, bench.token));
  print(
    'A turn over REST, against a bare pass-through in the same run',
    await benchTurns(bench, Number(values.turns)),
  );
  print('Streams and long histories, against the same', await benchStreams(bench));
});
print('A crew of a hundred, against a bare pass-through in the same run', await benchCrew(20));
print('Sync of the catalog, embedded database', await benchSync());
process.exit(0);
