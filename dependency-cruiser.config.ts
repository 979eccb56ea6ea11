/**
 * The direction of imports, checked by `npm test -- --only imports`.
 *
 * Model: the repo consists of parts, which are folders or single files. A part imports itself and the parts that its
 * row lists, and a row lists only parts of earlier rows, so the table can't contain a cycle. ARCHITECTURE.md draws it.
 */
import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser';

const gateway = (...names: string[]) => names.map((name) => `gateway/src/${name}`);

/** Other parts that each part may import. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  generated: [],
  'openapi/lint': [],
  'contract/src': ['generated'],
  'client/src': ['generated', 'contract/src'],
  'client/recipes': ['client/src'],
  'client/examples': ['client/src', 'client/recipes'],
  'conformance/src': ['generated', 'contract/src'],
  'conformance/driver-template.ts': ['conformance/src'],
  'conformance/examples': [],

  'gateway/console': ['generated'],

  // Below the features: they know none of them.
  'gateway/src/platform': [],
  'gateway/src/database': ['contract/src', ...gateway('platform')],
  'gateway/src/domain': ['generated'],

  // The features.
  'gateway/src/merchants': gateway('platform', 'database', 'domain'),
  'gateway/src/operators': gateway('platform', 'database', 'merchants'),
  'gateway/src/http': ['generated', 'contract/src', ...gateway('platform', 'database', 'domain', 'merchants')],
  'gateway/src/ledger': ['generated', ...gateway('platform', 'database', 'domain', 'http')],
  'gateway/src/webhooks': ['contract/src', ...gateway('platform', 'database', 'domain', 'merchants', 'operators')],
  'gateway/src/channels': ['generated', 'contract/src', ...gateway('platform', 'database', 'domain', 'operators')],
  'gateway/src/transactions': [
    ...['generated', 'contract/src'],
    ...gateway('platform', 'database', 'domain', 'merchants', 'http', 'ledger', 'webhooks', 'channels'),
  ],
  'gateway/src/payments': [...['generated', 'contract/src'], ...gateway('database', 'domain', 'http', 'transactions')],
  'gateway/src/payouts': ['generated', ...gateway('domain', 'http', 'ledger', 'transactions')],
  'gateway/src/checkout': [
    ...['generated', 'contract/src'],
    ...gateway('platform', 'database', 'domain', 'merchants', 'http', 'channels', 'transactions'),
  ],
  'gateway/src/monitoring': [
    'generated',
    ...gateway('platform', 'database', 'domain', 'http', 'ledger', 'webhooks', 'channels', 'transactions'),
  ],
  'gateway/src/management': [
    ...['generated', 'contract/src'],
    ...gateway('platform', 'database', 'domain', 'merchants', 'operators', 'http', 'ledger'),
    ...gateway('webhooks', 'channels', 'transactions'),
  ],
  'gateway/src/sandbox': [
    ...['generated', 'contract/src'],
    ...gateway('platform', 'database', 'domain', 'merchants', 'http', 'ledger'),
    ...gateway('webhooks', 'channels', 'transactions', 'management'),
  ],

  // What puts them together.
  'gateway/src/config': ['contract/src', ...gateway('platform', 'webhooks')],
  'gateway/src/server': ['generated', 'contract/src', ...gateway('platform', 'http')],
  'gateway/src/api-client': ['generated', 'contract/src', ...gateway('platform', 'http', 'webhooks')],
  'gateway/src/console': [
    ...['generated', 'contract/src'],
    ...gateway(
      'platform',
      'database',
      'domain',
      'merchants',
      'operators',
      'http',
      'server',
      'transactions',
      'management',
    ),
  ],
  'gateway/src/core.ts': [
    ...gateway('platform', 'database', 'domain', 'merchants', 'http', 'webhooks', 'channels', 'transactions'),
    ...gateway('ledger', 'payments', 'payouts', 'checkout', 'management', 'sandbox'),
  ],
  'gateway/src/server.ts': [
    'generated',
    ...gateway('platform', 'database', 'http', 'webhooks', 'server', 'monitoring', 'config', 'checkout'),
    ...gateway('console', 'sandbox', 'api-client', 'core.ts'),
  ],
  'gateway/src/commands': [
    ...['generated', 'contract/src'],
    ...gateway('platform', 'database', 'merchants', 'operators', 'http', 'ledger', 'webhooks', 'channels'),
    ...gateway('transactions', 'management', 'monitoring', 'api-client', 'server', 'config'),
    ...gateway('core.ts', 'server.ts'),
  ],
  'gateway/src/page.ts': [
    'generated',
    ...gateway('platform', 'database', 'http', 'webhooks', 'config', 'checkout', 'api-client'),
    ...gateway('sandbox', 'core.ts'),
  ],
  'gateway/src/index.ts': [
    'contract/src',
    ...gateway('platform', 'database', 'domain', 'channels', 'monitoring', 'api-client'),
    ...gateway('server.ts'),
  ],
  'gateway/src/channel-tests.ts': [
    ...['generated', 'contract/src'],
    ...gateway('platform', 'domain', 'channels', 'transactions'),
  ],
  'gateway/examples': gateway('index.ts', 'channel-tests.ts'),
  'gateway/src/cli.ts': ['contract/src', ...gateway('commands')],

  scripts: [
    ...['tsdown.page.ts', 'openapi/lint', 'contract/src', 'conformance/src', 'client/src/money.ts', 'client/examples'],
    ...gateway('domain', 'channels', 'http', 'server', 'config', 'commands', 'index.ts', 'cli.ts'),
  ],
  tests: [
    ...[
      'generated',
      'openapi/lint',
      'contract/src',
      'client',
      'conformance/src',
      'conformance/driver-template.ts',
      'conformance/examples',
      'gateway/src',
      'gateway/examples',
      'scripts',
    ],
    'dependency-cruiser.config.ts',
    'tsdown.base.ts',
    'tsdown.page.ts',
  ],
};

/** Packages, and modules of Node, that only these parts use. Tests use any. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  fastify: ['client/recipes', 'client/examples'],
  '@hono': ['scripts/reference/serve-site.ts', ...gateway('server')],
  'openapi-fetch': ['client/src/send.ts'],
  'openapi-typescript': ['scripts/artifacts'],
  'prom-client': gateway('monitoring'),
  '@opentelemetry': gateway('monitoring/tracing'),
  preact: ['gateway/console'],
  htm: ['gateway/console', 'scripts/reference/vitepress/try-it'],
  pg: gateway('database/postgres'),
  'node:sqlite': ['client/recipes', ...gateway('database/sqlite')],
  '@sqlite.org/sqlite-wasm': gateway('database/wasm'),
  'node:http': [
    'contract/src',
    'conformance/src',
    'conformance/examples',
    'gateway/examples',
    'scripts/reference/serve-site.ts',
    ...gateway('webhooks', 'server', 'api-client', 'server.ts'),
  ],
};

/** Parts that carry no request themselves, but respond to each: they know neither Node nor a server. */
const CORE = gateway(
  ...[
    'domain',
    'http',
    'ledger',
    'channels',
    'transactions',
    'payments',
    'payouts',
    'checkout',
    'management',
    'sandbox',
  ],
  'core.ts',
);

const pattern = (part: string) => (part.endsWith('.ts') ? `^${part}$` : `^${part}/`);
const IN_FOLDER = '^(?!node_modules/)[^/]+/(?!node_modules/)';
const AT_ROOT = '^[^/]+\\.ts$';

const partRules = Object.entries(PARTS).map(
  ([part, allowed]): IForbiddenRuleType => ({
    name: part,
    comment: `${part} may import ${allowed.join(', ') || 'no other part'}.`,
    severity: 'error',
    from: { path: pattern(part) },
    to: {
      path: [IN_FOLDER, AT_ROOT],
      pathNot: [part, ...allowed].map(pattern),
      dependencyTypesNot: ['core'],
    },
  }),
);

const packageRules = Object.entries(PACKAGES).map(
  ([name, parts]): IForbiddenRuleType => ({
    name: `package ${name}`,
    comment: `Only ${parts.join(', ')} may import ${name}.`,
    severity: 'error',
    from: { pathNot: [...parts, 'tests'].map(pattern) },
    to: { path: name.startsWith('node:') ? `^(node:)?${name.slice(5)}$` : `(^|/)node_modules/(@types/)?${name}/` },
  }),
);

const OTHER_RULES: IForbiddenRuleType[] = [
  {
    name: 'cycle of files',
    comment: 'Move the shared code into a separate file.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'cycle of folders',
    comment: 'Move what both need into a folder below them.',
    severity: 'error',
    scope: 'folder',
    from: {},
    to: { circular: true },
  },
  {
    name: 'unknown part',
    comment: 'Add a row to PARTS in dependency-cruiser.config.ts.',
    severity: 'error',
    from: { path: IN_FOLDER, pathNot: [...Object.keys(PARTS).map(pattern), '/tsdown\\.config\\.ts$'] },
    to: {},
  },
  {
    name: 'missing file or package',
    comment: 'Correct the path, or install the package.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'domain without input and output',
    comment: 'gateway/src/domain does no input or output: it imports no package and no module of Node.',
    severity: 'error',
    from: { path: '^gateway/src/domain/' },
    to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg'] },
  },
  {
    name: 'domain without the wire format',
    comment: 'gateway/src/domain takes only types and the moves between statuses from generated/ and contract/.',
    severity: 'error',
    from: { path: '^gateway/src/domain/' },
    to: { path: '^(generated|contract)/', pathNot: '^generated/moves.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'core without Node',
    comment: 'What responds to a request also runs in a page: put modules of Node in gateway/src/server or platform.',
    severity: 'error',
    from: { path: CORE.map(pattern) },
    to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'store in a page',
    comment: 'Web pages run gateway/src/database/wasm/. Move what needs Node to a file that it does not import.',
    severity: 'error',
    from: { path: '^gateway/src/database/wasm/' },
    to: {
      // The page's build replaces platform/crypto.ts.
      path: [
        '^node:(?!crypto$)',
        '^(?!crypto$)[a-z_]+(/promises)?$',
        '(^|/)node_modules/(pg|undici|prom-client|pino)/',
      ],
      reachable: true,
    },
  },
  {
    name: 'sandbox only where it is switched on',
    comment: 'With LIVE, no module of gateway/src/sandbox is loaded: import its types, or load it with import().',
    severity: 'error',
    from: { path: gateway('core.ts', 'server.ts').map(pattern) },
    to: { path: '^gateway/src/sandbox/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
  },
  {
    name: 'one way from a step to the store',
    comment: 'Write steps with commitStep() of gateway/src/transactions/commit-step.ts.',
    severity: 'error',
    from: { path: '^gateway/src/', pathNot: '^gateway/src/transactions/commit-step.ts$' },
    to: { path: '^gateway/src/transactions/write-step.ts$' },
  },
];

export const RULES: readonly IForbiddenRuleType[] = [...partRules, ...packageRules, ...OTHER_RULES];

const configuration: IConfiguration = {
  forbidden: [...RULES],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^[a-z]+/dist/', '^generated/site/', '/package\\.json$'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};

export default configuration;
