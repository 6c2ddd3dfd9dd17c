/** The only place that says who may import whom: the levels of docs/architecture.md, bottom up. */
const MAY_IMPORT = {
  contracts: [],
  platform: ['contracts'],
  mcp: ['contracts', 'platform'],
  advisor: ['contracts', 'platform'],
  receipts: ['contracts', 'platform', 'mcp'],
  auth: ['contracts', 'platform', 'mcp', 'receipts'],
  policy: ['contracts', 'platform', 'mcp', 'receipts'],
  execution: ['contracts', 'platform', 'mcp', 'receipts', 'policy'],
  notices: ['contracts', 'platform', 'receipts', 'policy', 'execution'],
  relay: ['contracts', 'platform', 'mcp', 'receipts', 'policy', 'execution'],
  oomol: ['contracts', 'platform', 'mcp', 'receipts', 'policy', 'execution'],
};

/** Packages without I/O that pure code may use. */
const PURE = 'node_modules/(zod|unbash|yaml|canonicalize)/|^(node:)?(buffer|crypto|string_decoder|util|path|zlib)$';

const lib = (name) => `^libs/${name}/src/`;
const tests = '\\.(spec|contract|e2e)\\.ts$';

export default {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([name, allowed]) => ({
      name: `layer-${name}`,
      severity: 'error',
      comment: `libs/${name} may import only: ${allowed.join(', ') || 'nothing'}`,
      from: { path: lib(name), pathNot: tests },
      to: { path: '^(libs|apps|test)/', pathNot: [name, ...allowed].map(lib) },
    })),
    {
      name: 'unknown-lib',
      severity: 'error',
      comment: 'A lib that is not in MAY_IMPORT does not pass.',
      from: { path: '^libs/([^/]+)/', pathNot: Object.keys(MAY_IMPORT).map((name) => `^libs/${name}/`) },
      to: {},
    },
    {
      name: 'front-door-only',
      severity: 'error',
      comment: 'Import #lib or #lib/core, never a file inside it.',
      from: { path: '^(libs/([^/]+)|apps|test)/' },
      to: { path: '^libs/([^/]+)/src/(?!(core/)?index\\.ts$)', pathNot: '^libs/$2/src/' },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      comment: 'core/ takes data and returns data: no Nest, no I/O, no clock.',
      from: { path: '^libs/([^/]+)/src/core/', pathNot: tests },
      to: { pathNot: [lib('contracts'), '^libs/$1/src/core/', '^libs/[^/]+/src/core/index\\.ts$', PURE] },
    },
    {
      name: 'only-modules-wire',
      severity: 'error',
      comment: 'edge/ and adapters/ are wired by *.module.ts and spoken to through classes and ports.',
      from: { path: '^libs/([^/]+)/src/', pathNot: [tests, '\\.module\\.ts$', '/index\\.ts$', '/(edge|adapters)/'] },
      to: { path: '^libs/$1/src/(edge|adapters)/' },
    },
    {
      name: 'processes-in-the-executor-only',
      severity: 'error',
      comment: 'A server process does not fork; the executor does.',
      from: { path: '^(libs|apps)/', pathNot: [tests, '^libs/execution/src/executor/'] },
      to: { path: '^(node:)?(child_process|cluster)$' },
    },
    {
      name: 'network-in-adapters-only',
      severity: 'error',
      comment: 'HTTP clients and sockets stand in adapters/. The executor reads its pipes with a socket, and has the proxy of its runs.',
      from: { path: '^libs/', pathNot: [tests, '/adapters/', '^libs/execution/src/executor/(run-output\\.ts$|network/)'] },
      to: { path: '^(node:)?(net|tls|dgram|https)$|node_modules/undici/' },
    },
    {
      name: 'mcp-server-sdk-in-mcp-only',
      severity: 'error',
      comment: 'libs/mcp is the only importer of the MCP server SDK.',
      from: { path: '^(libs|apps)/', pathNot: ['^libs/mcp/', tests] },
      to: { path: 'node_modules/@modelcontextprotocol/(server|node)/' },
    },
    {
      name: 'mcp-clients-in-tests-only',
      severity: 'error',
      comment: 'The MCP clients are test tools.',
      from: { path: '^(libs|apps)/', pathNot: [tests, '^libs/oomol/src/adapters/'] },
      to: { path: 'node_modules/@modelcontextprotocol/(client|sdk)/' },
    },
    {
      name: 'web-knows-contracts-only',
      severity: 'error',
      comment: 'The console imports types and tables, nothing of the server.',
      from: { path: '^apps/web/' },
      to: { path: '^(libs|apps/api)/', pathNot: lib('contracts') },
    },
    {
      name: 'features-stand-alone',
      severity: 'error',
      comment: 'A feature imports core and shared, never another feature.',
      from: { path: '^apps/web/src/app/features/([^/]+)/' },
      to: { path: '^apps/web/src/app/features/', pathNot: '^apps/web/src/app/features/$1/' },
    },
    {
      name: 'core-and-shared-know-no-feature',
      severity: 'error',
      comment: 'Lower folders of the console do not know the features.',
      from: { path: '^apps/web/src/app/(core|shared)/' },
      to: { path: '^apps/web/src/app/features/' },
    },
    { name: 'no-cycles', severity: 'error', comment: 'Types included.', from: { path: '^(apps|libs)/' }, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      comment: 'Every import leads somewhere; what the build makes may not be there yet.',
      from: { path: '^(apps|libs|test)/' },
      to: { couldNotResolve: true, pathNot: '/dist/server/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['development', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.mts', '.js', '.mjs', '.json', '.d.ts', '.d.mts'],
    },
  },
};
