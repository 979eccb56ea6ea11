/** Tests of a shop's orders, with everything that can happen to a payment. */
import { expect } from 'vitest';
import { test } from './fixtures.ts';

/** The part of a shop that the tests are about: creates a payment for an order, and returns its id. */
async function checkOut({ url, key }: { url: string; key: string }, callbackUrl: string, order: string) {
  const response = await fetch(`${url}/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: 49_900,
      currency: 'INR',
      merchant_order_id: order,
      customer: { id: 'manual', name: 'Asha Rao', email: 'asha@example.com', phone: '+919812345671' },
      payment_method_type: 'UPI_IN',
      callback_url: callbackUrl,
    }),
  });
  const { transaction_id: id } = (await response.json()) as { transaction_id: string };
  return id;
}

test('an order whose payment is declined gets the reason by webhook', async ({ merchant }) => {
  const id = await checkOut(merchant, merchant.webhooks.url, 'order-1');
  await merchant.payments.decline(id, 'LIMIT_EXCEEDED');
  const { body } = await merchant.webhooks.next('FAILED');
  expect(body).toMatchObject({ merchant_order_id: 'order-1', decline_reason: 'LIMIT_EXCEEDED' });
});

test('an unpaid order expires after 15 minutes', async ({ merchant }) => {
  await checkOut(merchant, merchant.webhooks.url, 'order-2');
  await merchant.clock.advance('15m');
  const { body } = await merchant.webhooks.next('FAILED');
  expect(body).toMatchObject({ decline_reason: 'TIMEOUT_EXPIRED' });
});

test('a webhook that the shop misses comes again', async ({ merchant }) => {
  merchant.webhooks.respondWith(503, 500);
  const id = await checkOut(merchant, merchant.webhooks.url, 'order-3');
  await merchant.payments.askForConfirmation(id);
  await merchant.clock.advance('6m');
  const { body } = await merchant.webhooks.next('PAY_CONFIRMATION_NEEDED');
  expect(body).toMatchObject({ transaction_id: id });
});
