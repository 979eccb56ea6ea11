/** A customer's payments never exceed the method's limits, regardless of offered and chosen amounts. */
import { expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import {
  describeOnEachDriver,
  everyChannel,
  startTestGateway,
  type TestGateway,
  type TestMerchant,
} from '../harness.ts';

const UPI = findMethod(sandboxMethods, 'payment', 'UPI_IN');
const { max = 0, perDay = 0 } = UPI?.limits ?? {};

/** The channel's behavior for a payment, encoded in the payment's order id. */
interface Plan {
  /** Offered in addition to the requested amount by default. */
  readonly more: readonly number[];
  readonly requestedToo: boolean;
  readonly end: 'paid' | 'declined';
  /** Index of the offered amount that the customer transfers, regardless of the confirmation. */
  readonly transfers: number;
}

const PAID_AS_ASKED: Plan = { more: [], requestedToo: true, end: 'paid', transfers: 0 };

function orderId(plan: Partial<Plan>): string {
  return JSON.stringify({ ...PAID_AS_ASKED, ...plan, nonce: randomIds.text(8) });
}

/** The channel follows its plan. */
const PLANNED: Partial<Channel> = {
  async initiate({ orderId: plan, amount }) {
    const { more, requestedToo } = JSON.parse(plan) as Plan;
    const available_amounts = [...(requestedToo ? [amount] : []), ...more];
    const payData = { receiver_account: 'collect@planned', available_amounts };
    return { event: { type: 'confirmation_needed', payData, confirm: ['amount', 'tid'] } };
  },
  async verify({ orderId: plan, status, payData }) {
    const { end, transfers } = JSON.parse(plan) as Plan;
    if (status !== 'VERIFYING') return { askAgainAt: undefined };
    const offered = payData?.available_amounts ?? [];
    return end === 'paid'
      ? { event: { type: 'succeeded', amountPaid: offered[transfers % offered.length] ?? 0 } }
      : { event: { type: 'declined', reason: 'BANK_REJECTED' } };
  },
};

async function create({ call }: TestMerchant, amount: number, plan: Partial<Plan>): Promise<string> {
  // The gateway refuses the address of its webhooks before it asks any network.
  const changes = { amount, merchant_order_id: orderId(plan), callback_url: 'http://127.0.0.1/webhooks' };
  const { body, text } = await call('POST', '/payments', paymentRequest(changes));
  if (!body.transaction_id) throw new Error(text);
  return body.transaction_id;
}

/** Creates a payment and confirms it with the largest amount that it offers. */
async function payMost(test: TestGateway, amount: number, plan: Partial<Plan>) {
  const id = await create(test, amount, plan);
  const asked = await settled(test, test.call, id);
  if (asked.status === 'PAY_CONFIRMATION_NEEDED') {
    const most = Math.max(...asked.pay_data.available_amounts);
    await test.call('POST', `/payments/${id}/confirm`, confirmation(asked, most));
  }
  return { asked, ended: await settled(test, test.call, id) };
}

describeOnEachDriver('the limits of a customer', (open) => {
  it('apply to the collected amount, regardless of larger offers', async () => {
    const test = await startTestGateway({ store: await open(), channels: everyChannel(PLANNED) });
    const much = perDay / 2 - 1_000;
    const offers: number[][] = [];
    let collected = 0;
    for (let count = 0; count < 4; count++) {
      const { asked, ended } = await payMost(test, 100, { more: [max + 1, much], transfers: 1 });
      offers.push(asked.pay_data.available_amounts);
      collected += ended.amount_paid;
    }
    // An amount over a limit is not offered, since the customer pays before the gateway can check it.
    expect(offers).toEqual([[100, much], [100, much], [100], [100]]);
    expect(collected).toBe(2 * much + 200);
    const counted = await test.gateway.store.read.all('select amount from customer_usage');
    expect(counted).toEqual([{ amount: collected }, { amount: collected }]);
  });

  it('count the collected amount once known, instead of the requested or offered one', async () => {
    const test = await startTestGateway({ store: await open(), channels: everyChannel(PLANNED) });
    for (let count = 0; count < 3; count++) {
      const { ended } = await payMost(test, perDay / 2, { more: [perDay / 4], transfers: 1 });
      expect(ended).toMatchObject({ status: 'SUCCESS', amount_paid: perDay / 4 });
    }
    const last = (amount: number) => payMost(test, amount, {}).then(({ ended }) => ended);
    expect(await last(perDay / 4 + 1)).toMatchObject({ status: 'FAILED', decline_reason: 'LIMIT_EXCEEDED' });
    expect(await last(perDay / 4)).toMatchObject({ status: 'SUCCESS' });
  });

  it('free up the amount of a failed payment, regardless of its offers', async () => {
    const test = await startTestGateway({ store: await open(), channels: everyChannel(PLANNED) });
    for (let count = 0; count < perDay / max + 1; count++) {
      const { asked, ended } = await payMost(test, 100, { more: [max], end: 'declined' });
      expect(asked.pay_data.available_amounts).toEqual([100, max]);
      expect(ended).toMatchObject({ decline_reason: 'BANK_REJECTED' });
    }
  });

  it('leave no offered amount if the channel asks for more than the limit', async () => {
    const cancelled: string[] = [];
    const cancel: Channel['cancel'] = async ({ id }) => {
      cancelled.push(id);
      return { event: { type: 'cancelled' } };
    };
    const test = await startTestGateway({ store: await open(), channels: everyChannel({ ...PLANNED, cancel }) });
    for (let count = 0; count < perDay / max - 1; count++) await payMost(test, max, {});
    const { ended } = await payMost(test, max, { requestedToo: false, more: [max + 1] });
    expect(ended).toMatchObject({ status: 'FAILED', decline_reason: 'LIMIT_EXCEEDED' });
    expect(cancelled).toEqual([ended.transaction_id]);
  });
});
