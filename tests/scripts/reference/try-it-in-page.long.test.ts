/** The panel "Try it" of the published reference: files of any server, with the sandbox in the page. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway } from '../../../gateway/src/index.ts';
import { type Site, serveSite } from '../../../scripts/reference/serve-site.ts';
import { buildSite, SITE } from '../../../scripts/reference/site.ts';
import { afterwards } from '../../gateway/harness.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { WIDE } from './built-site.ts';
import { completePayment, follow, locateBehind, locateResponse, openPanel } from './panel.ts';

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

async function open(path: string) {
  const context = await browser.newContext(WIDE);
  afterwards(() => context.close());
  const page = await context.newPage();
  const [asked, errors]: [string[], string[]] = [[], []];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(site.url + path);
  const panel = await openPanel(page);
  return { page, panel, response: locateResponse(panel), behind: locateBehind(panel), asked, errors };
}

it('responds without a service: status, ledger, webhooks and later times, without a network', async () => {
  const { page, panel, response, asked, errors } = await open('/docs/createPayment');
  expect(asked).not.toContain('/docs/sandbox/sandbox.js');
  await panel.getByLabel('customer.id').fill('manual');
  await panel.getByRole('button', { name: 'Send POST' }).click();
  await expect.poll(() => response.textContent()).toContain('The response matches the contract.');
  await page.context().setOffline(true);
  await panel.getByLabel('merchant_order_id').fill('without-network');
  await panel.getByRole('button', { name: 'Send POST' }).click();
  await expect.poll(() => response.textContent()).toContain('without-network');
  await completePayment(panel);
  expect(errors).toEqual([]);
});

it('keeps the sandbox when the reader opens another page', async () => {
  const { page, panel, behind } = await open('/docs/createPayment');
  await panel.getByLabel('customer.id').fill('decline-LIMIT_EXCEEDED');
  await panel.getByRole('button', { name: 'Send POST' }).click();
  await expect.poll(() => behind.textContent()).toContain('is FAILED, LIMIT_EXCEEDED');
  await follow(page, page.locator('a[href$="/docs/getPayment.html"]').first(), 'Get a payment');
  const next = await openPanel(page);
  await next.getByRole('button', { name: 'Send GET' }).click();
  await expect.poll(() => locateResponse(next).textContent()).toContain('LIMIT_EXCEEDED');
});

it("sends to a reader's service, if it allows pages to call it", async () => {
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  // Allows pages to call the gateway, like CORS_ORIGINS.
  const proxy = createServer(async (request, response) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    if (request.method === 'OPTIONS') return response.writeHead(204, headers).end();
    const { authorization = '' } = request.headers;
    const found = await fetch(gateway.url + request.url, { headers: { authorization } });
    return response.writeHead(found.status, { ...headers, 'content-type': 'application/json' }).end(await found.text());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  afterwards(async () => void proxy.close());
  const { panel, response } = await open('/docs/getBalance');
  await panel.getByLabel('Send to').selectOption('A service of yours');
  await panel.getByLabel('API key').fill(gateway.key);
  await panel.getByLabel('Base URL').fill(gateway.url);
  await panel.getByRole('button', { name: 'Send GET' }).click();
  await expect.poll(() => panel.textContent()).toContain('CORS_ORIGINS');
  await panel.getByLabel('Base URL').fill(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`);
  await panel.getByRole('button', { name: 'Send GET' }).click();
  await expect.poll(() => response.textContent()).toContain('"balances"');
});
