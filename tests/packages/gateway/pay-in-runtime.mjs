/** A payment in the sandbox without a server, from its creation to a verified webhook. It prints the payment's status. */
import { createPaymentsClient } from 'payments-client';
import { verifyWebhook } from 'payments-client/webhooks';
import { startSandbox } from 'payments-gateway/sandbox';

const { promise: succeeded, resolve: succeed } = Promise.withResolvers();
const sandbox = await startSandbox({
  async onWebhook(request) {
    const { secret } = sandbox;
    const { status, data } = await verifyWebhook({ body: await request.text(), headers: request.headers, secret });
    if (status === 'PAY_CONFIRMATION_NEEDED') await confirm(data);
    if (status === 'SUCCESS') succeed(data);
    return new Response(null, { status: 204 });
  },
});
const client = createPaymentsClient({ baseUrl: sandbox.url, apiKey: sandbox.key, fetch: sandbox.fetch });

async function confirm({ transaction_id, amount }) {
  const body = { confirm_data: { tid: '406112345678', amount: String(amount) } };
  await client.POST('/payments/{transaction_id}/confirm', { params: { path: { transaction_id } }, body });
}

await client.POST('/payments', {
  body: {
    amount: 49_900,
    currency: 'INR',
    merchant_order_id: 'cart-7',
    customer: { id: 'customer-7', name: 'Asha Rao', email: 'asha@example.com', phone: '+919812345671' },
    payment_method_type: 'UPI_IN',
    callback_url: 'https://shop.example/webhooks',
  },
});
const { status } = await succeeded;
await sandbox.close();
console.log(status);
