import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentDeclineReasons } from '../../../generated/decline-reasons.ts';
import { expectAccessible } from '../../tools/axe.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { type RunningShop, startShop } from './running-shop.ts';
import { BY_REDIRECT, choose, fill, HERE, heading, PERSON } from './visitor.ts';

let browser: Browser;
let shop: RunningShop;
beforeAll(async () => {
  [browser, shop] = await Promise.all([launchBrowser(), startShop()]);
});
afterAll(() => browser?.close());

const PAYOUT = { customer_id: 'customer-1', amount: '10.00', account_number: '123456789012', bank_code: 'HDFC0000123' };
const NEW_ORDER = `shop-${crypto.randomUUID()}`;

describe('buying host to host', () => {
  it('asks for missing data, then for the transfer, and ends in success', async () => {
    const { page, foreign, errors } = await shop.visit(browser);
    await page.getByLabel('Teapot for two').check();
    await page.getByRole('button', { name: HERE }).click();
    await heading(page, 'A few details are missing');
    await fill(page, PERSON);
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, 'Transfer the money');
    expect(await page.getByText('collect@upi-standard').isVisible()).toBe(true);
    await page.getByRole('radio', { name: '₹1,300.00' }).check();
    await page.getByLabel('Reference of the transfer').fill('407112233445');
    await page.getByRole('button', { name: 'I have paid' }).click();
    await page.getByText('Paid: ₹1,300.00').waitFor();
    expect([foreign, errors]).toEqual([[], []]);
  });

  it('tells the payer the reason for a decline and the next step, without the advice for the merchant', async () => {
    const { page } = await shop.visit(browser);
    await choose(page, { ...PERSON, 'Customer id': 'decline-BANK_REJECTED' }, HERE);
    await heading(page, 'The payment was declined');
    const text = await page.locator('main').textContent();
    expect(text).toMatch(/Your bank did not allow the payment[\s\S]*Ask your bank[\s\S]*support: BANK_REJECTED/);
    expect(text).not.toContain(paymentDeclineReasons.BANK_REJECTED.suggested_action);
  });
});

describe('buying by redirect', () => {
  it('uses the payment page, and a verified webhook informs the shop', async () => {
    const { page, foreign } = await shop.visit(browser);
    await choose(page, PERSON, BY_REDIRECT);
    await page.waitForURL(`${shop.gatewayUrl}/checkout/*`);
    await page.getByLabel('UPI address').fill('asha@upi');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.waitForURL(`${shop.url}/orders/**`);
    await page.getByText('Paid: ₹499.00').waitFor();
    const id = new URL(page.url()).searchParams.get('transaction_id') ?? '';
    const order = page.getByRole('listitem').filter({ hasText: id });
    await expect
      .poll(async () => {
        await page.goto(`${shop.url}/admin`);
        return order.textContent();
      })
      .toContain('SUCCESS, reported by a verified webhook');
    expect(foreign).toEqual([]);
  });

  it('distrusts the query of the address', async () => {
    const { page } = await shop.visit(browser);
    await choose(page, PERSON, BY_REDIRECT);
    await page.waitForURL(`${shop.gatewayUrl}/checkout/*`);
    await page.getByRole('button', { name: /^Cancel/ }).click();
    await page.waitForURL(`${shop.url}/orders/**`);
    const [address] = page.url().split('?');
    await page.goto(`${address}?status=SUCCESS`);
    await heading(page, 'The payment was declined');
  });
});

describe('the admin page', () => {
  it('pays out, and the balance falls', async () => {
    const { page } = await shop.visit(browser, '/admin');
    const before = await wallet(page);
    await fill(page, { 'Amount in INR': '250.00', 'Account number': '123456789012', 'Bank code': 'HDFC0000123' });
    await page.getByRole('button', { name: 'Pay out' }).click();
    await page.getByText('Paid out: ₹250.00').waitFor();
    expect(await wallet(page)).toBeCloseTo(before - 250);
  });

  it('pays out once when the form is sent twice', async () => {
    const { page } = await shop.visit(browser, '/admin');
    const before = await wallet(page);
    const order_id = await page.locator('[name=order_id]').inputValue();
    const send = () => post('/admin/payouts', { ...PAYOUT, order_id }, { origin: 'SHOP' });
    const answers = await Promise.all([send(), send()]);
    for (const answer of answers) expect(await answer.text()).toContain('Paid out: ₹10.00');
    await page.goto(`${shop.url}/admin`);
    expect(await wallet(page)).toBeCloseTo(before - 10);
  });

  it.each([
    ['1000000.00', 200, /Invalid amount[\s\S]*INVALID_AMOUNT/i],
    ['90000.00', 200, /Insufficient balance/i],
    ['2,50', 422, /Check the amount[\s\S]*2,50/],
  ])('explains why %s INR are not paid out', async (amount, status, text) => {
    const order_id = `shop-${crypto.randomUUID()}`;
    const response = await post('/admin/payouts', { ...PAYOUT, order_id, amount }, { origin: 'SHOP' });
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(text)]);
  });

  it.each([
    ['another site', 403, { 'sec-fetch-site': 'cross-site', origin: 'SHOP' }],
    ['another site of the same registrable domain', 403, { 'sec-fetch-site': 'same-site', origin: 'SHOP' }],
    ['another origin, by a browser that does not name the site', 403, { origin: 'https://evil.example' }],
    ['another port, by a browser that does not name the site', 403, { origin: 'http://127.0.0.1:1' }],
    ['an origin that is hidden', 403, { origin: 'null' }],
    ['nowhere', 403, {}],
    ['the same origin', 422, { 'sec-fetch-site': 'same-origin' }],
    ['the same origin, by a browser that does not name the site', 422, { origin: 'SHOP' }],
  ])('responds to a form from %s with %d', async (_what, status, headers) => {
    expect((await post('/admin/payouts', { order_id: NEW_ORDER, amount: '2,50' }, headers)).status).toBe(status);
  });

  it.each<[string, string, Record<string, string>]>([
    ['a line break in the reference', '/admin/payouts', { ...PAYOUT, order_id: 'x\r\nset-cookie: a=b' }],
    ['no reference', '/admin/payouts', { amount: '1.00' }],
    ['a NUL in the customer id', '/orders', { customer_id: '\0' }],
    ['an unknown order', '/orders/shop-1/confirm', { tid: '1' }],
    ['a name of every object', '/orders/__proto__/clarify', { __proto__: '1' }],
  ])('responds to a form with %s with a page and 4xx', async (_what, path, entries) => {
    const response = await post(path, entries, { origin: 'SHOP' });
    expect(await response.text()).toContain('<h1>');
    expect(Math.floor(response.status / 100)).toBe(4);
  });

  it("does not pay out under a payment's reference", async () => {
    const { page } = await shop.visit(browser);
    await choose(page, PERSON, HERE);
    await heading(page, 'Transfer the money');
    const order_id = page.url().split('/').at(-1) ?? '';
    const response = await post('/admin/payouts', { order_id, amount: '1.00' }, { origin: 'SHOP' });
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('Open this page again')]);
  });
});

it.each([
  ['light', 390],
  ['dark', 1280],
] as const)('the pages are readable and fit: %s, %d pixels wide', async (colorScheme, width) => {
  const options = { colorScheme, viewport: { width, height: 800 } };
  const { page } = await shop.visit(browser, '/', options);
  await choose(page, { 'Full name': 'x'.repeat(300), 'Phone number': '1' }, HERE);
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.textContent()).toContain('/customer/phone');
  expect(await page.getByLabel('Phone number').inputValue()).toBe('1');
  await expectAccessible(page);
  const transfer = await shop.visit(browser, '/', options);
  await choose(transfer.page, PERSON, HERE);
  await heading(transfer.page, 'Transfer the money');
  await expectAccessible(transfer.page);
  await page.goto(`${shop.url}/admin`);
  await expectAccessible(page);
});

/** Sends a form. `SHOP` in a header stands for the shop's address. */
function post(path: string, entries: Record<string, string>, headers: Record<string, string>): Promise<Response> {
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    value.replace('SHOP', shop.url),
  ]);
  return fetch(shop.url + path, { method: 'POST', headers: sent, body: new URLSearchParams(entries) });
}

/** INR in the wallet, as shown on the page. Collected money becomes available in between. */
async function wallet(page: Page): Promise<number> {
  const text = await page
    .getByText(/available, .* pending/)
    .first()
    .textContent();
  const amounts = [...(text ?? '').matchAll(/₹([\d,.]+)/g)].map(([, amount]) => Number(amount?.replaceAll(',', '')));
  expect(amounts).toHaveLength(2);
  return amounts.reduce((sum, amount) => sum + amount);
}
