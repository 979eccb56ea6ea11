/** Browser tests of a redirect payment: the customer's page and the shop's webhooks. */
import { expect } from '@playwright/test';
import { test } from './fixtures.ts';

/** The part of a shop that the tests are about: creates a payment, and returns where to send the customer. */
async function checkOut({ url, key }: { url: string; key: string }, callbackUrl: string, customerId: string) {
  const response = await fetch(`${url}/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: 25_000,
      currency: 'EGP',
      merchant_order_id: `order-${customerId}`,
      customer: { id: customerId, phone: '+201001234567' },
      payment_method_type: 'WALLET_EG',
      callback_url: callbackUrl,
      return_url: `${url}/health/live`,
    }),
  });
  return (await response.json()) as { transaction_id: string; redirect_url: string };
}

test('the customer pays, and the shop hears of it', async ({ page, merchant }) => {
  const { transaction_id, redirect_url } = await checkOut(merchant, merchant.webhooks.url, 'customer-1');
  await page.goto(redirect_url);
  await page.getByRole('button', { name: /^Pay/ }).click();
  const { body } = await merchant.webhooks.next('SUCCESS', { transactionId: transaction_id });
  expect(body).toMatchObject({ amount_paid: 25_000 });
});

test('the customer sees that the time is over', async ({ page, merchant }) => {
  const { redirect_url } = await checkOut(merchant, merchant.webhooks.url, 'customer-2');
  await merchant.clock.advance('1h');
  await page.goto(redirect_url);
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0);
  expect((await merchant.webhooks.next('FAILED')).body).toMatchObject({ decline_reason: 'TIMEOUT_EXPIRED' });
});
