/** Runs the Playwright example as its users do. The vitest example is part of every run. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { browserOptions } from '../tools/browser.ts';
import { temporaryFolder } from './harness/afterwards.ts';

it('the example for Playwright passes', async ({ skip }) => {
  const cli = join(ROOT, 'node_modules/@playwright/test/cli.js');
  const config = join(ROOT, 'gateway/examples/playwright/playwright.config.ts');
  const browser = await browserOptions();
  if (!browser.executablePath) return skip('set CHROME_PATH to the browser');
  const env = { ...browser.env, CHROME_PATH: browser.executablePath, PLAYWRIGHT_OUTPUT: await temporaryFolder() };
  const { stdout } = await run(process.execPath, [cli, 'test', '-c', config], { env });
  expect(stdout).toContain('2 passed');
}, 120_000);
