/** A sandbox whose merchant has an endpoint, which verifies deliveries with the client package. */
import { verifyWebhook, WebhookError } from '../../../client/src/webhooks.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import type { Received } from '../../tools/endpoint.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway, type TestMerchant } from '../harness/gateway.ts';
import { type Receiver, type Respond, startReceiver } from '../webhooks/receiver.ts';

export interface Endpoint {
  readonly test: TestGateway;
  readonly receiver: Receiver;
  /**
   * Creates a payment with an immediate decline and one event. Returns its ID after the first attempt to deliver the
   * event.
   */
  decline(merchant?: TestMerchant): Promise<string>;
  /** The client package's verdict on each delivery: `valid`, or the code of its error. */
  verdicts(secret?: string): Promise<string[]>;
}

export async function startEndpoint(store: Store, respond?: Respond): Promise<Endpoint> {
  const receiver = await startReceiver(respond);
  const test = await startTestGateway({ store, sandbox: true, callbackAllow: ['127.0.0.0/8'] });
  return {
    test,
    receiver,
    async decline({ call } = test) {
      const callback_url = `${receiver.address}/hook`;
      const created = await call(
        'POST',
        '/payments',
        paymentRequest({ callback_url, customer: { id: 'decline-BANK_REJECTED' } }),
      );
      await test.gateway.idle();
      return created.body.transaction_id;
    },
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
