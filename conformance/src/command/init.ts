/** `payments-conformance init`: writes a config file, a driver and a workflow that fit the project. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { CommandLine } from '../../../contract/src/cli.ts';
import type { Project } from '../init/project.ts';
import { CONFIG_FILES, loadsTypeScript } from './config.ts';
import { writeText } from './text-files.ts';

interface Flags {
  readonly url?: string;
  readonly force?: boolean;
}

const WORKFLOW = '.github/workflows/conformance.yml';
const DEFAULT_URL = 'http://127.0.0.1:3000';

const HELP = `
It writes payments-conformance.config, conformance-driver and, unless another CI
service is in use, ${WORKFLOW}.
A file that is there stays.

Exit codes:
  0  the files are there
  2  the command was used incorrectly`;

/** Adds the command. Its modules are loaded on demand. */
export function addInitCommand(program: CommandLine): void {
  const command = program
    .subcommand('init [folder]', 'Write a config file, a driver and a workflow for your service.')
    .option('--url <url>', `Base URL of the service (default: ${DEFAULT_URL}).`)
    .option('--force', 'Overwrite existing files.')
    .addHelpText('after', HELP) as CommandLine;
  command.handle((flags: Flags, folder = '.') => initCommand(resolve(folder), flags));
}

async function initCommand(folder: string, { url = DEFAULT_URL, force = false }: Flags): Promise<string> {
  const { configText, driverText, listNames, readProject, workflowText } = await import('../init/project.ts');
  const { readBaseUrl } = await import('../core/settings.ts');
  const project = readProject(folder);
  const baseUrl = readBaseUrl(url);
  const names = listNames(project, loadsTypeScript());
  // A second config file would not be read.
  const config = CONFIG_FILES.find((name) => existsSync(join(folder, name)) && !(force && name === names.config));
  const files = [
    {
      file: join(folder, config ?? names.config),
      text: configText(project, baseUrl, names),
      stays: config !== undefined,
    },
    { file: join(folder, names.driver), text: driverText(project, names) },
    {
      file: join(project.root, WORKFLOW),
      text: workflowText(project, baseUrl),
      isLeftOut: project.otherCi !== undefined,
    },
  ];
  const written: Written[] = [];
  for (const { file, text, stays = existsSync(file) && !force, isLeftOut = false } of files) {
    if (isLeftOut) continue;
    if (!stays) writeText(file, text);
    written.push({ file, isKept: stays });
  }
  return [
    ...foundLines(project, baseUrl),
    ...['', ...written.map(({ file, isKept }) => `${isKept ? 'kept ' : 'wrote'}  ${shown(file)}`), ''],
    ...nextLines(project, names.driver, written),
    `  ${folder === process.cwd() ? '' : `cd ${shown(folder)} && `}npx payments-conformance`,
  ].join('\n');
}

interface Written {
  readonly file: string;
  /** Whether it existed before, and was kept. */
  readonly isKept: boolean;
}

function foundLines({ name, otherCi }: Project, service: string): string[] {
  const workflow = `CI: ${otherCi}, so no workflow is written. Run there: npx payments-conformance`;
  return [
    ...(name === undefined ? [] : [`Package: ${name}`]),
    `Service: ${service}`,
    ...(otherCi === undefined ? [] : [workflow]),
  ];
}

function nextLines({ install, hasStart }: Project, driver: string, written: readonly Written[]): string[] {
  const hasGaps = install === undefined || !hasStart;
  const isMarked = hasGaps && written.some(({ file, isKept }) => !isKept && file.endsWith(WORKFLOW));
  return [
    ...(written.some(({ isKept }) => isKept) ? ['Files that were there are kept. --force overwrites them.'] : []),
    `Edit the marked places in ${driver}${isMarked ? ' and in the workflow' : ''}, set API_KEY and WEBHOOK_SECRET, and run:`,
  ];
}

function shown(file: string): string {
  return relative(process.cwd(), file) || '.';
}
