import { setupServer } from 'msw/node';
import { createPaymentsClient } from 'payments-client';
import { exampleHandlers } from 'payments-contract/msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const baseUrl = 'https://payments.example.com';
const server = setupServer(...exampleHandlers(baseUrl));

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const client = createPaymentsClient({ baseUrl, apiKey: 'sk_test_any', retry: { attempts: 1 } });
const body = {
  amount: 49_900,
  currency: 'INR',
  merchant_order_id: 'cart-7',
  customer: { id: 'customer-7' },
  payment_method_type: 'UPI_IN',
  callback_url: 'https://shop.example.com/webhooks/payments',
} as const;

test('a new payment has the amount of the cart', async () => {
  const { data } = await client.POST('/payments', { body });
  expect(data).toMatchObject({ status: 'CREATED', amount: 49_900, merchant_order_id: 'cart-7' });
});

test('a customer over the limit sees the reason', async () => {
  server.use(...exampleHandlers(baseUrl, { createPayment: 'declined-LIMIT_EXCEEDED' }));
  const { data } = await client.POST('/payments', { body });
  expect(data).toMatchObject({ status: 'FAILED', decline_reason: 'LIMIT_EXCEEDED' });
});

test('a busy service asks to wait', async () => {
  server.use(...exampleHandlers(baseUrl, { createPayment: 'rate-limited' }));
  const { response } = await client.POST('/payments', { body });
  expect(response.headers.get('retry-after')).toBe('2');
});
