/** Payments and payouts, with exact times and balances. */
import { describe, expect, it } from 'vitest';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { balances, confirmation, settled, TID } from '../harness/customer.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness.ts';

const UPI = findMethod(sandboxMethods, 'payment', 'UPI_IN');
const AMOUNT = 49_900;

describe('a payment by host-to-host', () => {
  it('runs from its creation to available money', async () => {
    const test = await startTestGateway();
    const { call, clock } = test;
    const request = paymentRequest({ amount: AMOUNT });
    const { status, body: created } = await call('POST', '/payments', request);
    expect(status).toBe(200);
    expect(created).toEqual({
      transaction_id: expect.stringMatching(/^pay_/),
      merchant_order_id: request.merchant_order_id,
      status: 'CREATED',
      amount: AMOUNT,
      currency: 'INR',
      payment_method_type: 'UPI_IN',
      created_at: '2026-03-02T09:00:00.000Z',
    });

    const id = created.transaction_id;
    const asked = await settled(test, call, id);
    expect(asked).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED', confirm: ['amount', 'tid'] });
    expect(asked.pay_data.available_amounts).toEqual([49_900, 50_000]);
    expect(await balances(call)).toEqual({});

    clock.advance(60_000);
    const confirmed = await call('POST', `/payments/${id}/confirm`, confirmation(asked));
    expect(confirmed).toMatchObject({ status: 200, body: { transaction_id: id, status: 'VERIFYING' } });

    const paid = await settled(test, call, id);
    const { payment_method_type: payment_method, ...unchanged } = created;
    const finalized = { status: 'SUCCESS', amount_paid: AMOUNT, finalized_at: '2026-03-02T09:01:00.000Z' };
    expect(paid).toEqual({ ...unchanged, payment_method, ...finalized });
    expect(await balances(call)).toEqual({ INR: { available: 0, pending: AMOUNT } });

    clock.advance((UPI?.settlementMs ?? 0) - 1);
    await test.gateway.idle();
    expect(await balances(call)).toEqual({ INR: { available: 0, pending: AMOUNT } });
    clock.advance(1);
    await test.gateway.idle();
    expect(await balances(call)).toEqual({ INR: { available: AMOUNT, pending: 0 } });
    expect(await settled(test, call, id)).toEqual(paid);
  });

  it('accepts an offered amount that the customer has transferred', async () => {
    const test = await startTestGateway();
    const { body: created } = await test.call('POST', '/payments', paymentRequest({ amount: AMOUNT }));
    const asked = await settled(test, test.call, created.transaction_id);
    const path = `/payments/${created.transaction_id}/confirm`;
    const lacking = await test.call('POST', path, { confirm_data: { note: 'paid' } });
    expect(lacking.body.violations).toMatchObject([
      { pointer: '/confirm_data/amount', message: 'is missing' },
      { pointer: '/confirm_data/tid', message: 'is missing' },
    ]);
    const refused = await test.call('POST', path, confirmation(asked, 49_901));
    const violations = [{ in: 'body', pointer: '/confirm_data/amount', message: 'must be one of 49900, 50000' }];
    expect(refused).toMatchObject({ status: 400, body: { violations } });
    expect((await test.call('POST', path, confirmation(asked, 50_000))).status).toBe(200);
    const paid = await settled(test, test.call, created.transaction_id);
    expect(paid).toMatchObject({ status: 'SUCCESS', amount: AMOUNT, amount_paid: 50_000 });
    expect(await balances(test.call)).toEqual({ INR: { available: 0, pending: 50_000 } });
  });

  it.each(['CREATED', 'EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED'])(
    'expires in %s exactly when its validity ends',
    async (status) => {
      const test = await startTestGateway();
      const request = paymentRequest({ customer: { id: `stop-${status}` } });
      const { body: created } = await test.call('POST', '/payments', request);
      const id = created.transaction_id;
      expect(await settled(test, test.call, id)).toMatchObject({ status });
      test.clock.advance((UPI?.validityMs ?? 0) - 1);
      const waiting = await settled(test, test.call, id);
      expect(waiting).toMatchObject({ status });
      test.clock.advance(1);
      // The customer is late even before the worker expires the payment.
      const late = await test.call('POST', `/payments/${id}/confirm`, { confirm_data: { tid: TID, amount: '49900' } });
      expect(late.status).toBe(409);
      expect(await settled(test, test.call, id)).toMatchObject({
        status: 'FAILED',
        decline_reason: 'TIMEOUT_EXPIRED',
        finalized_at: '2026-03-02T09:15:00.000Z',
      });
    },
  );

  it('does not expire once the customer has paid', async () => {
    const test = await startTestGateway();
    const request = paymentRequest({ customer: { id: 'stop-VERIFYING' } });
    const { body: created } = await test.call('POST', '/payments', request);
    const asked = await settled(test, test.call, created.transaction_id);
    await test.call('POST', `/payments/${created.transaction_id}/confirm`, confirmation(asked));
    test.clock.advance(10 * (UPI?.validityMs ?? 0));
    expect(await settled(test, test.call, created.transaction_id)).toMatchObject({ status: 'VERIFYING' });
  });
});
