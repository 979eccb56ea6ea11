import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../tools/axe.ts';
import { UPI } from './checkout.ts';
import { expectClean, visit } from './shop.ts';

describe('paying in a browser', () => {
  it.each([true, false])('creates one payment from a double click (JavaScript: %s)', async (javaScriptEnabled) => {
    const { page, arrival, checkout } = await visit({ customer: UPI.customer }, { javaScriptEnabled });
    await page.getByLabel('UPI address').fill('kiran@upi');
    await page.getByRole('button', { name: 'Pay' }).dblclick();
    expect((await arrival()).get('status')).toBe('SUCCESS');
    const entries = await checkout.gateway.store.read.all("select * from ledger_entries where reason = 'collected'");
    expect(entries).toHaveLength(1);
  });

  it('skips the result when the customer goes back', async () => {
    const { page, arrival, returned } = await visit({ customer: UPI.customer });
    await page.getByLabel('UPI address').fill('kiran@upi');
    await page.keyboard.press('Enter');
    await arrival();
    await page.goBack();
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(await page.getByRole('button', { name: 'Pay' }).count()).toBe(0);
    expect(returned).toHaveLength(1);
    await page.getByRole('link', { name: 'Return to Test merchant' }).click();
    await arrival();
    expect(returned).toHaveLength(2);
  });

  it.each([
    [true, ''],
    [false, ''],
    [false, '#account_number'],
  ])(
    'waits for the confirmation, then continues (JavaScript: %s, fragment: %j)',
    async (javaScriptEnabled, fragment) => {
      const customer = { ...UPI.customer, id: 'succeed-later' };
      const visited = await visit({ customer }, { javaScriptEnabled });
      const { page, checkout, arrival } = visited;
      // As after following a link from an error to its field.
      if (fragment) await page.goto(page.url() + fragment);
      await page.getByLabel('UPI address').fill('kiran@upi');
      await page.getByRole('button', { name: 'Pay' }).click();
      await page.getByRole('heading', { name: 'We are confirming your payment' }).waitFor();
      expect(await page.getByRole('link', { name: 'Return to Test merchant' }).isVisible()).toBe(true);
      // The page has polled once without a change.
      if (javaScriptEnabled) await page.waitForResponse((response) => response.request().method() === 'HEAD');
      checkout.clock.advance(10_000);
      expect((await arrival()).get('status')).toBe('SUCCESS');
      expectClean(visited);
    },
  );
});

const long = 'x'.repeat(255);

it.each([
  ['light', 320],
  ['dark', 320],
  ['light', 390],
  ['dark', 390],
  ['light', 1280],
  ['dark', 1280],
] as const)('the look of the page is readable and fits: %s, %d pixels wide', async (colorScheme, width) => {
  const { page, path, checkout } = await visit(
    { merchant_order_id: long },
    { colorScheme, viewport: { width, height: 700 } },
  );
  await expectAccessible(page);
  await page.getByLabel('Phone number').fill('12345');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('alert').waitFor();
  await expectAccessible(page);
  await checkout.send(path, { action: 'cancel' });
  await page.getByRole('heading', { name: 'Payment cancelled' }).waitFor();
  await expectAccessible(page);
  await page.goto(`${page.url()}x`);
  await page.getByRole('heading', { name: 'Payment not found' }).waitFor();
  await expectAccessible(page);
});
