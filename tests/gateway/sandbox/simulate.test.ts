/** Simulated events and conditions, and test customers. */
import { describe, expect, it } from 'vitest';
import { requestExamples } from '../../../generated/examples.ts';
import { settled } from '../harness/customer.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';

async function manualGateway(): Promise<TestGateway> {
  const test = await startTestGateway({ sandbox: true });
  for (const channel of ['payment/UPI_IN', 'payment/WALLET_EG', 'payout/IMPS_IN']) {
    expect((await test.call('PUT', `/sandbox/channels/${channel}`, { condition: 'manual' })).status).toBe(200);
  }
  return test;
}

async function pay(test: TestGateway, example: 'h2h-upi' | 'redirect-egp', orderId?: string): Promise<string> {
  const { body } = requestExamples.createPayment[example];
  const created = await test.call('POST', '/payments', { ...body, ...(orderId && { merchant_order_id: orderId }) });
  expect(created.status).toBe(200);
  return created.body.transaction_id;
}

describe('a payment on a manual channel', () => {
  it("reaches each status by simulation events, and has getPayment's response", async () => {
    const test = await manualGateway();
    const id = await pay(test, 'h2h-upi');
    const step = (event: string, body?: unknown) => test.call('POST', `/sandbox/payments/${id}/${event}`, body);
    const seen: string[] = [];
    for (const [event, body] of [
      ['ask-for-data', { items: ['email'] }],
      ['ask-for-confirmation', { available_amounts: [49_900, 50_000] }],
      ['pay', undefined],
      ['succeed', { amount_paid: 50_000 }],
    ] as const) {
      const { status, body: payment } = await step(event, body);
      expect(status, event).toBe(200);
      expect(payment).toEqual((await test.call('GET', `/payments/${id}`)).body);
      seen.push(payment.status);
    }
    expect(seen).toEqual(['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'VERIFYING', 'SUCCESS']);
    await test.call('POST', '/sandbox/clock/advance', { by: '1m' });
    const { balances } = (await test.call('GET', '/merchant/balance')).body;
    expect(balances).toContainEqual({ currency: 'INR', available: 50_000, pending: 0 });
  });

  it('rejects an illegal event without a change, and lists the legal ones', async () => {
    const test = await manualGateway();
    const other = await test.addMerchant('Other');
    const [redirected, asked] = [await pay(test, 'redirect-egp'), await pay(test, 'h2h-upi')];
    const step = (id: string, event: string, body?: object, { call }: Pick<TestGateway, 'call'> = test) =>
      call('POST', `/sandbox/payments/${id}/${event}`, body);
    const before = (await test.call('GET', `/payments/${redirected}`)).body;
    expect(await step(redirected, 'succeed')).toMatchObject({
      status: 409,
      body: { legal_events: ['pay', 'decline', 'expire'] },
    });
    expect((await test.call('GET', `/payments/${redirected}`)).body).toEqual(before);
    await step(asked, 'ask-for-data', { items: ['email'] });
    // The customer has no account to pay to.
    expect(await step(asked, 'pay')).toMatchObject({
      status: 409,
      body: { legal_events: ['ask-for-confirmation', 'decline', 'expire'] },
    });
    expect((await step(redirected, 'pay', undefined, other)).status).toBe(404);
  });

  it('can be declined hours after it was paid, but has expired if it was not', async () => {
    const test = await manualGateway();
    const [paid, unpaid] = [await pay(test, 'redirect-egp'), await pay(test, 'redirect-egp', 'order-unpaid')];
    expect((await test.call('POST', `/sandbox/payments/${paid}/pay`)).status).toBe(200);
    await test.call('POST', '/sandbox/clock/advance', { by: '2h' });
    const decline = (id: string) =>
      test.call('POST', `/sandbox/payments/${id}/decline`, { decline_reason: 'BANK_REJECTED' });
    expect((await decline(paid)).body).toMatchObject({ status: 'FAILED', decline_reason: 'BANK_REJECTED' });
    expect((await decline(unpaid)).status).toBe(409);
  });
});

const REQUESTS = {
  // Its id is the name of a member of objects.
  payment: paymentRequest({ customer: { id: '__proto__' } }),
  payout: requestExamples.createPayout['imps-inr'].body,
};
const PAYER = `/sandbox/customers/${REQUESTS.payment.customer.id}`;
const PAYEE = `/sandbox/customers/${REQUESTS.payout.customer.id}`;

it.each<[kind: 'payment' | 'payout', reason: string, method: 'POST' | 'PUT', path: string, body: object]>([
  ['payment', 'LIMIT_EXCEEDED', 'POST', `${PAYER}/use-limits`, { kind: 'payment', method: 'UPI_IN' }],
  ['payout', 'LIMIT_EXCEEDED', 'POST', `${PAYEE}/use-limits`, { kind: 'payout', method: 'IMPS_IN' }],
  ['payment', 'CHANNEL_DOWN', 'PUT', '/sandbox/channels/payment/UPI_IN', { condition: 'down' }],
  ['payout', 'CHANNEL_DOWN', 'PUT', '/sandbox/channels/payout/IMPS_IN', { condition: 'down' }],
  ['payout', 'CHANNEL_OVERLOADED', 'PUT', '/sandbox/channels/payout/IMPS_IN', { condition: 'overloaded' }],
  ['payment', 'KYC_BLOCKED', 'POST', `${PAYER}/block`, {}],
  ['payment', 'FRAUD_SUSPECTED', 'POST', `${PAYER}/block`, { decline_reason: 'FRAUD_SUSPECTED' }],
  ['payout', 'INSUFFICIENT_BALANCE', 'POST', '/sandbox/wallets/INR/drain', {}],
])('a setting of the sandbox declines a %s with %s', async (kind, reason, method, path, body) => {
  const test = await startTestGateway({ sandbox: true });
  await test.call('POST', '/sandbox/wallets/INR/fund', { amount: 10_000_000 });
  expect((await test.call(method, path, body)).status).toBeLessThan(300);
  const created = await test.call('POST', `/${kind}s`, REQUESTS[kind]);
  const declined = await settled(test, test.call, created.body.transaction_id);
  expect(declined).toMatchObject({ status: 'FAILED', decline_reason: reason });
});
