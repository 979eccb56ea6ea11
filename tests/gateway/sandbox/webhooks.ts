/** A sandbox whose merchant has an endpoint, which verifies deliveries with the client package. */
import { verifyWebhook, WebhookError } from '../../../client/src/webhooks.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import type { Received } from '../../tools/endpoint.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestMerchant } from '../harness/gateway.ts';
import { type Respond, startReceiver } from '../webhooks/receiver.ts';

export async function startEndpoint(respond?: Respond, store?: Store) {
  const receiver = await startReceiver(respond);
  const test = await startTestGateway({ ...(store && { store }), sandbox: true, callbackAllow: ['127.0.0.0/8'] });
  return {
    ...{ test, receiver },
    /**
     * Creates a payment with an immediate decline and one event. Returns its ID after the first attempt to deliver the
     * event.
     */
    async decline({ call }: Pick<TestMerchant, 'call'> = test): Promise<string> {
      const callback_url = `${receiver.address}/hook`;
      const request = paymentRequest({ callback_url, customer: { id: 'decline-BANK_REJECTED' } });
      const { body } = await call('POST', '/payments', request);
      await test.gateway.idle();
      return body.transaction_id;
    },
    /** Advances the merchant's clock. */
    advance: (by: string) => test.call('POST', '/sandbox/clock/advance', { by }),
    /** The client package's verdict on each delivery: `valid`, or the code of its error. */
    verdicts: (secret = test.secret) =>
      Promise.all(receiver.requests.map((request) => judgeDelivery(request, secret, test.clock.now()))),
  };
}

export async function judgeDelivery({ headers, body }: Received, secret: string, now: number): Promise<string> {
  try {
    await verifyWebhook({ body, headers: headers as Record<string, string>, secret, now: () => now });
    return 'valid';
  } catch (error) {
    if (error instanceof WebhookError) return error.code;
    throw error;
  }
}
