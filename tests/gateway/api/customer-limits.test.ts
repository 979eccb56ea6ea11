/** A customer's payments never exceed the method's limits, whatever amounts are offered and chosen. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channel/channel.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { isFinal, type Payment } from '../../../gateway/src/domain/transaction.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { parseTransaction } from '../../../gateway/src/store/books/transactions.ts';
import type { Store } from '../../../gateway/src/store/engine/store.ts';
import { confirmation, settled, TID } from '../harness/customer.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import {
  describeOnEachDriver,
  everyChannel,
  startTestGateway,
  type TestGateway,
  type TestMerchant,
} from '../harness.ts';

const UPI = findMethod(sandboxMethods, 'payment', 'UPI_IN');
const { max = 0, perDay = 0, perMonth = 0 } = UPI?.limits ?? {};
const VALIDITY_MS = UPI?.validityMs ?? 0;
const DAY_MS = 24 * 60 * 60_000;

/** The channel's behavior for a payment; it is in the payment's order id. */
interface Plan {
  /** Offered besides the requested amount, unless that is left out. */
  readonly more: readonly number[];
  readonly requestedToo: boolean;
  readonly end: 'paid' | 'declined' | 'never';
  /** Index of the offered amount that the customer transfers, whatever was confirmed. */
  readonly transfers: number;
  /** The customer transfers without confirming, which the channel says when it is to cancel. */
  readonly unconfirmed: boolean;
}

const PAID_AS_ASKED: Plan = { more: [], requestedToo: true, end: 'paid', transfers: 0, unconfirmed: false };

function orderId(plan: Partial<Plan>): string {
  return JSON.stringify({ ...PAID_AS_ASKED, ...plan, nonce: randomIds.text(8) });
}

/** The channel keeps to its plan, and collects nothing that was not offered. */
const PLANNED: Partial<Channel> = {
  async initiate({ orderId: plan, amount }) {
    const { more, requestedToo } = JSON.parse(plan) as Plan;
    const available_amounts = [...(requestedToo ? [amount] : []), ...more];
    const payData = { receiver_account: 'collect@planned', available_amounts };
    return { event: { type: 'confirmation_needed', payData, confirm: ['amount', 'tid'] } };
  },
  async verify({ orderId: plan, status, payData }) {
    const { end, transfers } = JSON.parse(plan) as Plan;
    if (end === 'never' || status !== 'VERIFYING') return { askAgainAt: undefined };
    const offered = payData?.available_amounts ?? [];
    return end === 'paid'
      ? { event: { type: 'succeeded', amountPaid: offered[transfers % offered.length] ?? 0 } }
      : { event: { type: 'declined', reason: 'BANK_REJECTED' } };
  },
  async cancel({ orderId: plan, payData }) {
    const { unconfirmed, end } = JSON.parse(plan) as Plan;
    return { event: { type: unconfirmed && payData && end === 'paid' ? 'found_paid' : 'cancelled' } };
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

/** The merchant's payments as they are stored. */
async function payments(store: Store, { merchant }: TestMerchant): Promise<Payment[]> {
  const rows = await store.read.all('select * from transactions where merchant_id = ?', merchant.id);
  return rows.map(parseTransaction) as Payment[];
}

/** The collected amount of a payment, or the largest that it offers, which may still be collected. */
function mayBeCollected({ status, amountPaid = 0, payData }: Payment): number {
  return isFinal(status) ? amountPaid : Math.max(0, ...(payData?.available_amounts ?? []));
}

/** Adds up what was or may be collected, and what is counted, by day and month of the creation. */
function sumsOf(all: readonly Payment[]): Map<string, { collected: number; counted: number }> {
  const sums = new Map<string, { collected: number; counted: number }>();
  for (const payment of all) {
    const date = new Date(payment.createdAt).toISOString();
    for (const period of [date.slice(0, 10), date.slice(0, 7)]) {
      const { collected, counted } = sums.get(period) ?? { collected: 0, counted: 0 };
      sums.set(period, {
        collected: collected + mayBeCollected(payment),
        counted: counted + (payment.counted ?? 0),
      });
    }
  }
  return sums;
}

async function expectWithinLimits(store: Store, merchant: TestMerchant): Promise<void> {
  const sums = sumsOf(await payments(store, merchant));
  const rows = await store.read.all(
    'select period, amount from customer_usage where merchant_id = ?',
    merchant.merchant.id,
  );
  const used = new Map(rows.map(({ period, amount }) => [String(period), Number(amount)]));
  for (const [period, { collected, counted }] of sums) {
    expect(collected, period).toBeLessThanOrEqual(period.length === 7 ? perMonth : perDay);
    expect(collected, period).toBeLessThanOrEqual(counted);
    expect(used.get(period) ?? 0, period).toBe(counted);
  }
}

type Step =
  | { readonly do: 'create' | 'pay'; readonly amount: number; readonly plan: Plan }
  | { readonly do: 'confirm'; readonly which: number; readonly choice: number }
  | { readonly do: 'wait'; readonly ms: number };

const amounts = fc.oneof(fc.integer({ min: max / 10, max }), fc.constantFrom(100, 100, max, max - 1, max / 2, max + 1));
const plans: fc.Arbitrary<Plan> = fc.record({
  more: fc.array(amounts, { maxLength: 3 }),
  requestedToo: fc.boolean(),
  end: fc.constantFrom('paid', 'paid', 'paid', 'declined', 'never'),
  transfers: fc.nat({ max: 3 }),
  unconfirmed: fc.boolean(),
});
const begun = <D extends 'create' | 'pay'>(what: D) =>
  fc.record({ do: fc.constant(what), amount: amounts, plan: plans });
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: begun('create') },
  { weight: 8, arbitrary: begun('pay') },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('confirm' as const), which: fc.nat(), choice: fc.nat({ max: 3 }) }),
  },
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 1, VALIDITY_MS, DAY_MS) }),
);

/** A payment more than a day takes, since random ones may stay within the limits. */
const BEYOND_A_DAY: Step[][] = Array.from({ length: perDay / max + 1 }, () => [
  { do: 'pay', amount: max, plan: PAID_AS_ASKED },
]);

async function take(test: TestGateway, merchant: TestMerchant, ids: string[], step: Step): Promise<void> {
  if (step.do === 'wait') return test.clock.advance(step.ms);
  if (step.do === 'confirm') return confirm(merchant, ids[step.which % ids.length], step.choice);
  const id = await create(merchant, step.amount, step.plan);
  ids.push(id);
  if (step.do === 'create') return;
  await test.gateway.idle();
  await confirm(merchant, id, step.plan.transfers);
}

async function confirm({ call }: TestMerchant, id: string | undefined, choice: number): Promise<void> {
  if (id === undefined) return;
  const { body } = await call('GET', `/payments/${id}`);
  const offered: number[] = body.pay_data?.available_amounts ?? [];
  const given = { confirm_data: { amount: String(offered[choice % offered.length] ?? 1), tid: TID } };
  const { status } = await call('POST', `/payments/${id}/confirm`, given);
  expect([200, 409]).toContain(status);
}

describeOnEachDriver('the limits of a customer', (open) => {
  it('hold for what is collected, however much more than requested is offered', async () => {
    const test = await startTestGateway({ store: await open(), channels: everyChannel(PLANNED) });
    const much = perDay / 2 - 1_000;
    const offers: number[][] = [];
    let collected = 0;
    for (let count = 0; count < 4; count++) {
      const { asked, ended } = await payMost(test, 100, { more: [max + 1, much], transfers: 1 });
      offers.push(asked.pay_data.available_amounts);
      collected += ended.amount_paid;
    }
    // An amount over a limit is not offered, since the customer pays before the gateway hears of it.
    expect(offers).toEqual([[100, much], [100, much], [100], [100]]);
    expect(collected).toBe(2 * much + 200);
    await expectWithinLimits(test.gateway.store, test);
  });

  it('count what was collected, not what was requested or offered, once that is known', async () => {
    const test = await startTestGateway({ store: await open(), channels: everyChannel(PLANNED) });
    for (let count = 0; count < 3; count++) {
      const { ended } = await payMost(test, perDay / 2, { more: [perDay / 4], transfers: 1 });
      expect(ended).toMatchObject({ status: 'SUCCESS', amount_paid: perDay / 4 });
    }
    const last = (amount: number) => payMost(test, amount, {}).then(({ ended }) => ended);
    expect(await last(perDay / 4 + 1)).toMatchObject({ status: 'FAILED', decline_reason: 'LIMIT_EXCEEDED' });
    expect(await last(perDay / 4)).toMatchObject({ status: 'SUCCESS' });
  });

  it('have room again for a payment that failed, whatever was offered for it', async () => {
    const test = await startTestGateway({ store: await open(), channels: everyChannel(PLANNED) });
    for (let count = 0; count < perDay / max + 1; count++) {
      const { asked, ended } = await payMost(test, 100, { more: [max], end: 'declined' });
      expect(asked.pay_data.available_amounts).toEqual([100, max]);
      expect(ended).toMatchObject({ decline_reason: 'BANK_REJECTED' });
    }
  });

  it('leave nothing to offer of a channel that asks for more than there is room for', async () => {
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

  it('hold through any sequence of payments, also when several come at once', async () => {
    const test = await startTestGateway({
      store: await open(),
      channels: everyChannel(PLANNED),
      limits: { requestsPerSecond: 1_000_000 },
    });
    const { store } = test.gateway;
    let name = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(steps, { minLength: 1, maxLength: 5 }), { maxLength: 12 }), async (rounds) => {
        const merchant = await test.addMerchant(`Merchant ${name++}`);
        const ids: string[] = [];
        for (const round of rounds) {
          await Promise.all(round.map((step) => take(test, merchant, ids, step)));
          await test.gateway.idle();
          await expectWithinLimits(store, merchant);
        }
        // Webhook retries over the days to come don't matter here.
        await store.unit((db) => db.run('update events set next_at = null where next_at is not null'));
        refused += (await payments(store, merchant)).filter((one) => one.declineReason === 'LIMIT_EXCEEDED').length;
      }),
      { numRuns: store.kind === 'sqlite' ? 15 : 8, endOnFailure: true, examples: [[BEYOND_A_DAY]] },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
