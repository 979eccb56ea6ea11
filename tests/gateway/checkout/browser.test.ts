/** The checkout in a browser. browser.long.test.ts has every way to pay and every variant of the page. */
import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { payerLanguages } from '../../../contract/src/customer-texts.ts';
import { hi } from '../../../gateway/src/checkout/texts/hi.ts';
import { expectAccessible } from '../../tools/axe.ts';
import { UPI } from './checkout.ts';
import { expectClean, visit } from './shop.ts';

it('paying in a browser works by keyboard alone and ends at the shop with the identifiers', async () => {
  const visited = await visit();
  const { page, checkout } = visited;
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Language: English');
  for (const entry of ['Asha Rao', '+91 98123 45671']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(entry);
  }
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('I have paid in the app');
  await page.keyboard.press('Tab');
  await page.keyboard.type('asha@upi');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Pay ₹750.00');
  await page.keyboard.press('Enter');
  const brought = await visited.arrival();
  const paid = await checkout.payment(visited.path);
  expect(Object.fromEntries(brought)).toEqual({
    cart: '7',
    transaction_id: paid['transaction_id'],
    merchant_order_id: 'order-1008',
    status: 'SUCCESS',
  });
  expect(paid).toMatchObject({ status: 'SUCCESS', amount_paid: 75_000 });
  expectClean(visited);
});

it('an open page in a browser shows a payment made on another device', async () => {
  const { page, checkout, path } = await visit({ customer: UPI.customer });
  await page.clock.install();
  await page.reload();
  await checkout.send(path, { action: 'pay', account_number: 'kiran@upi' });
  await checkout.gateway.idle();
  await page.clock.runFor(2_000);
  await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
});

it.each([true, false])(
  'errors in a browser are announced, focused and tied to their fields (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const { page, arrival } = await visit({}, { javaScriptEnabled });
    await page.getByLabel('Full name').fill('Asha Rao');
    await page.getByLabel('Phone number').fill('12345');
    await page.getByRole('button', { name: 'Pay' }).click();
    const summary = page.getByRole('alert');
    await summary.waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    expect(await summary.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    expect(await summary.getByRole('link').allTextContents()).toEqual([
      'Enter the phone number in digits, with country code, such as +91',
      'Enter your UPI address',
    ]);
    expect(await page.getByLabel('Full name').inputValue()).toBe('Asha Rao');
    const phone = page.getByLabel('Phone number');
    expect(await phone.inputValue()).toBe('12345');
    expect(await description(page, 'phone')).toBe(
      'With country code, such as +91. Error: Enter the phone number in digits, with country code, such as +91',
    );
    await summary.getByRole('link', { name: 'Enter your UPI address' }).press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('account_number');
    await page.keyboard.type('asha@upi');
    await phone.fill('+919812345671');
    await page.getByRole('button', { name: 'Pay' }).click();
    expect((await arrival()).get('status')).toBe('SUCCESS');
  },
);

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

describe('the languages of the page', () => {
  it('are switched by keyboard, and kept until the end', async () => {
    const { page, arrival, errors } = await visit({}, { locale: 'fr-MA' });
    await page.getByRole('heading', { name: 'Payer Test merchant' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('a[hreflang=hi]').press('Enter');
    await page.getByLabel(hi.fields.name.label).fill('Asha Rao');
    await page.getByLabel(hi.fields.phone.label).fill('1');
    await page.getByRole('button', { name: hi.paidInApp }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('hi');
    await page.getByLabel(hi.fields.phone.label).fill('+919812345671');
    await page.getByRole('button', { name: hi.paidInApp }).click();
    expect((await arrival()).get('status')).toBe('SUCCESS');
    expect(errors.filter((error) => !error.includes('422'))).toEqual([]);
  });

  it.each(payerLanguages)('are readable, even on a phone in dark mode: %s', async (code) => {
    const { page } = await visit({}, { locale: code, colorScheme: 'dark', viewport: PHONE });
    await page.locator('summary').click();
    await expectAccessible(page);
    await page.locator('button[value=pay]:not([aria-hidden])').click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
  });
});

const PHONE = { width: 320, height: 700 };

function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.textContent');
}

/** The texts referenced by the field's aria-describedby. */
function description(page: Page, id: string): Promise<string> {
  return page.evaluate(`document.getElementById('${id}').getAttribute('aria-describedby').split(' ')
    .map((name) => document.getElementById(name).textContent).join(' ')`);
}
