/** The project that `init` finds, with its package and its repository, and the files that it writes. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UserError } from '../../../contract/src/cli.ts';
import { defined, LEVELS } from '../core/settings.ts';

export interface Project {
  readonly folder: string;
  /** The nearest folder of a Git repository, or else the project's own. */
  readonly root: string;
  /** From `root`, with slashes; empty if the project is the whole repository. */
  readonly path: string;
  readonly name?: string;
  /** Whether files in .js and .ts are ES modules. */
  readonly isModule: boolean;
  readonly usesTypeScript: boolean;
  readonly hasStart: boolean;
  /** Command that installs the versions of the lockfile. */
  readonly install?: string;
  /** The file of another CI service than GitHub Actions. */
  readonly otherCi?: string;
}

interface Package {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly scripts?: { readonly start?: unknown };
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

const INSTALLS = {
  'package-lock.json': 'npm ci',
  'pnpm-lock.yaml': 'corepack enable && pnpm install --frozen-lockfile',
  'yarn.lock': 'corepack enable && yarn install --immutable',
  'package.json': 'npm install',
};

const OTHER_CI = [
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  'Jenkinsfile',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
];

/** Reads the folder. Throws a UserError if its package.json can't be read. */
export function readProject(folder: string): Project {
  const { name, type, scripts, ...rest } = readPackage(join(folder, 'package.json'));
  const root = findRepository(folder) ?? folder;
  const install = Object.entries(INSTALLS).find(([file]) => existsSync(join(folder, file)))?.[1];
  const otherCi = existsSync(join(root, '.github')) ? undefined : OTHER_CI.find((file) => existsSync(join(root, file)));
  const depends = 'typescript' in { ...rest.dependencies, ...rest.devDependencies };
  return {
    ...{ folder, root, path: relative(root, folder).replaceAll('\\', '/') },
    isModule: type === 'module',
    usesTypeScript: depends || existsSync(join(folder, 'tsconfig.json')),
    hasStart: typeof scripts?.start === 'string',
    ...defined({ name: typeof name === 'string' ? name : undefined, install, otherCi }),
  };
}

function readPackage(file: string): Package {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Package;
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${(error as Error).message}`, 2);
  }
}

function findRepository(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

export interface ProjectFiles {
  readonly config: string;
  readonly driver: string;
}

/** Names that Node loads as ES modules, regardless of package.json. */
export function listNames({ isModule, usesTypeScript }: Project, loadsTypeScript: boolean): ProjectFiles {
  const language = usesTypeScript && loadsTypeScript ? 'ts' : 'js';
  const extension = isModule ? language : `m${language}`;
  return { config: `payments-conformance.config.${extension}`, driver: `conformance-driver.${extension}` };
}

/** The config file. It imports types only, so it loads wherever the kit is installed. */
export function configText({ name }: Project, baseUrl: string, { config, driver }: ProjectFiles): string {
  const isTyped = isTypeScript(config);
  const head = isTyped
    ? "import type { Config } from 'payments-conformance';\n\nexport default {"
    : "/** @type {import('payments-conformance').Config} */\nexport default {";
  return `${head}
  baseUrl: ${quoted(baseUrl)},
${name === undefined ? '' : `  name: ${quoted(name)},\n`}  driver: './${driver}',
  // Remove the levels that your service doesn't have.
  capabilities: {
    levels: [${LEVELS.map(quoted).join(', ')}],
  },
  // Keys come from the environment: API_KEY, SECOND_API_KEY and WEBHOOK_SECRET.
}${isTyped ? ' satisfies Config' : ''};
`;
}

const TEMPLATE = new URL('../../driver-template.ts', import.meta.url);

/** The driver, from the template. */
export function driverText({ name }: Project, { driver }: ProjectFiles): string {
  const template = readFileSync(TEMPLATE, 'utf8').replace(
    /Copy this file, edit the marked places, and run\n(.*\n).*$/m,
    'Edit the marked places, and run\n$1 *     npx payments-conformance',
  );
  const text = name === undefined ? template : template.replace("name: 'my-service'", `name: ${quoted(name)}`);
  return isTypeScript(driver) ? text : withoutTypes(text);
}

/** The template has these types only. */
function withoutTypes(text: string): string {
  return text
    .replace(/^import type .*\n/m, '')
    .replace('const driver: Driver =', "/** @type {import('payments-conformance').Driver} */\nconst driver =")
    .replaceAll(/(const \w+): [\w<>, ]+ =/g, '$1 =');
}

/** A workflow that starts the service and runs the kit by its own action, as npm installs it. */
export function workflowText(project: Project, baseUrl: string): string {
  const { path, install, hasStart } = project;
  const prefix = path === '' ? '.' : `./${path}`;
  const defaults = path === '' ? '' : `    defaults:\n      run:\n        working-directory: ${yaml(path)}\n`;
  const steps =
    install ?? '# Replace: install the service and payments-conformance, into node_modules.\n          exit 1';
  const start = hasStart ? 'npm start &' : 'exit 1 # Replace: the command that starts the service, with & at its end.';
  return `# Verifies that the service keeps the payments and payouts contract.
name: Conformance
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  conformance:
    runs-on: ubuntu-latest
${defaults}    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: 24
      - name: Install
        run: |
          ${steps}
      - name: Start the service
        env:
          BASE_URL: ${yaml(baseUrl)}
        run: |
          ${start}
          curl --silent --output /dev/null --retry 60 --retry-delay 1 --retry-connrefused "$BASE_URL"
      # The kit has to be a dependency of the project.
      - uses: ${yaml(`${prefix}/node_modules/payments-conformance`)}
        with:
          working-directory: ${yaml(prefix)}
          key: \${{ secrets.API_KEY }}
          second-key: \${{ secrets.SECOND_API_KEY }}
          secret: \${{ secrets.WEBHOOK_SECRET }}
`;
}

function isTypeScript(file: string): boolean {
  return file.endsWith('ts');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** JSON is YAML. */
function yaml(text: string): string {
  return JSON.stringify(text);
}
