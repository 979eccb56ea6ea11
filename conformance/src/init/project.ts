/** The project that `init` finds: its package and its repository. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UserError } from '../../../contract/src/cli.ts';
import { defined } from '../core/settings.ts';

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
