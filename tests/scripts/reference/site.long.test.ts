/** All pages of the built site in a browser. site.test.ts opens a few. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIVE_REFERENCE } from '../../../gateway/src/server/reference.ts';
import { buildGatewayPage } from '../../../scripts/reference/gateway-page.ts';
import { buildSite, SITE } from '../../../scripts/reference/site.ts';
import { createRunner } from '../../gateway/commands/run-command.ts';
import { afterwards, temporaryFolder } from '../../gateway/harness.ts';
import { listViolations } from '../../tools/axe.ts';
import { startGatewayProcess } from '../../tools/server.ts';
import { type BuiltSite, PHONE, renderedPages, startSite, WIDE } from './built-site.ts';

let site: BuiltSite;
beforeAll(async () => {
  site = await startSite();
}, 300_000);
afterAll(() => site?.close());

/** Addresses of all pages. */
const addresses = () => renderedPages().map(([name]) => `/docs/${name.replace(/(index)?\.html$/, '')}`);

describe('every page', () => {
  it('has no barriers found by axe, in light and dark colors, and fits a phone', async () => {
    const found: string[] = [];
    for (const address of addresses()) {
      const page = await site.open(address, PHONE);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      if (width !== PHONE.viewport.width) found.push(`${address}: is ${width} wide`);
      await page.setViewportSize(WIDE.viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor();
        found.push(...(await listViolations(page)).map((violation) => `${address}, ${colorScheme}: ${violation}`));
      }
      await page.context().close();
    }
    expect(found).toEqual([]);
  }, 600_000);

  it('requested no other host and reported no error', () => {
    expect(site.opened.length).toBeGreaterThan(40);
    expect(site.opened.flatMap(({ foreign, errors }) => [...foreign, ...errors])).toEqual([]);
  });
});

it('a page works with the keyboard: the skip link, the samples and the search', async () => {
  const page = await site.open('/docs/createPayment');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement?.id')).toBe('VPContent');
  const samples = page.locator('.tabs').first();
  await samples.locator('input').first().focus();
  await page.keyboard.press('ArrowRight');
  expect(await samples.locator('.panel:visible').textContent()).toContain('createPaymentsClient');
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type('settlement balance');
  await expect.poll(() => page.locator('.results').textContent()).toContain('balance');
});

it('a live gateway serves its reference without sandbox content', async () => {
  await buildGatewayPage(['live']);
  const env = {
    ...{ LIVE: 'true', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), PORT: '0', LOG_LEVEL: 'silent' },
    CONFIG: fileURLToPath(new URL('../../gateway/harness/live.config.ts', import.meta.url)),
    DATABASE_FILE: join(await temporaryFolder(), 'live.db'),
  };
  await createRunner(env)('migrate', '--mode', 'live');
  const server = await startGatewayProcess(env);
  afterwards(() => server.end());
  const paths = ['/docs', '/docs/management', '/docs/sandbox'];
  const responses = await Promise.all(paths.map((path) => fetch(server.url + path)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 404]);
  const names = readdirSync(LIVE_REFERENCE, { recursive: true }).map(String);
  expect(names.filter((name) => /sandbox/.test(name))).toEqual([]);
}, 300_000);

it('the site of the contract has the files of its start page and of the addresses of problems', async () => {
  await buildSite();
  const names = readdirSync(SITE, { recursive: true }).map(String);
  const needed = ['index.html', 'openapi.json', 'llms.txt', 'docs/index.html', 'docs/errors.html'];
  expect(names).toEqual(expect.arrayContaining([...needed, 'problems/not-found/index.html']));
}, 300_000);
