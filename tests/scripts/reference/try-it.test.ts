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
import {
  prefilled,
  valueAt,
  withAsked,
  withQuery,
  withValue,
} from '../../../scripts/reference/vitepress/try-it/request.ts';
import { temporaryFolder } from '../../gateway/harness.ts';
import { listViolations } from '../../tools/axe.ts';
import { launchBrowser, openPage, type Watched } from '../../tools/browser.ts';
import { GATEWAY, type Server, startServer } from '../../tools/server.ts';
import { PHONE, WIDE } from './built-site.ts';
import { advance, completePayment, follow, locateBehind, locateResponse, openPanel } from './panel.ts';

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

  it('sets nested values, and removes empty ones with their objects', () => {
    const body = { amount: 1, customer: { id: 'c' } };
    expect(withValue(body, 'customer.name', 'Asha')).toEqual({ amount: 1, customer: { id: 'c', name: 'Asha' } });
    expect(withValue(body, 'customer.id', undefined)).toEqual({ amount: 1 });
    expect(valueAt(body, 'customer.id')).toBe('c');
    expect(valueAt(body, 'other.id')).toBe(undefined);
  });

  it("starts with the reader's IDs, and with a new order ID each time", () => {
    const request = { path: { transaction_id: 'pay_1' }, query: {}, body: { merchant_order_id: 'order-1', amount: 1 } };
    const [first, second] = [prefilled(request, { transaction_id: 'pay_2' }), prefilled(request, {})];
    expect([first.path, second.path]).toEqual([{ transaction_id: 'pay_2' }, { transaction_id: 'pay_1' }]);
    expect(first.body?.['merchant_order_id']).not.toBe(second.body?.['merchant_order_id']);
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

  it('leads from each status to the operations that the state machine allows', () => {
    const { next } = createPanel(bundle, findOperation('createPayment'));
    expect(next).toEqual({
      byStatus: { EXTRA_DATA_NEEDED: ['clarifyPayment'], PAY_CONFIRMATION_NEEDED: ['confirmPayment'] },
      read: 'getPayment',
    });
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
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  async function open(path: string, options = WIDE): Promise<Page> {
    const watched = await openPage(browser, url + path, options);
    opened.push(watched);
    return watched.page;
  }

  it('makes no request before it is opened', async () => {
    const page = await open('/docs/createPayment');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await openPanel(page);
    expect(asked).toContain('/docs/try-it/createPayment.json');
    expect(asked.some((path) => /\/panel\.\w|\/chunks\/panel/.test(path))).toBe(true);
  });

  it('sends the example, checks the response, and shows webhooks, status and ledger as they arrive', async () => {
    const page = await open('/docs/createPayment');
    const panel = await openPanel(page);
    await panel.getByLabel('customer.id').fill('manual');
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await expect.poll(() => locateResponse(panel).textContent()).toContain('The response matches the contract.');
    await completePayment(panel);
  });

  it('shows the signature of a webhook opened before its first attempt ended', async () => {
    const page = await open('/docs/createPayment');
    let early = true;
    await page.route('**/management/events/*', async (route) => {
      const response = await route.fetch();
      const event = await response.json();
      await route.fulfill({ response, json: early ? { ...event, deliveries: [] } : event });
    });
    const panel = await openPanel(page);
    await panel.getByRole('button', { name: 'Send POST' }).click();
    const behind = locateBehind(panel);
    await behind.getByText('Signature and body').click();
    const webhook = behind.getByLabel('The webhook').first();
    await expect.poll(() => webhook.textContent()).toContain('"PAY_CONFIRMATION_NEEDED"');
    expect(await webhook.textContent()).not.toContain('v1,');
    early = false;
    await advance(behind);
    await expect.poll(() => webhook.textContent()).toContain('v1,');
  });

  it('opens one stream for each response', async () => {
    const page = await open('/docs/createPayment');
    const streams: string[] = [];
    page.on('request', (request) => request.url().endsWith('/management/stream') && streams.push(request.url()));
    const panel = await openPanel(page);
    for (let sent = 1; sent <= 3; sent++) {
      const opened = page.waitForRequest('**/management/stream');
      await panel.getByRole('button', { name: 'Send POST' }).click();
      await opened;
    }
    await locateBehind(panel).getByRole('button', { name: 'decline', exact: true }).click();
    await expect.poll(() => locateBehind(panel).textContent()).toContain('is FAILED');
    expect(streams).toHaveLength(3);
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

  it('fills in a chosen test customer, and fills in the transaction on other pages', async () => {
    const page = await open('/docs/createPayment');
    const panel = await openPanel(page);
    await panel.getByLabel('Test values of customer id').selectOption('decline-LIMIT_EXCEEDED');
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await expect.poll(() => panel.textContent()).toContain('is FAILED, LIMIT_EXCEEDED');
    const link = await panel.getByRole('link', { name: 'Open in the console' }).getAttribute('href');
    expect(link).toMatch(new RegExp(`^${url}/console#/payments/pay_`));
    const { summary } = findOperation('getPayment');
    await follow(page, page.getByRole('link', { name: summary }).first(), summary);
    const next = await openPanel(page);
    await next.getByRole('button', { name: 'Send GET' }).click();
    await expect.poll(() => locateResponse(next).textContent()).toContain('LIMIT_EXCEEDED');
  });

  it('shows how far the clock is ahead, and releases it', async () => {
    const page = await open('/docs/createPayment');
    const panel = await openPanel(page);
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await locateBehind(panel).getByRole('button', { name: '2h later' }).click();
    await expect.poll(() => panel.textContent()).toMatch(/The clock of this sandbox is \d.* ahead/);
    await panel.getByRole('button', { name: 'Release' }).click();
    await expect.poll(() => panel.textContent()).not.toContain('The clock of this sandbox');
  });

  it('clears the former results when a request fails', async () => {
    const page = await open('/docs/createPayment');
    const panel = await openPanel(page);
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await locateBehind(panel).waitFor();
    await page.route('**/payments', (route) => route.abort());
    await panel.getByRole('button', { name: 'Send POST' }).click();
    await expect.poll(() => panel.textContent()).toContain('No response');
    expect(await Promise.all([locateBehind(panel), locateResponse(panel)].map((one) => one.count()))).toEqual([0, 0]);
  });

  it('selects the same example as the samples, whichever the reader chooses from', async () => {
    const page = await open('/docs/createPayment');
    const picker = page.locator('.samples').getByLabel('Example');
    await picker.selectOption('Wallet in EGP, redirect');
    const panel = await openPanel(page);
    const form = panel.getByLabel('Example');
    const method = panel.getByLabel('payment_method_type');
    const sample = page.locator('.samples .panel:visible').first();
    expect(await form.locator(':checked').textContent()).toBe('Wallet in EGP, redirect');
    expect(await method.inputValue()).toBe('WALLET_EG');
    await form.selectOption('UPI, H2H');
    await expect.poll(() => picker.inputValue()).toBe('UPI, H2H');
    await expect.poll(() => sample.textContent()).toContain('UPI_IN');
    await picker.selectOption('Wallet in EGP, redirect');
    await expect.poll(() => method.inputValue()).toBe('WALLET_EG');
    expect(await panel.getByLabel('currency').inputValue()).toBe('EGP');
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
