/** Declines by the gateway's rules and by the customers' limits, without the channel. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { clarification, confirmation, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import {
  describeOnEachStore,
  everyChannel,
  SIMULATOR,
  startTestGateway,
  type TestGateway,
  type TestMerchant,
} from '../harness.ts';

const UPI = readLimits('payment', 'UPI_IN');
const IMPS = readLimits('payout', 'IMPS_IN');
const EGP = {
  currency: 'EGP',
  payment_method_type: 'WALLET_EG',
  return_url: 'https://shop.example.com/return',
} as const;
const MAD = { currency: 'MAD', payment_method_type: 'WALLET_MA' } as const;
/** A customer's daily limit in equal parts, none above the limit of one transaction. */
const PARTS = 4;

function readLimits(kind: 'payment' | 'payout', name: string) {
  const method = findMethod(sandboxMethods, kind, name);
  if (!method) throw new Error(`there is no method ${name}`);
  return method.limits;
}

/** The request without a member of its customer. */
function withoutMember<R extends { customer: object }>(request: R, name: string): R {
  const members = Object.entries(request.customer).filter(([member]) => member !== name);
  return { ...request, customer: Object.fromEntries(members) };
}

/** Requests that the rules decline. */
const DECLINED: readonly (readonly [reason: string, what: string, path: string, request: object])[] = [
  ['CURRENCY_NOT_SUPPORTED', 'an unsupported currency', '/payments', paymentRequest({ currency: 'EGP' })],
  ['METHOD_NOT_SUPPORTED', 'an unknown method', '/payments', paymentRequest({ payment_method_type: 'PIGEON' })],
  ['METHOD_NOT_SUPPORTED', 'a payout method', '/payments', paymentRequest({ payment_method_type: 'IMPS_IN' })],
  ['INVALID_AMOUNT', 'an amount below the minimum', '/payments', paymentRequest({ amount: UPI.min - 1 })],
  ['INVALID_AMOUNT', 'an amount above the maximum', '/payments', paymentRequest({ amount: UPI.max + 1 })],
  ['INVALID_AMOUNT', 'the largest amount', '/payments', paymentRequest({ amount: Number.MAX_SAFE_INTEGER })],
  ['INVALID_CUSTOMER_DETAILS', 'a missing phone', '/payments', withoutMember(paymentRequest(EGP), 'phone')],
  ['CURRENCY_NOT_SUPPORTED', 'an unsupported currency', '/payouts', payoutRequest({ currency: 'EGP' })],
  ['CURRENCY_NOT_SUPPORTED', 'a missing wallet', '/payouts', payoutRequest(MAD)],
  ['METHOD_NOT_SUPPORTED', 'an unknown method', '/payouts', payoutRequest({ payment_method_type: 'PIGEON' })],
  ['INVALID_AMOUNT', 'an amount below the minimum', '/payouts', payoutRequest({ amount: IMPS.min - 1 })],
  ['INVALID_AMOUNT', 'an amount above the maximum', '/payouts', payoutRequest({ amount: IMPS.max + 1 })],
  ['INVALID_ACCOUNT_DETAILS', 'a malformed account', '/payouts', payoutRequest({ customer: { account_number: 'x' } })],
  ['INVALID_ACCOUNT_DETAILS', 'a missing bank', '/payouts', withoutMember(payoutRequest(), 'bank_code')],
];

/** Sends the requests and returns their results. */
async function outcomes(test: TestGateway, path: string, requests: readonly object[]) {
  const shown = [];
  for (const request of requests) {
    const { body, status } = await test.call('POST', path, request);
    expect([200, 201]).toContain(status);
    expect(['CREATED', 'PROCESSING']).toContain(body.status);
    shown.push(await settled(test, test.call, body.transaction_id));
  }
  return shown;
}

describe('a transaction is declined', () => {
  it.each(DECLINED)('with %s for %s in %s', async (reason, _what, path, request) => {
    const test = await startTestGateway();
    for (const currency of ['INR', 'EGP']) await fund(test.gateway.store, test.merchant, 1e12, currency);
    const [declined] = await outcomes(test, path, [request]);
    expect(declined).toMatchObject({ status: 'FAILED', decline_reason: reason });
  });

  it('with INVALID_ACCOUNT_DETAILS for a malformed account among the requested data', async () => {
    const test = await startTestGateway();
    const request = paymentRequest({ customer: { id: 'clarify-account_number' } });
    const [asked] = await outcomes(test, '/payments', [request]);
    const path = `/payments/${asked.transaction_id}/clarify`;
    const { body } = await test.call('POST', path, { clarify_data: { account_number: 'no account' } });
    expect(body).toMatchObject({ status: 'FAILED', decline_reason: 'INVALID_ACCOUNT_DETAILS' });
    const [right] = await outcomes(test, '/payments', [paymentRequest({ customer: request.customer })]);
    const accepted = await test.call('POST', `/payments/${right.transaction_id}/clarify`, clarification(right));
    expect(accepted.body).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  });

  it('with LIMIT_EXCEEDED on the same day only, for that customer only', async () => {
    const test = await startTestGateway();
    const most = () => paymentRequest({ amount: UPI.perDay / PARTS });
    const used = await outcomes(test, '/payments', Array.from({ length: PARTS + 1 }, most));
    expect(used.at(-1)).toMatchObject({ decline_reason: 'LIMIT_EXCEEDED' });
    const [other] = await outcomes(test, '/payments', [{ ...most(), customer: { ...most().customer, id: 'other' } }]);
    expect(other).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
    test.clock.advance(24 * 60 * 60_000);
    const [tomorrow] = await outcomes(test, '/payments', [most()]);
    expect(tomorrow).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  });

  it('with LIMIT_EXCEEDED over a month', async () => {
    const test = await startTestGateway();
    const days = UPI.perMonth / UPI.perDay;
    for (let day = 0; day < days; day++) {
      const all = Array.from({ length: PARTS }, () => paymentRequest({ amount: UPI.perDay / PARTS }));
      for (const shown of await outcomes(test, '/payments', all)) {
        expect(shown.status).toBe('PAY_CONFIRMATION_NEEDED');
        const given = { amount: String(shown.amount), tid: '1' };
        await test.call('POST', `/payments/${shown.transaction_id}/confirm`, { confirm_data: given });
      }
      test.clock.advance(24 * 60 * 60_000);
    }
    const one = () => paymentRequest({ amount: UPI.min });
    expect((await outcomes(test, '/payments', [one()]))[0]).toMatchObject({ decline_reason: 'LIMIT_EXCEEDED' });
    test.clock.advance(31 * 24 * 60 * 60_000);
    expect((await outcomes(test, '/payments', [one()]))[0]).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  });
});

describeOnEachStore('a transaction over a customer limit', (open) => {
  it.each([
    ['payment', '/payments', () => paymentRequest({ amount: UPI.perDay / PARTS })],
    ['payout', '/payouts', () => payoutRequest({ amount: IMPS.perDay / PARTS })],
  ] as const)('never reaches the channel: a %s', async (_kind, path, request) => {
    const sent = new Set<string>();
    const channels = everyChannel({
      initiate(payment, now) {
        sent.add(payment.id);
        return SIMULATOR.initiate(payment, now);
      },
      payOut(payout, now) {
        sent.add(payout.id);
        return SIMULATOR.payOut(payout, now);
      },
    });
    const test = await startTestGateway({ store: await open(), channels });
    await fund(test.gateway.store, test.merchant, 1e12);
    const requests = Array.from({ length: PARTS + 2 }, request);
    const made = await Promise.all(requests.map((body) => test.call('POST', path, body)));
    const shown = [];
    for (const { body } of made) shown.push(await settled(test, test.call, body.transaction_id));
    const declined = shown.filter((one) => one.decline_reason === 'LIMIT_EXCEEDED');
    expect(declined).toHaveLength(2);
    expect(declined.filter((one) => sent.has(one.transaction_id))).toEqual([]);
    expect(sent.size).toBe(PARTS);
  });
});

describe('the limits of the methods', () => {
  it.each(sandboxMethods.map(({ kind, name, limits }) => ({ kind, name, limits })))(
    'of $kind $name leave room: one transaction within the day, the day within the month',
    ({ limits }) => {
      const ordered = [1, limits.min, limits.max, limits.perDay, limits.perMonth, Number.MAX_SAFE_INTEGER];
      expect(ordered).toEqual([...ordered].sort((a, b) => a - b));
    },
  );
});

const UPI_METHOD = findMethod(sandboxMethods, 'payment', 'UPI_IN');
const { max = 0, perDay = 0 } = UPI_METHOD?.limits ?? {};

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

describeOnEachStore('the limits of a customer', (open) => {
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
