/** The panel "Try it" in a browser, on a gateway's pages. */
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type JsonObject,
  type Operation,
  operations,
  readBundle,
  requestExamples,
} from '../../../contract/src/model.ts';
import { buildGatewayPage } from '../../../scripts/reference/gateway-page.ts';
import { createPanel } from '../../../scripts/reference/try-it.ts';
import { withAsked, withQuery } from '../../../scripts/reference/vitepress/try-it/request.ts';
import { temporaryFolder } from '../../gateway/harness.ts';
import { listViolations } from '../../tools/axe.ts';
import { launchBrowser, openPage, type Watched } from '../../tools/browser.ts';
import { GATEWAY, type Server, startServer } from '../../tools/server.ts';
import { PHONE, WIDE } from './built-site.ts';
import { completePayment, follow, locateBehind, locateResponse, openPanel } from './panel.ts';

const bundle = readBundle();

describe('the form', () => {
  it.each(operations(bundle))('of $id has an input for each value of its examples', (operation) => {
    const { inputs, requests } = createPanel(bundle, operation);
    expect(requests.length).toBeGreaterThan(0);
    for (const { path, query, body } of requestExamples(operation)) {
      const leaves = [...Object.keys(path), ...Object.keys(query), ...listLeaves(body)];
      expect(inputs.map(({ name }) => name)).toEqual(expect.arrayContaining(leaves));
    }
  });

  it('starts with the items that a transaction asks for, and with the values of the address', () => {
    const { requests, inputs } = createPanel(bundle, findOperation('confirmPayment'));
    const asked = { items: { clarify_data: undefined, confirm_data: ['amount', 'other'] }, amount: 700 };
    const body = withAsked(requests[0]?.body as JsonObject, requests, asked);
    expect(body).toEqual({ confirm_data: { amount: '700', other: '' } });
    const values = withQuery({ path: {}, query: {}, body }, inputs, new URLSearchParams('transaction_id=pay_1&x=2'));
    expect(values).toEqual({ path: { transaction_id: 'pay_1' }, query: {}, body });
  });

  it('suggests the test customers of its kind and the methods of the sandbox, which a live gateway lacks', () => {
    const operation = findOperation('createPayout');
    const find = (isLive: boolean, wanted: string) =>
      createPanel(bundle, operation, isLive).inputs.find(({ name }) => name === wanted);
    const customers = find(false, 'customer.id')?.testValues?.map(({ value }) => value);
    expect(customers).toContain('decline-late-INSUFFICIENT_BALANCE');
    expect(customers).not.toContain('stop-VERIFYING');
    expect(find(false, 'payment_method_type')?.values).toEqual(expect.arrayContaining(['IMPS_IN', 'WALLET_EG']));
    expect(find(true, 'customer.id')).not.toHaveProperty('testValues');
    expect(find(true, 'payment_method_type')?.values).not.toContain('WALLET_EG');
  });
});

function findOperation(wanted: string): Operation {
  const operation = operations(bundle).find(({ id }) => id === wanted);
  if (!operation) throw new Error(`no operation ${wanted}`);
  return operation;
}

function listLeaves(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [prefix.slice(0, -1)];
  return Object.entries(value).flatMap(([key, inner]) => listLeaves(inner, `${prefix}${key}.`));
}

describe('the panel', () => {
  let server: Server;
  let browser: Browser;
  let url: string;
  const opened: Watched[] = [];

  beforeAll(async () => {
    await buildGatewayPage(['sandbox']);
    const env = { PORT: '0', DATABASE_FILE: join(await temporaryFolder(), 'try-it.db'), LOG_LEVEL: 'silent' };
    server = await startServer([GATEWAY, 'sandbox'], { env });
    // Browsers resolve localhost locally.
    url = new URL(server.url).origin;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  async function open(path: string, options = WIDE): Promise<Page> {
    const watched = await openPage(browser, url + path, options);
    opened.push(watched);
    return watched.page;
  }

  it('sends the example, checks the response, and shows webhooks, status and ledger as they arrive', async () => {
    const panel = await openPanel(await open('/docs/createPayment'));
    await panel.getByLabel('customer.id').fill('manual');
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await expect.poll(() => locateResponse(panel).textContent()).toContain('The response matches the contract.');
    await completePayment(panel);
  });

  it('shows objects of a service as text, even if they look like nodes of Vue', async () => {
    const node = { __v_isVNode: true, type: 'img', props: { src: '/evil.png' }, shapeFlag: 1, patchFlag: 0 };
    const page = await open('/docs/createPayment');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.route('**/payments', (route) => route.fulfill({ json: { transaction_id: node } }));
    const resource = { status: node, decline_reason: [node] };
    await page.route('**/management/payments/*', (route) =>
      route.fulfill({
        json: { resource, timeline: [{ at: '2026-01-01T00:00:00.000Z', type: 'status', summary: 'x', cause: 'y' }] },
      }),
    );
    const panel = await openPanel(page);
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await expect.poll(() => locateBehind(panel).textContent()).toContain('"__v_isVNode":true');
    expect(await panel.locator('img').count()).toBe(0);
    expect(requested.filter((url) => url.endsWith('/evil.png'))).toEqual([]);
  });

  it('leads to the next operation with its form filled in', async () => {
    const page = await open('/docs/createPayment?customer.id=customer-1&currency=INR#try-it');
    const panel = page.getByRole('form', { name: 'Try it' });
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await follow(page, panel.getByRole('link', { name: 'confirmPayment' }), findOperation('confirmPayment').summary);
    expect(new URL(page.url()).hash).toBe('#try-it');
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await expect.poll(() => locateResponse(panel).textContent()).toContain('"VERIFYING"');
  });

  it("shows a request's violations at its values in the form and in JSON", async () => {
    const page = await open('/docs/createPayment');
    const panel = await openPanel(page);
    await panel.getByLabel('amount').fill('many');
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await expect.poll(() => locateResponse(panel).textContent()).toContain('/amount');
    await panel.getByText('Body as JSON').click();
    const text = panel.getByRole('textbox', { name: 'Body as JSON' });
    expect(await text.inputValue()).toContain('"amount": "many"');
    await text.fill('{"amount": 1}');
    await text.blur();
    expect(await panel.getByLabel('amount').inputValue()).toBe('1');
    await text.fill('{');
    await text.blur();
    expect(await text.getAttribute('aria-invalid')).toBe('true');
  });

  it('works with the keyboard alone', async () => {
    const page = await open('/docs/getBalance');
    await page.getByRole('button', { name: 'Try getBalance' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('try-apiKey');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('region', { name: 'Response', exact: true }).textContent()).toContain('200');
  });

  it.each([
    ['light', WIDE],
    ['dark', PHONE],
  ] as const)('has no barriers found by axe, and fits, in %s colors (%o)', async (colorScheme, options) => {
    const page = await open('/docs/createPayment', { ...options, colorScheme } as never);
    const panel = await openPanel(page);
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await panel.getByText('Signature and body').first().click();
    for (const text of ['Headers', 'Body as JSON', 'The same request in code']) await panel.getByText(text).click();
    expect(await listViolations(page, '.try-it-panel')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width);
  });

  it('requests no other host and reports no error', () => {
    // A browser reports a response with 400 and an aborted request as errors.
    const errors = opened.flatMap(({ errors: all }) => all.filter((error) => !/status of 400|ERR_FAILED/.test(error)));
    expect([...opened.flatMap(({ foreign }) => foreign), ...errors]).toEqual([]);
  });
});
