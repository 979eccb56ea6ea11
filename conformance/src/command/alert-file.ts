/** The file at which code scanning shows the findings. They have no line in the implementer's code. */
import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { CONFIG_FILES } from './config.ts';

/** GitHub's name of the running workflow: `owner/name/.github/workflows/ci.yml@refs/heads/main`. */
const WORKFLOW = /^[^/]+\/[^/]+\/(?<file>[^@]+)@/;

/** A path from the root of the repository: of the config file, or of the workflow that runs the kit, or of package.json. */
export function alertFile(config: string | undefined, env: NodeJS.ProcessEnv, folder = process.cwd()): string {
  const root = env['GITHUB_WORKSPACE'] ?? folder;
  const workflow = WORKFLOW.exec(env['GITHUB_WORKFLOW_REF'] ?? '')?.groups?.['file'];
  const configs = config === undefined ? CONFIG_FILES : [config];
  const found = configs
    .filter((name) => existsSync(resolve(folder, name)))
    .map((name) => relative(root, resolve(folder, name)).replaceAll('\\', '/'))
    .find((path) => !path.startsWith('..') && !isAbsolute(path));
  return found ?? workflow ?? 'package.json';
}
