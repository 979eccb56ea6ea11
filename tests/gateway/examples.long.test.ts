/** The example for Playwright, run as its users run it; the one for vitest is among the tests of every run. */
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { temporaryFolder } from './harness/afterwards.ts';

it('the example for Playwright passes', async () => {
  const cli = join(ROOT, 'node_modules/@playwright/test/cli.js');
  const config = join(ROOT, 'gateway/examples/playwright/playwright.config.ts');
  const env = {
    CHROME_PATH: process.env['CHROME_PATH'] ?? (await sparticuz.executablePath()),
    PLAYWRIGHT_OUTPUT: await temporaryFolder(),
  };
  const { stdout } = await run(process.execPath, [cli, 'test', '-c', config], { env });
  expect(stdout).toContain('2 passed');
}, 120_000);
