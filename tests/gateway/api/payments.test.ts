import { expect, it } from 'vitest';
import type { PaymentEvent } from '../../../gateway/src/domain/events.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { applyPaymentEvent } from '../../../gateway/src/domain/payment.ts';
import { transactionById } from '../../../gateway/src/transactions/rows.ts';
import { problemType } from '../../tools/problems.ts';
import { balances, clarification, confirmation, settled, TID } from '../harness/customer.ts';
import { paymentRequest, REDIRECT, record } from '../harness/fixtures.ts';
import { describeOnEachDriver, startTestGateway, type TestGateway } from '../harness.ts';

const UPI = findMethod(sandboxMethods, 'payment', 'UPI_IN');
const AMOUNT = 49_900;

/** Acts on a payment as its customer does on the payment page. */
async function onPage({ gateway, clock, merchant }: TestGateway, id: string, event: PaymentEvent): Promise<void> {
  const payment = await transactionById(gateway.store.read, merchant.id, 'payment', id);
  if (!payment) throw new Error(`there is no payment ${id}`);
  const step = applyPaymentEvent(sandboxMethods, payment, event, clock.now());
  await record(gateway.store, step, clock.now());
}

describeOnEachDriver('a payment by host-to-host', (open) => {
  it('runs from its creation to available money', async () => {
    const test = await startTestGateway({ store: await open() });
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
    expect(paid).toEqual({
      transaction_id: id,
      merchant_order_id: request.merchant_order_id,
      status: 'SUCCESS',
      amount: AMOUNT,
      amount_paid: AMOUNT,
      currency: 'INR',
      payment_method: 'UPI_IN',
      created_at: '2026-03-02T09:00:00.000Z',
      finalized_at: '2026-03-02T09:01:00.000Z',
    });
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
    const test = await startTestGateway({ store: await open() });
    const { body: created } = await test.call('POST', '/payments', paymentRequest({ amount: AMOUNT }));
    const asked = await settled(test, test.call, created.transaction_id);
    const path = `/payments/${created.transaction_id}/confirm`;
    const refused = await test.call('POST', path, confirmation(asked, 49_901));
    expect(refused).toMatchObject({
      status: 400,
      body: { violations: [{ in: 'body', pointer: '/confirm_data/amount', message: 'must be one of 49900, 50000' }] },
    });
    expect((await test.call('POST', path, confirmation(asked, 50_000))).status).toBe(200);
    const paid = await settled(test, test.call, created.transaction_id);
    expect(paid).toMatchObject({ status: 'SUCCESS', amount: AMOUNT, amount_paid: 50_000 });
    expect(await balances(test.call)).toEqual({ INR: { available: 0, pending: 50_000 } });
  });

  it('asks immediately for missing data of its method', async () => {
    const test = await startTestGateway({ store: await open() });
    const { customer, ...rest } = paymentRequest();
    const { body: created } = await test.call('POST', '/payments', { ...rest, customer: { id: customer.id } });
    expect(created).toMatchObject({ status: 'EXTRA_DATA_NEEDED', clarify: ['name', 'phone'] });
    const path = `/payments/${created.transaction_id}/clarify`;
    const lacking = await test.call('POST', path, { clarify_data: { name: 'Asha Rao' } });
    expect(lacking).toMatchObject({
      status: 400,
      body: { violations: [{ in: 'body', pointer: '/clarify_data/phone', message: 'is missing' }] },
    });
    const clarified = await test.call('POST', path, clarification(created));
    expect(clarified).toMatchObject({ status: 200, body: { status: 'PAY_CONFIRMATION_NEEDED' } });
    expect(await settled(test, test.call, created.transaction_id)).toEqual(clarified.body);
  });

  it('names every missing item of a confirmation', async () => {
    const test = await startTestGateway({ store: await open() });
    const { body: created } = await test.call('POST', '/payments', paymentRequest());
    await test.gateway.idle();
    const path = `/payments/${created.transaction_id}/confirm`;
    const lacking = await test.call('POST', path, { confirm_data: { note: 'paid' } });
    expect(lacking.body.violations.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/confirm_data/amount',
      '/confirm_data/tid',
    ]);
  });

  it('accepts one of two concurrent confirmations', async () => {
    const test = await startTestGateway({ store: await open() });
    const { body: created } = await test.call('POST', '/payments', paymentRequest({ amount: AMOUNT }));
    const asked = await settled(test, test.call, created.transaction_id);
    const answers = await Promise.all(
      [AMOUNT, 50_000].map((amount) =>
        test.call('POST', `/payments/${created.transaction_id}/confirm`, confirmation(asked, amount)),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const paid = await settled(test, test.call, created.transaction_id);
    expect(await balances(test.call)).toEqual({ INR: { available: 0, pending: paid.amount_paid } });
  });

  it.each(['CREATED', 'EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED'])(
    'expires in %s exactly when its validity ends',
    async (status) => {
      const test = await startTestGateway({ store: await open() });
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
    const test = await startTestGateway({ store: await open() });
    const request = paymentRequest({ customer: { id: 'stop-VERIFYING' } });
    const { body: created } = await test.call('POST', '/payments', request);
    const asked = await settled(test, test.call, created.transaction_id);
    await test.call('POST', `/payments/${created.transaction_id}/confirm`, confirmation(asked));
    test.clock.advance(10 * (UPI?.validityMs ?? 0));
    expect(await settled(test, test.call, created.transaction_id)).toMatchObject({ status: 'VERIFYING' });
  });
});

describeOnEachDriver('an action in the wrong state', (open) => {
  it('is rejected with 409 without a change, in any state', async () => {
    const test = await startTestGateway({ store: await open() });
    const { call } = test;
    const reached = new Set<string>();
    for (const customer of ['stop-CREATED', 'clarify-email', 'succeed', 'stop-VERIFYING', 'decline-BANK_REJECTED']) {
      const { body } = await call('POST', '/payments', paymentRequest({ customer: { id: customer } }));
      const path = `/payments/${body.transaction_id}`;
      for (;;) {
        const shown = await settled(test, call, body.transaction_id);
        reached.add(shown.status);
        const actions = {
          clarify: shown.status === 'EXTRA_DATA_NEEDED' ? undefined : { clarify_data: { email: 'a@example.com' } },
          confirm: shown.status === 'PAY_CONFIRMATION_NEEDED' ? undefined : { confirm_data: { amount: '1', tid: TID } },
        };
        for (const [action, given] of Object.entries(actions)) {
          if (!given) continue;
          const { status, body: problem } = await call('POST', `${path}/${action}`, given);
          expect({ status, type: problem.type }).toEqual({ status: 409, type: problemType('wrong-state') });
          expect(problem.detail).toContain(shown.status);
          expect(await settled(test, call, body.transaction_id)).toEqual(shown);
        }
        if (shown.status === 'EXTRA_DATA_NEEDED') await call('POST', `${path}/clarify`, clarification(shown));
        else if (shown.status === 'PAY_CONFIRMATION_NEEDED') await call('POST', `${path}/confirm`, confirmation(shown));
        else break;
      }
    }
    expect([...reached].sort()).toEqual(
      ['CREATED', 'EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'VERIFYING', 'SUCCESS', 'FAILED'].sort(),
    );
  });
});

describeOnEachDriver('a payment by redirect', (open) => {
  it('returns the address of its payment page, and succeeds once the customer has paid there', async () => {
    const test = await startTestGateway({ store: await open() });
    const { call } = test;
    const made = await Promise.all([1, 2].map(() => call('POST', '/payments', paymentRequest({}, REDIRECT))));
    const urls = made.map(({ body }) => body.redirect_url);
    expect(urls).toEqual(urls.map(() => expect.stringMatching(/^http:\/\/localhost:4000\/checkout\/[0-9a-z]{32}$/)));
    expect(new Set(urls).size).toBe(2);

    const id = made[0]?.body.transaction_id;
    expect(await settled(test, call, id)).toMatchObject({ status: 'CREATED' });
    await onPage(test, id, { type: 'paid', items: {} });
    expect((await call('GET', `/payments/${id}`)).body).toMatchObject({ status: 'VERIFYING' });
    expect(await settled(test, call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: REDIRECT.amount });
    expect(await balances(call)).toEqual({ INR: { available: 0, pending: REDIRECT.amount } });
  });

  it('expires without a visit of the customer', async () => {
    const test = await startTestGateway({ store: await open() });
    const { body } = await test.call('POST', '/payments', paymentRequest({}, REDIRECT));
    test.clock.advance(UPI?.validityMs ?? 0);
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({
      status: 'FAILED',
      decline_reason: 'TIMEOUT_EXPIRED',
    });
  });

  it('is refused without a return address if the method has no other flow', async () => {
    const { call } = await startTestGateway({ store: await open() });
    const answer = await call(
      'POST',
      '/payments',
      paymentRequest({ payment_method_type: 'WALLET_EG', currency: 'EGP' }),
    );
    expect(answer).toMatchObject({ status: 400, body: { violations: [{ in: 'body', pointer: '/return_url' }] } });
  });
});

describeOnEachDriver('the status of a payment', (open) => {
  it('is the same by id, and by either parameter of the query', async () => {
    const test = await startTestGateway({ store: await open() });
    const request = paymentRequest();
    const { body } = await test.call('POST', '/payments', request);
    const shown = await settled(test, test.call, body.transaction_id);
    for (const query of [`transaction_id=${body.transaction_id}`, `merchant_order_id=${request.merchant_order_id}`]) {
      expect(await test.call('GET', `/payments?${query}`)).toMatchObject({ status: 200, body: shown });
    }
    const both = `transaction_id=${body.transaction_id}&merchant_order_id=${request.merchant_order_id}`;
    for (const query of ['', `?${both}`]) {
      expect((await test.call('GET', `/payments${query}`)).status).toBe(400);
    }
  });

  it('is found by any accepted order id', async () => {
    const { call } = await startTestGateway({ store: await open() });
    for (const orderId of ['a b/c?d=e&f#g', 'заказ № 7', '  ', '%00', "o'; drop table x; --", 'x'.repeat(255), '😀']) {
      const { body, status } = await call('POST', '/payments', paymentRequest({ merchant_order_id: orderId }));
      expect(status).toBe(200);
      const found = await call('GET', `/payments?${new URLSearchParams({ merchant_order_id: orderId })}`);
      expect(found.body).toMatchObject({ transaction_id: body.transaction_id, merchant_order_id: orderId });
    }
  });
});
