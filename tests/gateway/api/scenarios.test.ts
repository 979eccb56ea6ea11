/** Every row of the simulated channel's table, with a minimal request, from the creation to the row's final status. */

import { beforeAll, describe, expect, it } from 'vitest';
import { SCENARIOS, type Scenario } from '../../../gateway/src/channels/scenarios.ts';
import { raiseUsage } from '../../../gateway/src/transactions/customer-usage.ts';
import { clarification, confirmation, settled } from '../harness/customer.ts';
import { fund, PAYMENT, PAYOUT } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway } from '../harness.ts';

const BASICS = { amount: 1_000, merchant_order_id: 'order', callback_url: PAYMENT.callback_url };
const UPI = { ...BASICS, currency: 'INR', payment_method_type: PAYMENT.payment_method_type } as const;
const WALLET = { ...BASICS, currency: 'EGP', payment_method_type: 'WALLET_EG' } as const;
const IMPS = { ...UPI, payment_method_type: PAYOUT.payment_method_type } as const;
const RETURN = { return_url: 'https://shop.example.com/return' };

/** Ways to create a transaction with only the members that the contract or the flow requires. */
const WAYS = {
  payment: {
    'host to host': UPI,
    'by redirect': { ...UPI, ...RETURN },
    'by a method that redirects': { ...WALLET, ...RETURN },
  },
  payout: { 'to a bank': IMPS, 'to a wallet': WALLET },
} as const;

type Way = (typeof WAYS)['payment' | 'payout'] extends infer W ? (W extends unknown ? W[keyof W] : never) : never;

const ANYONE = 'anyone';
let orders = 0;

function request({ field, value }: Pick<Scenario, 'field' | 'value'>, way: Way) {
  const customer = { id: ANYONE, [field.replace('customer.', '')]: value };
  return { ...way, merchant_order_id: `order-${++orders}`, customer };
}

const isRedirect = (way: Way) => 'return_url' in way;

/** Sends the page's form with every possible field. */
async function payOnPage({ call }: TestGateway, redirectUrl: string): Promise<void> {
  const form = { action: 'pay', name: 'Asha Rao', phone: '+919812345671', account_number: 'asha@upi' };
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, text } = await call('POST', new URL(redirectUrl).pathname, `${new URLSearchParams(form)}`, type);
  expect(status, text).toBe(303);
}

/** Performs the payment's requested actions until it ends, or until the scenario's stop. Returns the seen statuses. */
async function walk(
  test: TestGateway,
  created: { transaction_id: string; redirect_url?: string },
  { outcome }: Scenario,
) {
  const { transaction_id: id, redirect_url: page } = created;
  const seen = [];
  for (;;) {
    const shown = await settled(test, test.call, id);
    seen.push(shown);
    if (shown.status === outcome.stopIn) return seen;
    if (shown.status === 'CREATED' && page !== undefined) {
      await payOnPage(test, page);
    } else if (shown.status === 'EXTRA_DATA_NEEDED') {
      await test.call('POST', `/payments/${id}/clarify`, clarification(shown));
    } else if (shown.status === 'PAY_CONFIRMATION_NEEDED') {
      await test.call('POST', `/payments/${id}/confirm`, confirmation(shown));
    } else if (outcome.delayMs !== undefined && ['VERIFYING', 'PROCESSING'].includes(shown.status)) {
      test.clock.advance(outcome.delayMs);
    } else {
      return seen;
    }
  }
}

/** The statuses of a row, in order, until no work is due. */
function expectedStatuses({ kind, outcome }: Scenario, redirect: boolean): string[] {
  const { decline, delayMs, stopIn, clarify, manual } = outcome;
  if (decline?.at === 'opening') return ['FAILED'];
  const waits = kind === 'payment' ? 'VERIFYING' : 'PROCESSING';
  if (manual) return redirect ? ['CREATED', waits] : [kind === 'payment' ? 'CREATED' : waits];
  const path = [
    ...(redirect || stopIn === 'CREATED' ? ['CREATED'] : []),
    ...(clarify ? ['EXTRA_DATA_NEEDED'] : []),
    ...(kind === 'payment' && !redirect && decline?.at !== 'clarify' ? ['PAY_CONFIRMATION_NEEDED'] : []),
    ...(delayMs || stopIn === waits ? [waits] : []),
    decline ? 'FAILED' : 'SUCCESS',
  ];
  return stopIn ? path.slice(0, path.indexOf(stopIn) + 1) : path;
}

const CURRENCIES = ['INR', 'EGP'] as const;

/** Earlier transactions have used up the limits of the row's customer. */
async function useUpLimits({ gateway, merchant, clock }: TestGateway, { kind, field, value }: Scenario): Promise<void> {
  const customerId = field === 'customer.id' ? value : ANYONE;
  for (const currency of CURRENCIES) {
    const usage = { merchantId: merchant.id, kind, customerId, currency };
    await gateway.store.unit((db) => raiseUsage(db, usage, Number.MAX_SAFE_INTEGER, clock.now()));
  }
}

function create(test: TestGateway, { kind }: Pick<Scenario, 'kind'>, body: object) {
  return test.call('POST', kind === 'payment' ? '/payments' : '/payouts', body);
}

describe('a scenario', () => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway();
    // The wallets cover every payout.
    for (const currency of CURRENCIES) await fund(test.gateway.store, test.merchant, 10_000_000, currency);
  });

  it.each(SCENARIOS)('moves a $kind with $field $value in every flow, regardless of usage', async (scenario) => {
    await useUpLimits(test, scenario);
    const { kind, field, flow, outcome } = scenario;
    for (const [name, way] of Object.entries<Way>(WAYS[kind])) {
      const created = await create(test, scenario, request(scenario, way));
      if (flow === 'h2h' && isRedirect(way)) {
        expect(created.status, name).toBe(400);
        expect(created.body.violations).toEqual([
          { in: 'body', pointer: `/${field.replace('.', '/')}`, message: expect.stringContaining('omit return_url') },
        ]);
        continue;
      }
      expect([200, 201]).toContain(created.status);
      expect(created.body.status, name).toBe(outcome.opensIn ?? (kind === 'payment' ? 'CREATED' : 'PROCESSING'));
      const seen = await walk(test, created.body, scenario);
      const statuses = seen.map(({ status }) => status);
      expect(statuses, name).toEqual(expectedStatuses(scenario, isRedirect(way)));
      const last = seen.at(-1);
      expect(last.decline_reason, name).toBe(outcome.decline?.reason);
      const [asked] = seen.filter(({ status }) => status === 'EXTRA_DATA_NEEDED');
      expect(asked?.clarify).toEqual(outcome.clarify);
      if (outcome.stopIn === undefined && !outcome.manual) continue;
      // It stays there until another event.
      test.clock.advance(60_000);
      expect(await settled(test, test.call, last.transaction_id)).toEqual(last);
    }
  });

  it('takes precedence over every other cause if it declines immediately', async () => {
    for (const row of SCENARIOS.filter(({ outcome }) => outcome.decline?.at === 'opening')) {
      const way = { ...(row.kind === 'payment' ? UPI : IMPS), currency: 'DZD', amount: Number.MAX_SAFE_INTEGER };
      const { body } = await create(test, row, request(row, way as unknown as Way));
      const { decline_reason } = await settled(test, test.call, body.transaction_id);
      expect(decline_reason).toBe(row.outcome.decline?.reason);
    }
  });

  it.each([
    ['payment', 'id', 'decline-late-BANK_REJECT', 'decline-late-BANK_REJECTED'],
    ['payment', 'id', 'Decline-bank_rejected', 'decline-BANK_REJECTED'],
    ['payment', 'id', 'clarify-emial', 'clarify-email'],
    ['payment', 'id', `decline-${'x'.repeat(240)}`, 'decline-'],
    ['payout', 'id', 'stop-CREATED', 'stop-PROCESSING'],
    ['payout', 'account_number', '999000000099', '999000000009'],
  ] as const)('refuses a %s whose %s is %s', async (kind, field, value, meant) => {
    const body = request({ field: `customer.${field}`, value }, kind === 'payment' ? UPI : IMPS);
    const refused = await create(test, { kind }, body);
    expect(refused.status).toBe(400);
    const message = expect.stringContaining(`did you mean ${meant}`);
    expect(refused.body.violations).toEqual([{ in: 'body', pointer: `/customer/${field}`, message }]);
  });

  it.each(['declined', 'user-decline-BANK_REJECTED'])('leaves the customer id %s free', async (id) => {
    const created = await create(test, { kind: 'payment' }, request({ field: 'customer.id', value: id }, UPI));
    expect(created.status).toBe(200);
    // As for every customer, the method requests its required data.
    expect(created.body).toMatchObject({ status: 'EXTRA_DATA_NEEDED', clarify: ['name', 'phone'] });
  });
});
