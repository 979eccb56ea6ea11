/** The panel "Try it" of the published reference: files of any server, with the sandbox in the page. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway } from '../../../gateway/src/index.ts';
import { type Site, serveSite } from '../../../gateway/src/node/site.ts';
import { buildSite, SITE } from '../../../scripts/reference/site.ts';
import { afterwards } from '../../gateway/harness.ts';
import { violationsOf } from '../../tools/axe.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { PHONE, WIDE } from './built-site.ts';

let browser: Browser;
let site: Site;
beforeAll(async () => {
  await buildSite();
  site = await serveSite({ folder: SITE, port: 0 });
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

interface Opened {
  readonly page: Page;
  readonly panel: Locator;
  readonly response: Locator;
  readonly behind: Locator;
  readonly asked: readonly string[];
  readonly errors: readonly string[];
}

async function openPanel(path: string, options = WIDE): Promise<Opened> {
  const context = await browser.newContext(options);
  afterwards(() => context.close());
  const page = await context.newPage();
  const [asked, errors]: [string[], string[]] = [[], []];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(site.url + path);
  await expect.poll(() => page.evaluate('!!document.querySelector("#app")?.__vue_app__')).toBe(true);
  await page.getByRole('button', { name: /^Try / }).click();
  const panel = page.getByRole('form', { name: 'Try it' });
  await panel.waitFor();
  const region = (name: string) => panel.getByRole('region', { name, exact: true });
  return { page, panel, response: region('Response'), behind: region('Behind the response'), asked, errors };
}

it('responds without a service: status, ledger, webhooks and later times, with the network cut', async () => {
  const { page, panel, response, behind, asked, errors } = await openPanel('/docs/createPayment');
  expect(asked).not.toContain('/docs/sandbox/sandbox.js');
  await panel.getByLabel('customer.id').fill('manual');
  await panel.getByRole('button', { name: 'Send POST' }).click();
  await expect.poll(() => response.textContent()).toContain('The body is as the contract says.');
  await page.context().setOffline(true);
  await panel.getByLabel('merchant_order_id').fill('without-network');
  await panel.getByRole('button', { name: 'Send POST' }).click();
  await expect.poll(() => response.textContent()).toContain('without-network');
  await behind.getByRole('button', { name: 'pay', exact: true }).click();
  await behind.getByRole('button', { name: 'succeed', exact: true }).click();
  await expect.poll(() => behind.textContent()).toMatch(/is SUCCESS[\s\S]*ledger[\s\S]*webhook/);
  await behind.getByText('Signature and body').last().click();
  await expect.poll(() => behind.getByLabel('The webhook').last().textContent()).toMatch(/v1,[\s\S]*"SUCCESS"/);
  await behind.getByRole('button', { name: '3d later' }).click();
  await expect.poll(() => behind.getByText('ledger').count()).toBe(2);
  expect(errors).toEqual([]);
});

it('keeps the sandbox while the reader goes to another page', async () => {
  const { page, panel, behind } = await openPanel('/docs/createPayment');
  await panel.getByLabel('customer.id').fill('decline-LIMIT_EXCEEDED');
  await panel.getByRole('button', { name: 'Send POST' }).click();
  await expect.poll(() => behind.textContent()).toContain('is FAILED, LIMIT_EXCEEDED');
  await page.locator('a[href$="/docs/getPayment"]').first().click();
  await page.waitForURL('**/docs/getPayment');
  await page.getByRole('button', { name: /^Try / }).click();
  await panel.getByRole('button', { name: 'Send GET' }).click();
  await expect
    .poll(() => panel.getByRole('region', { name: 'Response', exact: true }).textContent())
    .toContain('LIMIT_EXCEEDED');
});

it('sends to a service of the reader, if it lets pages call it', async () => {
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  // Lets pages call the gateway, as CORS_ORIGINS does.
  const open = createServer(async (request, response) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    if (request.method === 'OPTIONS') return response.writeHead(204, headers).end();
    const { authorization = '' } = request.headers;
    const answer = await fetch(gateway.url + request.url, { headers: { authorization } });
    return response
      .writeHead(answer.status, { ...headers, 'content-type': 'application/json' })
      .end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(open, 'listening');
  afterwards(async () => void open.close());
  const { panel, response } = await openPanel('/docs/getBalance');
  await panel.getByLabel('Send to').selectOption('A service of yours');
  await panel.getByLabel('API key').fill(gateway.key);
  await panel.getByLabel('Base URL').fill(gateway.url);
  await panel.getByRole('button', { name: 'Send GET' }).click();
  await expect.poll(() => panel.textContent()).toContain('CORS_ORIGINS');
  await panel.getByLabel('Base URL').fill(`http://127.0.0.1:${(open.address() as AddressInfo).port}/`);
  await panel.getByRole('button', { name: 'Send GET' }).click();
  await expect.poll(() => response.textContent()).toContain('"balances"');
});

it.each([
  ['light', WIDE],
  ['dark', WIDE],
  ['light', PHONE],
  ['dark', PHONE],
] as const)('has no barriers that axe finds, and fits, in %s colors (%o)', async (colorScheme, options) => {
  const { page, panel, behind } = await openPanel('/docs/createPayment', { ...options, colorScheme } as never);
  await panel.getByRole('button', { name: 'Send POST' }).click();
  await behind.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width);
});
