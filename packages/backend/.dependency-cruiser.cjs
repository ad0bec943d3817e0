// The table of directions in docs/architecture.md, one rule per row.
const root = 'src/modules/netaclaw';
const mayImport = {
  entity: [],
  runtime: [],
  sandbox: [],
  provider: ['runtime'],
  tools: ['runtime', 'sandbox'],
  service: ['entity', 'runtime', 'sandbox', 'provider', 'tools'],
  controller: ['service'],
  gateway: ['service'],
};
const frameworkFree = ['runtime', 'sandbox', 'provider', 'tools'];

const directions = Object.entries(mayImport).map(([from, to]) => ({
  name: `${from}-direction`,
  severity: 'error',
  from: { path: `^${root}/${from}/` },
  to: { path: `^${root}/`, pathNot: `^${root}/(${[from, ...to].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...directions,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'base-knows-no-module',
      severity: 'error',
      from: { path: '^src/modules/base/' },
      to: { path: `^${root}/` },
    },
    {
      name: 'framework-stays-in-the-shell',
      severity: 'error',
      from: { path: `^${root}/(${frameworkFree.join('|')})/` },
      to: { path: 'node_modules/(@midwayjs|typeorm|koa|libsql|mysql2)' },
    },
    {
      name: 'runtime-is-pure',
      severity: 'error',
      from: { path: `^${root}/runtime/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'runtime-uses-contracts-only',
      severity: 'error',
      from: { path: `^${root}/runtime/` },
      to: { path: '^src/modules/base/' },
    },
    {
      name: 'rooms-without-a-database',
      severity: 'error',
      from: { path: `^${root}/(controller|gateway|sandbox|tools|provider)/` },
      to: { path: '^src/modules/base/data/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    exclude: '\\.test\\.ts$',
    doNotFollow: { path: 'node_modules' },
  },
};
