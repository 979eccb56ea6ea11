/** Each decline reason of the contract's tables, with each possible cause except test data. */
import { describe, expect, it } from 'vitest';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { type Answer, startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';

type Kind = 'payment' | 'payout';
type Body = Record<string, unknown>;

interface Cause {
  readonly kind: Kind;
  readonly reason: string;
  readonly how: string;
  /** Changes the sandbox before the creation. */
  readonly set?: (test: TestGateway) => Promise<Answer>;
  /** Changes of the request. */
  readonly change?: Body;
  /** Acts after the creation. */
  readonly after?: (test: TestGateway) => Promise<unknown>;
}

const REQUESTS = {
  payment: requestExamples.createPayment['h2h-upi'].body,
  payout: requestExamples.createPayout['imps-inr'].body,
};
const METHODS = { payment: 'UPI_IN', payout: 'IMPS_IN' };
const REASONS = { payment: Object.keys(paymentDeclineReasons), payout: Object.keys(payoutDeclineReasons) };

/** No channel returns these on its own: only test data and simulation calls cause them. */
const SIMULATED_ONLY = ['BANK_REJECTED', 'FRAUD_SUSPECTED', 'INTERNAL_ERROR'];

const put = (path: string, body: Body) => (test: TestGateway) => test.call('PUT', path, body);
const post = (path: string, body: Body) => (test: TestGateway) => test.call('POST', path, body);

const both = (cause: (kind: Kind) => Omit<Cause, 'kind'>): Cause[] =>
  (['payment', 'payout'] as const).map((kind) => ({ kind, ...cause(kind) }));

const CAUSES: readonly Cause[] = [
  ...both(() => ({ reason: 'CURRENCY_NOT_SUPPORTED', how: 'another currency', change: { currency: 'DZD' } })),
  ...both(() => ({
    reason: 'METHOD_NOT_SUPPORTED',
    how: 'an unknown method',
    change: { payment_method_type: 'CASH' },
  })),
  ...both(() => ({ reason: 'INVALID_AMOUNT', how: 'a small amount', change: { amount: 1 } })),
  ...both((kind) => ({
    reason: 'LIMIT_EXCEEDED',
    how: 'used-up limits',
    set: post(`/sandbox/customers/${REQUESTS[kind].customer.id}/use-limits`, { kind, method: METHODS[kind] }),
  })),
  ...both((kind) => ({
    reason: 'CHANNEL_DOWN',
    how: 'a channel that is down',
    set: put(`/sandbox/channels/${kind}/${METHODS[kind]}`, { condition: 'down' }),
  })),
  ...both((kind) => ({
    reason: 'CHANNEL_OVERLOADED',
    how: 'an overloaded channel',
    set: put(`/sandbox/channels/${kind}/${METHODS[kind]}`, { condition: 'overloaded' }),
  })),
  {
    kind: 'payment',
    reason: 'KYC_BLOCKED',
    how: 'a blocked customer',
    set: post(`/sandbox/customers/${REQUESTS.payment.customer.id}/block`, {}),
  },
  {
    kind: 'payment',
    reason: 'TIMEOUT_EXPIRED',
    how: 'time that passes',
    after: post('/sandbox/clock/advance', { by: '15m' }),
  },
  {
    kind: 'payment',
    reason: 'INVALID_CUSTOMER_DETAILS',
    how: 'missing data',
    change: {
      ...requestExamples.createPayment['redirect-egp'].body,
      customer: { id: 'customer-without-phone' },
    },
  },
  {
    kind: 'payment',
    reason: 'INVALID_ACCOUNT_DETAILS',
    how: 'an account that the channel refuses',
    set: post(`/sandbox/customers/${REQUESTS.payment.customer.id}/block`, {
      decline_reason: 'INVALID_ACCOUNT_DETAILS',
    }),
  },
  {
    kind: 'payout',
    reason: 'INVALID_ACCOUNT_DETAILS',
    how: 'an account of another form',
    change: { customer: { ...REQUESTS.payout.customer, account_number: 'x' } },
  },
  {
    kind: 'payout',
    reason: 'INSUFFICIENT_BALANCE',
    how: 'an empty wallet',
    set: post('/sandbox/wallets/INR/drain', {}),
  },
];

async function declined(test: TestGateway, { kind, set, change, after }: Cause) {
  if (kind === 'payout') await test.call('POST', '/sandbox/wallets/INR/fund', { amount: 10_000_000 });
  const settings = await set?.(test);
  expect(settings?.status ?? 200).toBeLessThan(300);
  const created = await test.call('POST', `/${kind}s`, { ...REQUESTS[kind], ...change });
  expect(created.status).toBeLessThan(300);
  await test.gateway.idle();
  await after?.(test);
  await test.gateway.idle();
  return (await test.call('GET', `/${kind}s/${created.body.transaction_id}`)).body;
}

describeOnEachStore('a decline without test data', (open) => {
  it.each(CAUSES.map((cause) => [cause.kind, cause.reason, cause.how, cause] as const))(
    'of a %s with %s comes from %s',
    async (_kind, reason, _how, cause) => {
      const test = await startTestGateway({ store: await open(), sandbox: true });
      expect(await declined(test, cause)).toMatchObject({ status: 'FAILED', decline_reason: reason });
    },
  );
});

describe('every decline reason', () => {
  it.each(['payment', 'payout'] as const)(
    'of a %s has a cause, or comes only from test data and simulation calls',
    (kind) => {
      const caused = new Set(CAUSES.filter((cause) => cause.kind === kind).map(({ reason }) => reason));
      expect(REASONS[kind].filter((reason) => !caused.has(reason) && !SIMULATED_ONLY.includes(reason))).toEqual([]);
    },
  );

  it.each(['payment', 'payout'] as const)('of a %s comes from a simulation call', async (kind) => {
    const test = await startTestGateway({ sandbox: true });
    await test.call('PUT', `/sandbox/channels/${kind}/${METHODS[kind]}`, MANUAL);
    if (kind === 'payout') await test.call('POST', '/sandbox/wallets/INR/fund', { amount: 100_000_000 });
    for (const reason of REASONS[kind]) {
      const request = { ...REQUESTS[kind], merchant_order_id: reason };
      const { transaction_id: id } = (await test.call('POST', `/${kind}s`, request)).body;
      const declined = await test.call('POST', `/sandbox/${kind}s/${id}/decline`, { decline_reason: reason });
      expect(declined, reason).toMatchObject({ status: 200, body: { status: 'FAILED', decline_reason: reason } });
    }
  });
});

const MANUAL = { condition: 'manual' };
