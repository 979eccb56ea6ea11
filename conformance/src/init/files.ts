/** The text of the files that `init` writes. */
import { readFileSync } from 'node:fs';
import { LEVELS } from '../core/settings.ts';
import type { Project } from './project.ts';

export interface ProjectFiles {
  readonly config: string;
  readonly driver: string;
}

/** Names that this Node loads as ES modules, whatever package.json says. */
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
