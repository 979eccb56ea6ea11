/** Declines by the gateway's rules and by the customers' limits, without the channel. */
import { describe, expect, it } from 'vitest';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import type { Payment } from '../../../generated/types.ts';
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
  ['INVALID_AMOUNT', 'an amount below the minimum', '/payments', paymentRequest({ amount: UPI.min - 1 })],
  ['INVALID_AMOUNT', 'an amount above the maximum', '/payments', paymentRequest({ amount: UPI.max + 1 })],
  ['INVALID_CUSTOMER_DETAILS', 'a missing phone', '/payments', withoutMember(paymentRequest(EGP), 'phone')],
  ['CURRENCY_NOT_SUPPORTED', 'a missing wallet', '/payouts', payoutRequest(MAD)],
  ['METHOD_NOT_SUPPORTED', 'an unknown method', '/payouts', payoutRequest({ payment_method_type: 'PIGEON' })],
  ['INVALID_AMOUNT', 'an amount above the maximum', '/payouts', payoutRequest({ amount: IMPS.max + 1 })],
  ['INVALID_ACCOUNT_DETAILS', 'a malformed account', '/payouts', payoutRequest({ customer: { account_number: 'x' } })],
  ['INVALID_ACCOUNT_DETAILS', 'a missing bank', '/payouts', withoutMember(payoutRequest(), 'bank_code')],
  ...['x01001234567', '01001234567x'].map((account_number) => {
    const request = payoutRequest({ currency: 'EGP', payment_method_type: 'WALLET_EG', customer: { account_number } });
    return ['INVALID_ACCOUNT_DETAILS', `the wallet ${account_number}`, '/payouts', request] as const;
  }),
];

/** Sends the request and returns its result. */
async function outcome(test: TestGateway, path: string, request: object) {
  const { body } = await test.call('POST', path, request);
  expect(['CREATED', 'PROCESSING']).toContain(body.status);
  return settled(test, test.call, body.transaction_id);
}

describe('a transaction that breaks a rule', () => {
  it.each(DECLINED)('fails with %s for %s in %s', async (reason, _what, path, request) => {
    const test = await startTestGateway();
    for (const currency of ['INR', 'EGP']) await fund(test.gateway.store, test.merchant, 1e12, currency);
    expect(await outcome(test, path, request)).toMatchObject({ status: 'FAILED', decline_reason: reason });
  });

  it('fails with INVALID_ACCOUNT_DETAILS for a malformed account among the requested data', async () => {
    const test = await startTestGateway();
    const clarify = async (supply: (asked: Payment) => object) => {
      const asked = await outcome(test, '/payments', paymentRequest({ customer: { id: 'clarify-account_number' } }));
      return (await test.call('POST', `/payments/${asked.transaction_id}/clarify`, supply(asked))).body;
    };
    expect(await clarify(() => ({ clarify_data: { account_number: 'no account' } }))).toMatchObject({
      status: 'FAILED',
      decline_reason: 'INVALID_ACCOUNT_DETAILS',
    });
    expect(await clarify(clarification)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
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
