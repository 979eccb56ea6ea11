import { sandboxHandlers } from 'payments-contract/msw';
import { startSandbox } from 'payments-gateway/sandbox';

const baseUrl = 'https://payments.example.com';
const sandbox = await startSandbox({ seed: 'stories' });

/** For `parameters` of a story, or of all stories. */
export const parameters = { msw: { handlers: sandboxHandlers(sandbox, baseUrl) } };

/** For `loaders` of a story, whose component gets `loaded.payment`. */
export async function declinedPayment() {
  const response = await sandbox.fetch('/payments', {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: 49_900,
      currency: 'INR',
      merchant_order_id: crypto.randomUUID(),
      customer: { id: 'decline-LIMIT_EXCEEDED' },
      payment_method_type: 'UPI_IN',
      callback_url: sandbox.webhooks.url,
    }),
  });
  const { transaction_id: transactionId } = (await response.json()) as { transaction_id: string };
  const { body: payment } = await sandbox.webhooks.next('FAILED', { transactionId });
  return { payment };
}
