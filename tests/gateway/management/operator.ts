/** A live gateway with a merchant, whose endpoint gets webhooks, and an operator. */
import { randomBytes } from 'node:crypto';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { contractMethods, withChannel } from '../../../gateway/src/domain/methods.ts';
import { KeyRing } from '../../../gateway/src/platform/key-ring.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGatewayOptions, type TestMerchant } from '../harness/gateway.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { type Respond, startReceiver } from '../webhooks/receiver.ts';

/** A live gateway with a merchant, whose endpoint gets webhooks, and an operator. */
export type OperatedGateway = Awaited<ReturnType<typeof startOperated>>;

/** Has a payment wait until its merchant confirms it. */
export const CONFIRMATION_NEEDED: Awaited<ReturnType<Channel['initiate']>> = {
  event: {
    type: 'confirmation_needed',
    payData: { receiver_account: 'shop@bank', available_amounts: [49_900] },
    confirm: ['tid'],
  },
};

/** Options of a live gateway. */
export const LIVE = {
  keyPolicy: { live: true },
  secretKeys: new KeyRing([randomBytes(32)]),
  methods: withChannel(contractMethods, BANK.name),
  channels: [{ ...BANK, initiate: async () => ({ event: { type: 'declined', reason: 'BANK_REJECTED' } }) }],
} satisfies TestGatewayOptions;

export async function startOperated(
  store: Store,
  { respond, ...options }: Omit<TestGatewayOptions, 'clock'> & { readonly respond?: Respond } = {},
) {
  const receiver = await startReceiver(respond);
  const test = await startTestGateway({ store, ...LIVE, callbackAllow: ['127.0.0.0/8'], ...options });
  return {
    ...{ test, receiver, operator: await addOperator(test) },
    /** Creates a payment that the bank declines at once, with one event. Returns its id once the event was attempted. */
    async decline(
      { call }: Pick<TestMerchant, 'call'> = test,
      changes: Parameters<typeof paymentRequest>[0] = {},
    ): Promise<string> {
      const callback_url = `${receiver.address}/hook`;
      const { body } = await call('POST', '/payments', paymentRequest({ callback_url, ...changes }));
      await test.gateway.idle();
      return body.transaction_id;
    },
  };
}
