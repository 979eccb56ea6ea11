/** The guide to frontends with the published packages: on other runtimes, and in vitest's browser mode. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { browserOptions } from '../tools/browser.ts';
import { installed } from '../tools/installed.ts';
import { installTarballs, packWorkspace, providePackages } from './install.ts';

const GUIDE = join(ROOT, 'tests/gateway/web/frontends');
const PROGRAM = 'pay-in-runtime.mjs';

/** Runtimes, with arguments for a program that reads files without a network. */
const RUNTIMES = [
  { name: 'node', executable: process.execPath, args: [] },
  { name: 'deno', executable: process.env['DENO'] || installed('deno'), args: ['run', '--no-prompt', '--allow-read'] },
  { name: 'bun', executable: process.env['BUN'] || installed('bun'), args: ['run'] },
];

let project: string;
beforeAll(async () => {
  project = await installTarballs({ gateway: await packWorkspace('gateway'), client: await packWorkspace('client') });
  await copyFile(join(import.meta.dirname, 'gateway', PROGRAM), join(project, PROGRAM));
});

for (const { name, executable = '', args } of RUNTIMES) {
  const missing = executable ? '' : ` (skipped, since ${name} is not installed; set ${name.toUpperCase()} to its path)`;
  it.skipIf(missing)(`takes a payment, and verifies its webhooks, on ${name}${missing}`, async () => {
    const { stdout } = await run(executable, [...args, PROGRAM], { cwd: project, env: { NO_COLOR: '1' } });
    expect(stdout).toBe('SUCCESS\n');
  });
}

it("runs the guide's test in vitest's browser mode", async () => {
  await providePackages(['vitest', 'vite', '@vitest/browser-playwright', 'playwright'], project);
  const [config = '', test = ''] = await Promise.all(
    ['vitest.config.txt', 'browser.test.txt'].map((name) => readFile(join(GUIDE, name), 'utf8')),
  );
  const launched = `playwright({ launchOptions: ${JSON.stringify(await browserOptions())} })`;
  expect(config).toContain('playwright()');
  await writeFile(join(project, 'vitest.config.ts'), config.replace('playwright()', launched));
  await writeFile(join(project, 'browser.test.ts'), test);
  const vitest = join(project, 'node_modules/vitest/vitest.mjs');
  const { stdout, stderr } = await run(process.execPath, [vitest, 'run'], {
    cwd: project,
    env: { NO_COLOR: '1' },
    allowFailure: true,
  });
  expect(stdout + stderr).toMatch(/Tests +1 passed \(1\)/);
});
