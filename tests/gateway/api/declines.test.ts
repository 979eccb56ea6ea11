/** Decline reasons caused by the gateway's rules, without the channel. */
import { describe, expect, it } from 'vitest';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import type { CreatePaymentRequest, CreatePayoutRequest } from '../../../generated/types.ts';
import { clarification, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { describeOnEachStore, everyChannel, SIMULATOR, startTestGateway, type TestGateway } from '../harness.ts';

const UPI = readLimits('payment', 'UPI_IN');
const IMPS = readLimits('payout', 'IMPS_IN');
const EGP = {
  currency: 'EGP',
  payment_method_type: 'WALLET_EG',
  return_url: 'https://shop.example.com/return',
} as const;
/** A customer's daily limit in equal parts, none above the limit of one transaction. */
const PARTS = 4;

function readLimits(kind: 'payment' | 'payout', name: string) {
  const method = findMethod(sandboxMethods, kind, name);
  if (!method) throw new Error(`there is no method ${name}`);
  return method.limits;
}

function withoutPhone(request: CreatePaymentRequest): CreatePaymentRequest {
  const { phone: _, ...customer } = request.customer;
  return { ...request, customer };
}

/** Causes of a payment's decline: requests to send in order, of which the last is declined. */
const PAYMENTS: readonly (readonly [reason: string, what: string, requests: () => CreatePaymentRequest[]])[] = [
  ['CURRENCY_NOT_SUPPORTED', 'a currency that the method has not', () => [paymentRequest({ currency: 'EGP' })]],
  ['METHOD_NOT_SUPPORTED', 'a method that is not there', () => [paymentRequest({ payment_method_type: 'PIGEON' })]],
  ['METHOD_NOT_SUPPORTED', 'a method that only pays out', () => [paymentRequest({ payment_method_type: 'IMPS_IN' })]],
  ['INVALID_AMOUNT', 'less than the least', () => [paymentRequest({ amount: UPI.min - 1 })]],
  ['INVALID_AMOUNT', 'more than the most', () => [paymentRequest({ amount: UPI.max + 1 })]],
  ['INVALID_AMOUNT', 'the most that can be said', () => [paymentRequest({ amount: Number.MAX_SAFE_INTEGER })]],
  ['INVALID_CUSTOMER_DETAILS', 'no phone where the method needs it', () => [withoutPhone(paymentRequest(EGP))]],
  [
    'LIMIT_EXCEEDED',
    'more than the customer may move in a day',
    () => [
      ...Array.from({ length: PARTS }, () => paymentRequest({ amount: UPI.perDay / PARTS })),
      paymentRequest({ amount: UPI.min }),
    ],
  ],
];

const PAYOUTS: readonly (readonly [reason: string, what: string, requests: () => CreatePayoutRequest[]])[] = [
  ['CURRENCY_NOT_SUPPORTED', 'a currency that the method has not', () => [payoutRequest({ currency: 'EGP' })]],
  [
    'CURRENCY_NOT_SUPPORTED',
    'a currency that the merchant has no wallet in',
    () => [payoutRequest({ currency: 'MAD', payment_method_type: 'WALLET_MA' })],
  ],
  ['METHOD_NOT_SUPPORTED', 'a method that is not there', () => [payoutRequest({ payment_method_type: 'PIGEON' })]],
  ['INVALID_AMOUNT', 'less than the least', () => [payoutRequest({ amount: IMPS.min - 1 })]],
  ['INVALID_AMOUNT', 'more than the most', () => [payoutRequest({ amount: IMPS.max + 1 })]],
  [
    'INVALID_ACCOUNT_DETAILS',
    'an account of another form',
    () => [payoutRequest({ customer: { account_number: 'x' } })],
  ],
  [
    'INVALID_ACCOUNT_DETAILS',
    'no bank where the method needs it',
    () => {
      const { bank_code: _, ...customer } = payoutRequest().customer;
      return [{ ...payoutRequest(), customer }];
    },
  ],
  [
    'INSUFFICIENT_BALANCE',
    'more than is in the wallet',
    () => [payoutRequest({ amount: 60_000, customer: { id: 'a' } })],
  ],
  [
    'LIMIT_EXCEEDED',
    'more than the customer may move in a day',
    () => [
      ...Array.from({ length: PARTS }, () => payoutRequest({ amount: IMPS.perDay / PARTS })),
      payoutRequest({ amount: IMPS.min }),
    ],
  ],
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

describeOnEachStore('a payment is declined by the rules', (open) => {
  it.each(PAYMENTS)('with %s for %s', async (reason, _what, requests) => {
    const test = await startTestGateway({ store: await open() });
    const shown = await outcomes(test, '/payments', requests());
    const before = shown.slice(0, -1).map(({ status }) => status);
    expect(before).toEqual(before.map(() => 'PAY_CONFIRMATION_NEEDED'));
    expect(shown.at(-1)).toMatchObject({ status: 'FAILED', decline_reason: reason });
  });

  it('with INVALID_ACCOUNT_DETAILS for a malformed account among the requested data', async () => {
    const test = await startTestGateway({ store: await open() });
    const request = paymentRequest({ customer: { id: 'clarify-account_number' } });
    const [asked] = await outcomes(test, '/payments', [request]);
    const path = `/payments/${asked.transaction_id}/clarify`;
    const { body } = await test.call('POST', path, { clarify_data: { account_number: 'no account' } });
    expect(body).toMatchObject({ status: 'FAILED', decline_reason: 'INVALID_ACCOUNT_DETAILS' });
    const [right] = await outcomes(test, '/payments', [paymentRequest({ customer: request.customer })]);
    const accepted = await test.call('POST', `/payments/${right.transaction_id}/clarify`, clarification(right));
    expect(accepted.body).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  });

  it('only on the same day, and only for that customer', async () => {
    const test = await startTestGateway({ store: await open() });
    const most = () => paymentRequest({ amount: UPI.perDay / PARTS });
    const used = await outcomes(test, '/payments', Array.from({ length: PARTS + 1 }, most));
    expect(used.at(-1)).toMatchObject({ decline_reason: 'LIMIT_EXCEEDED' });
    const [other] = await outcomes(test, '/payments', [{ ...most(), customer: { ...most().customer, id: 'other' } }]);
    expect(other).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
    test.clock.advance(24 * 60 * 60_000);
    const [tomorrow] = await outcomes(test, '/payments', [most()]);
    expect(tomorrow).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  });

  it('even for concurrent ones over the limit', async () => {
    const test = await startTestGateway({ store: await open() });
    const requests = Array.from({ length: PARTS + 2 }, () => paymentRequest({ amount: UPI.perDay / PARTS }));
    const made = await Promise.all(requests.map((request) => test.call('POST', '/payments', request)));
    const reasons = [];
    for (const { body } of made) reasons.push((await settled(test, test.call, body.transaction_id)).decline_reason);
    expect(reasons.filter((reason) => reason === 'LIMIT_EXCEEDED')).toHaveLength(2);
    expect(reasons.filter((reason) => reason === undefined)).toHaveLength(PARTS);
  });

  it('regardless of failed ones', async () => {
    const test = await startTestGateway({ store: await open() });
    const most = () => paymentRequest({ amount: UPI.perDay / PARTS });
    const used = await outcomes(test, '/payments', Array.from({ length: PARTS }, most));
    expect((await outcomes(test, '/payments', [most()]))[0]).toMatchObject({ decline_reason: 'LIMIT_EXCEEDED' });
    test.clock.advance(findMethod(sandboxMethods, 'payment', 'UPI_IN')?.validityMs ?? 0);
    expect(await settled(test, test.call, used[0].transaction_id)).toMatchObject({ status: 'FAILED' });
    expect((await outcomes(test, '/payments', [most()]))[0]).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  });

  it('over a month, too', async () => {
    const test = await startTestGateway({ store: await open() });
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

  it('for several concurrent ones above any counted amount', async () => {
    const test = await startTestGateway({ store: await open() });
    const requests = Array.from({ length: 4 }, () => paymentRequest({ amount: Number.MAX_SAFE_INTEGER }));
    const made = await Promise.all(requests.map((request) => test.call('POST', '/payments', request)));
    for (const { body } of made) {
      expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ decline_reason: 'INVALID_AMOUNT' });
    }
  });
});

describeOnEachStore('a payout is declined by the rules', (open) => {
  it.each(PAYOUTS)('with %s for %s', async (reason, _what, requests) => {
    const test = await startTestGateway({ store: await open() });
    await fund(test.gateway.store, test.merchant, reason === 'INSUFFICIENT_BALANCE' ? 50_000 : 1e12);
    await fund(test.gateway.store, test.merchant, 1e12, 'EGP');
    const shown = await outcomes(test, '/payouts', requests());
    const before = shown.slice(0, -1).map(({ status }) => status);
    expect(before).toEqual(before.map(() => 'SUCCESS'));
    expect(shown.at(-1)).toMatchObject({ status: 'FAILED', decline_reason: reason });
  });
});

describeOnEachStore('a transaction over a limit', (open) => {
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

describe('the reasons that the rules cause', () => {
  it('are in the contract’s tables', () => {
    expect(Object.keys(paymentDeclineReasons)).toEqual(expect.arrayContaining(PAYMENTS.map(([reason]) => reason)));
    expect(Object.keys(payoutDeclineReasons)).toEqual(expect.arrayContaining(PAYOUTS.map(([reason]) => reason)));
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
