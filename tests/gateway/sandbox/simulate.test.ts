import { expect, it } from 'vitest';
import { PAYMENT_MOVES } from '../../../gateway/src/domain/events.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';

const MANUAL = { condition: 'manual' };

async function manualGateway(opening: Promise<TestGateway['gateway']['store']>): Promise<TestGateway> {
  const test = await startTestGateway({ store: await opening, sandbox: true });
  for (const channel of ['payment/UPI_IN', 'payment/WALLET_EG', 'payout/IMPS_IN']) {
    expect((await test.call('PUT', `/sandbox/channels/${channel}`, MANUAL)).status).toBe(200);
  }
  return test;
}

async function pay(test: TestGateway, example: 'h2h-upi' | 'redirect-egp'): Promise<string> {
  const created = await test.call('POST', '/payments', requestExamples.createPayment[example].body);
  expect(created.status).toBe(200);
  return created.body.transaction_id;
}

describeOnEachStore('a payment on a manual channel', (open) => {
  it("reaches each status by simulation events, and has getPayment's response", async () => {
    const test = await manualGateway(open());
    const id = await pay(test, 'h2h-upi');
    const step = (event: string, body?: unknown) => test.call('POST', `/sandbox/payments/${id}/${event}`, body);
    const seen: string[] = [];
    for (const [event, body] of [
      ['ask-for-data', { items: ['email'] }],
      ['ask-for-confirmation', { available_amounts: [49_900, 50_000] }],
      ['pay', undefined],
      ['succeed', { amount_paid: 50_000 }],
      ['settle', undefined],
    ] as const) {
      const { status, body: payment } = await step(event, body);
      expect(status, event).toBe(200);
      expect(payment).toEqual((await test.call('GET', `/payments/${id}`)).body);
      seen.push(payment.status);
    }
    expect(seen).toEqual(['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'VERIFYING', 'SUCCESS', 'SUCCESS']);
    const { balances } = (await test.call('GET', '/merchant/balance')).body;
    expect(balances).toContainEqual({ currency: 'INR', available: 50_000, pending: 0 });
  });

  it('rejects an illegal event without a change, and lists the legal ones', async () => {
    const test = await manualGateway(open());
    const id = await pay(test, 'redirect-egp');
    const before = (await test.call('GET', `/payments/${id}`)).body;
    const refused = await test.call('POST', `/sandbox/payments/${id}/succeed`);
    expect(refused).toMatchObject({ status: 409, body: { legal_events: ['pay', 'decline', 'expire'] } });
    expect((await test.call('GET', `/payments/${id}`)).body).toEqual(before);
  });

  it.each(Object.keys(PAYMENT_MOVES.declined))('is declined in %s for any reason', async (status) => {
    const test = await manualGateway(open());
    const id = await pay(test, 'h2h-upi');
    const way: Record<string, [string, unknown?][]> = {
      CREATED: [],
      EXTRA_DATA_NEEDED: [['ask-for-data', { items: ['name'] }]],
      PAY_CONFIRMATION_NEEDED: [['ask-for-confirmation']],
      VERIFYING: [['ask-for-confirmation'], ['pay']],
    };
    for (const [event, body] of way[status] ?? []) await test.call('POST', `/sandbox/payments/${id}/${event}`, body);
    expect((await test.call('GET', `/payments/${id}`)).body.status).toBe(status);
    const declined = await test.call('POST', `/sandbox/payments/${id}/decline`, { decline_reason: 'OUT_OF_TABLE' });
    expect(declined).toMatchObject({ status: 200, body: { status: 'FAILED', decline_reason: 'OUT_OF_TABLE' } });
  });

  it("is not found with another merchant's key", async () => {
    const test = await manualGateway(open());
    const other = await test.addMerchant('Other');
    const id = await pay(test, 'h2h-upi');
    expect((await other.call('POST', `/sandbox/payments/${id}/pay`)).status).toBe(404);
  });
});

describeOnEachStore('a payout on a manual channel', (open) => {
  it.each([
    ['succeed', undefined, { status: 'SUCCESS' }, 0],
    ['decline', { decline_reason: 'BANK_REJECTED' }, { status: 'FAILED', decline_reason: 'BANK_REJECTED' }, 1],
  ] as const)('ends by %s', async (event, body, outcome, back) => {
    const test = await manualGateway(open());
    const { body: request } = requestExamples.createPayout['imps-inr'];
    await test.call('POST', '/sandbox/wallets/INR/fund', { amount: request.amount });
    const { transaction_id: id } = (await test.call('POST', '/payouts', request)).body;
    const ended = await test.call('POST', `/sandbox/payouts/${id}/${event}`, body);
    expect(ended).toMatchObject({ status: 200, body: outcome });
    const { balances } = (await test.call('GET', '/merchant/balance')).body;
    expect(balances).toContainEqual({ currency: 'INR', available: back * request.amount, pending: 0 });
  });
});
