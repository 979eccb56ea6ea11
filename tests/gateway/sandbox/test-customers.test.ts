/** Customers of the test data, and customers whose ids are names of JavaScript members. */
import { expect, it } from 'vitest';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';

const limitsOf = (name: string) => {
  const method = sandboxMethods.find((one) => one.name === name);
  if (!method) throw new Error(`no method ${name}`);
  return method.limits;
};

describeOnEachStore('a test customer', (open) => {
  it.each(['succeed', 'manual'])('%s has no limit, regardless of its payments and payouts', async (id) => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const payment = paymentRequest();
    const payout = payoutRequest();
    await fund(test.gateway.store, test.merchant, 10 * limitsOf(payout.payment_method_type).perDay);
    for (const [path, request] of [
      ['payments', payment],
      ['payouts', payout],
    ] as const) {
      const { max, perDay } = limitsOf(request.payment_method_type);
      for (let paid = 0; paid <= perDay; paid += max) {
        const customer = { ...request.customer, id };
        const order = { merchant_order_id: `${path}-${paid}`, amount: max, customer };
        const { body } = await test.call('POST', `/${path}`, { ...request, ...order });
        await test.gateway.idle();
        if (path === 'payments')
          await test.call('POST', `/sandbox/payments/${body.transaction_id}/ask-for-confirmation`);
        if (path === 'payments') await test.call('POST', `/sandbox/payments/${body.transaction_id}/pay`);
        await test.call('POST', `/sandbox/${path}/${body.transaction_id}/succeed`);
        await test.gateway.idle();
        const { status, decline_reason } = (await test.call('GET', `/${path}/${body.transaction_id}`)).body;
        expect([path, paid, status, decline_reason]).toEqual([path, paid, 'SUCCESS', undefined]);
      }
    }
  });

  it('has no limits', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const use = (id: string) =>
      test.call('POST', `/sandbox/customers/${id}/use-limits`, { kind: 'payment', method: 'UPI_IN' });
    expect((await use('anyone')).status).toBe(204);
    const refused = await use('manual');
    expect(refused.status).toBe(400);
    const message = 'is a test customer, who has no limits; use another id, or decline-LIMIT_EXCEEDED';
    expect(refused.body.violations).toEqual([{ in: 'path', pointer: '/customer_id', message }]);
  });
});

describeOnEachStore("a customer with the name of an object's member", (open) => {
  it.each(['constructor', '__proto__', 'toString'])('such as %s pays unless it is blocked', async (id) => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await test.call('POST', '/sandbox/customers/another/block', {});
    const pay = async () => {
      const customer = { ...paymentRequest().customer, id };
      const { body } = await test.call('POST', '/payments', paymentRequest({ customer }));
      await test.gateway.idle();
      return (await test.call('GET', `/payments/${body.transaction_id}`)).body;
    };
    expect((await pay()).status).toBe('PAY_CONFIRMATION_NEEDED');
    await test.call('POST', `/sandbox/customers/${id}/block`, { decline_reason: 'KYC_BLOCKED' });
    expect(await pay()).toMatchObject({ status: 'FAILED', decline_reason: 'KYC_BLOCKED' });
  });
});
