import { setupServer } from 'msw/node';
import { createPaymentsClient } from 'payments-client';
import { sandboxHandlers } from 'payments-contract/msw';
import { startSandbox } from 'payments-gateway/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';

const baseUrl = 'https://payments.example.com';
const sandbox = await startSandbox();
const server = setupServer(...sandboxHandlers(sandbox, baseUrl));

beforeAll(() => server.listen());
afterAll(async () => {
  server.close();
  await sandbox.close();
});

// The code under test would have this client.
const client = createPaymentsClient({ baseUrl, apiKey: sandbox.key });

test('an unconfirmed payment expires', async () => {
  const body = {
    amount: 49_900,
    currency: 'INR',
    merchant_order_id: 'cart-7',
    customer: { id: 'customer-7', name: 'Asha Rao', email: 'asha@example.com', phone: '+919812345671' },
    payment_method_type: 'UPI_IN',
    callback_url: sandbox.webhooks.url,
  } as const;
  const { data: created } = await client.POST('/payments', { body });
  await sandbox.webhooks.next('PAY_CONFIRMATION_NEEDED');
  await sandbox.clock.advance('1h');
  const { body: failed } = await sandbox.webhooks.next('FAILED');
  expect(failed).toMatchObject({ transaction_id: created?.transaction_id, decline_reason: 'TIMEOUT_EXPIRED' });
});
