/** `init` writes files that the kit loads, whatever the project is. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../conformance/src/command/config.ts';
import { configText, driverText, listNames, readProject } from '../../conformance/src/init/project.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { temporaryFolder, writeFiles } from '../tools/temporary.ts';
import { runKit } from './kit.ts';

const WORKFLOW = '.github/workflows/conformance.yml';
const BASE_URL = 'http://127.0.0.1:4321/v1';

async function createFolder(files: Record<string, string> = {}): Promise<string> {
  const folder = await temporaryFolder('conformance-init');
  await writeFiles(folder, files);
  return folder;
}

const init = (folder: string, ...args: string[]) => runKit('init', folder, '--url', BASE_URL, ...args);

const read = (folder: string, file: string) => readFile(join(folder, file), 'utf8');

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Record<string, string>;
}

async function readWorkflow(folder: string) {
  const { jobs } = parse(await read(folder, WORKFLOW));
  const { steps, defaults } = jobs.conformance as { steps: Step[]; defaults?: object };
  const findRun = (wanted: string) => steps.find(({ name }) => name === wanted)?.run ?? '';
  return { defaults, install: findRun('Install'), start: findRun('Start the service'), action: steps.at(-1), steps };
}

it.each<[string, Record<string, string>, string]>([
  ['an empty folder', {}, 'mjs'],
  ['a package of ES modules', { 'package.json': '{"type":"module"}' }, 'js'],
  ['a CommonJS package in TypeScript', { 'package.json': '{"type":"commonjs"}', 'tsconfig.json': '{}' }, 'mts'],
  ['ES modules in TypeScript', { 'package.json': '{"type":"module","devDependencies":{"typescript":"6"}}' }, 'ts'],
])('writes a workflow, and a config file and a driver that Node loads, in %s', async (_name, given, extension) => {
  const folder = await createFolder(given);
  const { code, stdout } = await init(folder);
  const driver = `conformance-driver.${extension}`;
  const written = [`payments-conformance.config.${extension}`, driver, WORKFLOW];
  expect([code, written.filter((file) => !existsSync(join(folder, file)))]).toEqual([0, []]);
  expect(stdout.match(/^wrote /gm)).toHaveLength(3);
  expect(stdout).toMatch(/&& npx payments-conformance\n$/);
  expect(await loadConfig(undefined, folder)).toMatchObject({ baseUrl: BASE_URL, driver: join(folder, driver) });
  expect(await read(folder, WORKFLOW)).toContain(`"${BASE_URL}"`);
  // Vitest would load anything.
  const list = await run(process.execPath, [join(ROOT, 'conformance/src/main.ts'), '--list'], { cwd: folder });
  expect(list.stdout).toContain('state/payment/h2h/SUCCESS');
});

it('writes files in JavaScript where Node loads no TypeScript', async () => {
  const project = readProject(await createFolder({ 'tsconfig.json': '{}', 'package.json': `{"name":"o'shop"}` }));
  const names = listNames(project, false);
  expect(names).toEqual({ config: 'payments-conformance.config.mjs', driver: 'conformance-driver.mjs' });
  expect(driverText(project, names)).toContain("name: 'o\\'shop',");
  const texts = [driverText(project, names), configText(project, 'http://x', names)].join('');
  expect(texts).not.toMatch(/import type|satisfies|: Record<|: Driver/);
  expect(texts).not.toContain('Copy this file');
});

it('keeps existing files unless they are to be overwritten, and never adds a second config file', async () => {
  const folder = await createFolder({ 'payments-conformance.config.json': '{}', [WORKFLOW]: 'name: own' });
  const { stdout } = await init(folder);
  expect(stdout).toMatch(/^kept {3}\S+\.config\.json\nwrote {2}\S+-driver\.mjs\nkept {3}\S+conformance\.yml\n/m);
  expect(await read(folder, WORKFLOW)).toBe('name: own');
  const forced = await init(folder, '--force');
  expect(forced.stdout).toMatch(
    /^kept {3}\S+\.config\.json\nwrote {2}\S+-driver\.mjs\nwrote {2}\S+conformance\.yml\n/m,
  );
  expect(await read(folder, 'payments-conformance.config.json')).toBe('{}');
  expect(existsSync(join(folder, 'payments-conformance.config.mjs'))).toBe(false);
});

describe('the workflow', () => {
  it('installs from the lockfile, starts the service, and uses the action of the package', async () => {
    const folder = await createFolder({ 'package.json': '{"scripts":{"start":"node ."}}', 'package-lock.json': '{}' });
    await init(folder);
    const { install, start, action, steps } = await readWorkflow(folder);
    expect(install).toBe('npm ci\n');
    expect(start).toMatch(/^npm start &\ncurl .*"\$BASE_URL"\n$/);
    const { inputs } = parse(await readFile(join(ROOT, 'conformance/action.yml'), 'utf8'));
    expect(action?.uses).toBe('./node_modules/payments-conformance');
    expect(Object.keys(action?.with ?? {}).filter((name) => !(name in inputs))).toEqual([]);
    const ours = await readFile(join(ROOT, '.github/workflows/test.yml'), 'utf8');
    const used = steps.flatMap(({ uses = './' }) => (uses.startsWith('./') ? [] : [uses]));
    expect(used.filter((uses) => !ours.includes(uses))).toEqual([]);
    expect(used).toHaveLength(2);
  });

  it('fails until its gaps are filled in, if it knows neither how to install nor how to start', async () => {
    const folder = await createFolder();
    const { stdout } = await init(folder);
    const { install, start } = await readWorkflow(folder);
    expect([install, start]).toEqual([expect.stringContaining('exit 1'), expect.stringMatching(/^exit 1 # Replace/)]);
    expect(stdout).toContain('in conformance-driver.mjs and in the workflow, set API_KEY');
  });

  it('belongs to the repository, with the folder of the project', async () => {
    const root = await createFolder({ '.git/HEAD': '', 'services/pay/package.json': '{}' });
    await init(join(root, 'services/pay'));
    const { defaults, action } = await readWorkflow(root);
    expect(defaults).toEqual({ run: { 'working-directory': 'services/pay' } });
    expect(action?.uses).toBe('./services/pay/node_modules/payments-conformance');
    expect(action?.with?.['working-directory']).toBe('./services/pay');
  });

  it('is left out where another CI service is in use', async () => {
    const folder = await createFolder({ '.gitlab-ci.yml': '' });
    expect((await init(folder)).stdout).toContain('CI: .gitlab-ci.yml, so no workflow is written.');
    expect(existsSync(join(folder, WORKFLOW))).toBe(false);
  });
});

it('refuses an invalid base URL and an invalid package.json', async () => {
  const folder = await createFolder({ 'package.json': '{' });
  expect(await init(folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('package.json is not JSON') });
  expect(await init(await createFolder(), '--url', 'ftp://x')).toMatchObject({ code: 2 });
});
