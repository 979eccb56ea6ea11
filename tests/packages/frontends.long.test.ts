/** The guide to frontends with the published packages, where it needs more than this repository's own tests have. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { browserOptions } from '../tools/browser.ts';
import { installTarballs, packWorkspace, providePackages } from './install.ts';

const GUIDE = join(ROOT, 'tests/gateway/web/frontends');

let project: string;
beforeAll(async () => {
  project = await installTarballs({ gateway: await packWorkspace('gateway'), client: await packWorkspace('client') });
}, 240_000);

it("runs the guide's test in vitest's browser mode", async () => {
  await providePackages(['vitest', 'vite', '@vitest/browser-playwright', 'playwright'], project);
  const [config, test] = await Promise.all(
    ['vitest.config.txt', 'browser.test.txt'].map((name) => readFile(join(GUIDE, name), 'utf8')),
  );
  const launched = `playwright({ launchOptions: ${JSON.stringify(await browserOptions())} })`;
  expect(config).toContain('playwright()');
  await writeFile(join(project, 'vitest.config.ts'), config?.replace('playwright()', launched) ?? '');
  await writeFile(join(project, 'browser.test.ts'), test ?? '');
  const options = { cwd: project, env: { NO_COLOR: '1' }, allowFailure: true };
  const { stdout, stderr } = await run(
    process.execPath,
    [join(project, 'node_modules/vitest/vitest.mjs'), 'run'],
    options,
  );
  expect(stdout + stderr).toMatch(/Tests +1 passed \(1\)/);
});
