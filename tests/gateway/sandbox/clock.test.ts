import { expect, it } from 'vitest';
import { requestExamples } from '../../../generated/examples.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let orders = 0;
async function create(test: Pick<TestGateway, 'call'>, customerId = 'succeed'): Promise<string> {
  const { body } = requestExamples.createPayment['h2h-upi'];
  const created = await test.call('POST', '/payments', {
    ...body,
    merchant_order_id: `order-${++orders}`,
    customer: { ...body.customer, id: customerId },
  });
  expect(created.status).toBe(200);
  return created.body.transaction_id;
}

describeOnEachStore("a merchant's clock", (open) => {
  it('shows the time of the store until it is moved', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const { status, body } = await test.call('GET', '/sandbox/clock');
    expect({ status, ...body }).toEqual({
      status: 200,
      now: new Date(test.clock.now()).toISOString(),
      frozen: false,
      ahead_ms: 0,
      signatures: 'real',
      reached: true,
    });
  });

  it('expires a payment on time when advanced past it', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const other = await test.addMerchant('Other');
    const [id, others] = [await create(test), await create(other)];
    await test.gateway.idle();
    const advanced = await test.call('POST', '/sandbox/clock/advance', { by: '1h' });
    expect(advanced).toMatchObject({ status: 200, body: { frozen: false, ahead_ms: 60 * MINUTE, reached: true } });
    const expired = await test.call('GET', `/payments/${id}`);
    expect(expired.body).toMatchObject({ status: 'FAILED', decline_reason: 'TIMEOUT_EXPIRED' });
    expect(Date.parse(expired.body.finalized_at) - Date.parse(expired.body.created_at)).toBe(15 * MINUTE);
    expect((await other.call('GET', `/payments/${others}`)).body.status).toBe('PAY_CONFIRMATION_NEEDED');
  });

  it('stays frozen while time passes', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const frozen = await test.call('POST', '/sandbox/clock/freeze');
    expect(frozen).toMatchObject({ status: 200, body: { frozen: true } });
    const id = await create(test);
    await test.gateway.idle();
    test.clock.advance(60 * MINUTE);
    await test.gateway.idle();
    expect((await test.call('GET', `/payments/${id}`)).body).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
    await test.call('POST', '/sandbox/clock/release');
    test.clock.advance(15 * MINUTE);
    await test.gateway.idle();
    expect((await test.call('GET', `/payments/${id}`)).body).toMatchObject({ decline_reason: 'TIMEOUT_EXPIRED' });
  });

  it('returns to the real time when released, and leaves written times unchanged', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await test.call('POST', '/sandbox/clock/advance', { by: '3d' });
    const id = await create(test);
    await test.gateway.idle();
    const released = await test.call('POST', '/sandbox/clock/release');
    expect(released.body).toMatchObject({ frozen: false, ahead_ms: 0, reached: true });
    const { body: payment } = await test.call('GET', `/payments/${id}`);
    expect(Date.parse(payment.created_at) - test.clock.now()).toBe(3 * DAY);

    await test.call('POST', `/sandbox/payments/${id}/decline`, { decline_reason: 'LIMIT_EXCEEDED' });
    const { timeline } = (await test.call('GET', `/management/payments/${id}`)).body;
    const times: number[] = timeline.map(({ at }: { at: string }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeGreaterThanOrEqual(Date.parse(payment.created_at));
  });

  it('keeps the expiry of a payment from the advanced time after a release', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await test.call('POST', '/sandbox/clock/advance', { by: '3d' });
    const id = await create(test);
    await test.gateway.idle();
    await test.call('POST', '/sandbox/clock/release');
    test.clock.advance(15 * MINUTE);
    await test.gateway.idle();
    expect((await test.call('GET', `/payments/${id}`)).body.status).toBe('PAY_CONFIRMATION_NEEDED');
    test.clock.advance(3 * DAY);
    await test.gateway.idle();
    expect((await test.call('GET', `/payments/${id}`)).body).toMatchObject({ decline_reason: 'TIMEOUT_EXPIRED' });
  });

  it('runs work due during a freeze in order when released', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await test.call('POST', '/sandbox/clock/freeze');
    const id = await create(test);
    await test.gateway.idle();
    test.clock.advance(60 * MINUTE);
    await test.call('POST', '/sandbox/clock/release');
    const { body } = await test.call('GET', `/payments/${id}`);
    expect(body).toMatchObject({ decline_reason: 'TIMEOUT_EXPIRED' });
    expect(Date.parse(body.finalized_at) - Date.parse(body.created_at)).toBe(15 * MINUTE);
  });

  it('never goes back by an advance', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const back = await test.call('POST', '/sandbox/clock/advance', { to: '2001-01-01T00:00:00.000Z' });
    expect(back).toMatchObject({ status: 400, body: { violations: [{ pointer: '/to' }] } });
  });
});
