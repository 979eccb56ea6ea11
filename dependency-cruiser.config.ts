/**
 * The direction of imports, checked by `npm test -- --only imports`.
 *
 * Model: the repo consists of parts, which are folders or single files. A part imports itself and the parts that its
 * row lists, and a row lists only parts of earlier rows, so the table can't contain a cycle. ARCHITECTURE.md draws it.
 */
import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser';

const CONTRACT = ['generated', 'contract/src'];
const GATEWAY_BASE = ['gateway/src/platform', 'gateway/src/domain', 'gateway/src/store'];

/** What each part may import besides itself. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  generated: [],
  'openapi/lint': [],
  'contract/src': ['generated'],
  'client/src': CONTRACT,
  'client/recipes': ['client/src'],
  'client/examples': ['generated', 'client/src'],
  'conformance/src': CONTRACT,
  'gateway/src/platform': [],
  'gateway/src/domain': CONTRACT,
  'gateway/src/channel': [...CONTRACT, 'gateway/src/domain'],
  'gateway/src/contract': [...CONTRACT, 'gateway/src/domain'],
  'gateway/src/store': ['gateway/src/platform', 'gateway/src/domain'],
  'gateway/src/operations': [...CONTRACT, ...GATEWAY_BASE, 'gateway/src/channel', 'gateway/src/contract'],
  'gateway/src/jobs': [...GATEWAY_BASE, 'gateway/src/channel', 'gateway/src/contract', 'gateway/src/operations'],
  'gateway/src/webhooks': [...CONTRACT, ...GATEWAY_BASE, 'gateway/src/operations', 'gateway/src/jobs'],
  'gateway/src/http': [...CONTRACT, ...GATEWAY_BASE, 'gateway/src/contract', 'gateway/src/operations'],
  'gateway/src/checkout': [
    ...CONTRACT,
    ...GATEWAY_BASE,
    'gateway/src/contract',
    'gateway/src/operations',
    'gateway/src/http',
  ],
  'gateway/src/config.ts': ['contract/src', 'gateway/src/platform', 'gateway/src/webhooks'],
  'gateway/src/gateway.ts': [
    ...CONTRACT,
    ...GATEWAY_BASE,
    'gateway/src/channel',
    'gateway/src/contract',
    'gateway/src/operations',
    'gateway/src/jobs',
    'gateway/src/webhooks',
    'gateway/src/http',
    'gateway/src/checkout',
    'gateway/src/config.ts',
  ],
  'gateway/src/commands': [
    ...CONTRACT,
    ...GATEWAY_BASE,
    'gateway/src/contract',
    'gateway/src/webhooks',
    'gateway/src/http',
    'gateway/src/config.ts',
    'gateway/src/gateway.ts',
  ],
  'gateway/src/start-gateway.ts': [
    'contract/src',
    'gateway/src/store',
    'gateway/src/contract',
    'gateway/src/gateway.ts',
  ],
  'gateway/src/index.ts': ['gateway/src/start-gateway.ts'],
  'gateway/src/main.ts': [
    'contract/src',
    'gateway/src/store',
    'gateway/src/http',
    'gateway/src/config.ts',
    'gateway/src/commands',
  ],
  'gateway/src/bin.ts': ['gateway/src/main.ts'],
  scripts: [
    ...CONTRACT,
    'openapi/lint',
    'client/examples',
    'gateway/src/channel',
    'gateway/src/http',
    'gateway/src/config.ts',
    'gateway/src/commands',
    'gateway/src/main.ts',
  ],
  tests: [
    ...CONTRACT,
    'openapi/lint',
    'client/src',
    'client/recipes',
    'client/examples',
    'conformance/src',
    'gateway/src',
    'scripts',
    'dependency-cruiser.config.ts',
  ],
};

/** Packages that only these parts use. Tests use any. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  fastify: ['gateway/src/http', 'gateway/src/checkout', 'gateway/src/gateway.ts', 'gateway/src/commands', 'client'],
  pg: ['gateway/src/store/postgres'],
  'node:sqlite': ['gateway/src/store/sqlite'],
};

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
    comment: 'Move what both need into a file of its own.',
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
    comment: 'gateway/src/domain takes only types from generated/ and contract/.',
    severity: 'error',
    from: { path: '^gateway/src/domain/' },
    to: { path: '^(generated|contract)/', dependencyTypesNot: ['type-only'] },
  },
];

export const RULES: readonly IForbiddenRuleType[] = [...partRules, ...packageRules, ...OTHER_RULES];

const configuration: IConfiguration = {
  forbidden: [...RULES],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^[a-z]+/dist/', '/package\\.json$'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};

export default configuration;
