/** The checkout in a browser, from the payment page to the shop on loopback to which it redirects. */
import { createServer } from 'node:http';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { expect, it } from 'vitest';
import type { CreatePaymentRequest } from '../../../generated/types.ts';
import { expectAccessible } from '../../tools/axe.ts';
import { openPage } from '../../tools/browser.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';
import { openBrowser } from '../harness/browser.ts';
import { afterwards } from '../harness.ts';
import { startCheckout, UPI, UPI_ANONYMOUS } from './checkout.ts';

/** Opens the page of a new payment in a browser, closed after the test. */
async function visit(request: Partial<CreatePaymentRequest> = {}, options: BrowserContextOptions = {}) {
  const shop = await startShop();
  let url = '';
  const checkout = await startCheckout({ publicUrl: () => url });
  url = await checkout.gateway.listen({ port: 0 });
  const path = await checkout.open({ ...UPI_ANONYMOUS, return_url: `${shop.url}/back?cart=7`, ...request });
  const watched = await openPage(await openBrowser(), url + path, options);
  afterwards(() => watched.page.context().close());
  await watched.page.context().route(`${shop.url}/**`, (route) => route.continue());
  return {
    ...watched,
    checkout,
    path,
    returned: shop.returned,
    /** Resolves with the query of the customer's next return to the shop. */
    async arrival(): Promise<Record<string, string>> {
      await watched.page.waitForURL(`${shop.url}/back**`);
      return Object.fromEntries(shop.returned.at(-1) ?? []);
    },
    /** Expects requests only to the page's host and the shop, and no errors except refused entries. */
    expectClean() {
      expect(watched.foreign.filter((address) => !address.startsWith(shop.url))).toEqual([]);
      expect(watched.errors.filter((error) => !error.includes('422'))).toEqual([]);
    },
  };
}

/** A shop, with the query of each of the customer's returns. */
async function startShop() {
  const returned: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    if (pathname === '/back') returned.push(searchParams);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title><h1>Thank you</h1>');
  });
  const { url, close } = await listenOnLoopback(server);
  afterwards(close);
  return { url, returned };
}

function readFocused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.textContent');
}

it('paying in a browser works by keyboard alone and ends at the shop with the identifiers', async () => {
  const { page, checkout, path, arrival, returned, expectClean } = await visit();
  await page.keyboard.press('Tab');
  expect(await readFocused(page)).toBe('Language: English');
  for (const entry of ['Asha Rao', '+91 98123 45671']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(entry);
  }
  await page.keyboard.press('Tab');
  expect(await readFocused(page)).toBe('I have paid in the app');
  await page.keyboard.press('Tab');
  await page.keyboard.type('asha@upi');
  await page.keyboard.press('Tab');
  expect(await readFocused(page)).toBe('Pay ₹750.00');
  await page.keyboard.press('Enter');
  const brought = await arrival();
  const { transaction_id, ...paid } = await checkout.payment(path);
  expect(brought).toEqual({ cart: '7', transaction_id, merchant_order_id: 'order-1008', status: 'SUCCESS' });
  expect(paid).toMatchObject({ status: 'SUCCESS', amount_paid: 75_000 });
  expectClean();

  // The customer who goes back sees the result, without another redirect.
  await page.goBack();
  await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
  expect(await page.getByRole('button', { name: 'Pay' }).count()).toBe(0);
  expect(returned).toHaveLength(1);
});

it('the time left in a browser counts down, is announced near its end, and leads to the expired page', async () => {
  const { page, checkout, errors } = await visit();
  // An installed clock keeps running and would show less time on a busy machine.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await page.reload();
  await page.clock.runFor(90_000);
  expect(await page.locator('time').textContent()).toMatch(/^13:30 /);
  const announcement = page.getByRole('status');
  expect(await announcement.textContent()).toBe('');
  await page.clock.runFor(510_000);
  expect(await announcement.textContent()).toBe('Time left to pay: 5 mins');
  checkout.clock.advance(15 * 60_000);
  await page.clock.runFor(300_000);
  await page.getByRole('heading', { name: 'This payment has expired' }).waitFor();
  expect(errors).toEqual([]);
});

it.each([
  [true, ''],
  // As after following a link from an error to its field.
  [false, '#account_number'],
])(
  'the page in a browser waits for the confirmation, then continues (JavaScript: %s)',
  async (javaScriptEnabled, fragment) => {
    const customer = { ...UPI.customer, id: 'succeed-later' };
    const { page, checkout, arrival, expectClean } = await visit({ customer }, { javaScriptEnabled });
    if (fragment) await page.goto(page.url() + fragment);
    await page.getByLabel('UPI address').fill('kiran@upi');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('heading', { name: 'We are confirming your payment' }).waitFor();
    expect(await page.getByRole('link', { name: 'Return to Test merchant' }).isVisible()).toBe(true);
    // The page has polled once without a change.
    if (javaScriptEnabled) await page.waitForResponse((response) => response.request().method() === 'HEAD');
    checkout.clock.advance(10_000);
    expect(await arrival()).toMatchObject({ status: 'SUCCESS' });
    expectClean();
  },
);

it.each([
  ['en', 'light', 1280],
  ['hi', 'dark', 320],
  ['ar', 'dark', 320],
] as const)('the look of the page is readable and fits: %s, %s, %d pixels wide', async (locale, colorScheme, width) => {
  const order = { merchant_order_id: 'x'.repeat(255) };
  const { page, path, checkout } = await visit(order, { locale, colorScheme, viewport: { width, height: 700 } });
  await page.locator('summary').click();
  await expectAccessible(page);
  await page.locator('button[value=pay]:not([aria-hidden])').click();
  const summary = page.getByRole('alert');
  await summary.waitFor();
  expect(await summary.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await expectAccessible(page);
  await checkout.send(path, { action: 'cancel' });
  await page.locator('.state.bad').waitFor();
  await expectAccessible(page);
  await page.goto(`${page.url()}x`);
  await expectAccessible(page);
});
