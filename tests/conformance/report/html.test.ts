import { createServer } from 'node:http';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { htmlReport } from '../../../conformance/src/report/html.ts';
import { expectAccessible } from '../../tools/axe.ts';
import { launchBrowser, openPage } from '../../tools/browser.ts';
import { type Loopback, listenOnLoopback } from '../../tools/loopback.ts';
import { ASSUMED, createExchange, createReport, finding, result, verification } from './synthetic.ts';

const MARKUP = '<img src=x onerror=alert(1)>';
const report = createReport(
  verification([
    result('balance/reads'),
    result('replay/createPayment/h2h-upi', {
      findings: [finding({ exchange: createExchange({ status: 'CREATED', note: MARKUP }), found: MARKUP })],
    }),
    result('state/differs', { findings: [finding({ clause: ASSUMED })] }),
    result('webhook/arrives', { verdict: 'not reached', reason: 'none came' }),
  ]),
);

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(htmlReport(report));
});
let browser: Browser;
let site: Loopback;
beforeAll(async () => {
  browser = await launchBrowser();
  site = await listenOnLoopback(server);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

it.each([
  ['in light colors', {}],
  ['in dark colors on a phone', { colorScheme: 'dark', viewport: { width: 360, height: 700 } }],
] as const)('the page is readable %s, and asks no other host for anything', async (_where, options) => {
  const { page, foreign, errors } = await openPage(browser, `${site.url}/`, options);
  expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
  await expectAccessible(page);
});

it('the page opens with the first thing to fix, shows responses as text, and is used with the keyboard', async () => {
  const { page } = await openPage(browser, `${site.url}/`);
  expect(await page.locator('.groups details[open]').textContent()).toContain(MARKUP);
  expect(await page.locator('img').count()).toBe(0);
  const second = page.locator('.groups details').nth(1);
  await second.locator('summary').focus();
  await page.keyboard.press('Enter');
  expect(await second.getAttribute('open')).not.toBeNull();
  await page.getByLabel('Filter').fill('webhook');
  expect(await page.locator('.family li:visible').count()).toBe(1);
});
