import { expect, it } from 'vitest';
import { SCENARIOS } from '../../../gateway/src/channels/scenarios.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness/gateway.ts';

interface Entry {
  readonly type: string;
  readonly cause?: string;
  readonly summary?: string;
  readonly detail?: { readonly status?: string; readonly reason?: string };
}

it('an inspection shows a payment with its request, its legal events, and each change before its effects', async () => {
  const test = await startTestGateway({ sandbox: true });
  await test.call('POST', '/sandbox/clock/freeze');
  await test.call('PUT', '/sandbox/channels/payment/UPI_IN', { condition: 'manual' });
  // A closed port.
  const request = paymentRequest({ callback_url: 'https://127.0.0.1:9/hook' });
  const { transaction_id: id } = (await test.call('POST', '/payments', request)).body;
  const legal_events = ['ask-for-data', 'ask-for-confirmation', 'pay', 'decline', 'expire'];
  expect((await test.call('GET', `/management/payments/${id}`)).body).toMatchObject({ request, legal_events });
  for (const event of ['ask-for-confirmation', 'pay', 'succeed'])
    expect((await test.call('POST', `/sandbox/payments/${id}/${event}`)).status).toBe(200);
  await test.gateway.idle();
  const { body } = await test.call('GET', `/management/payments/${id}`);
  expect(body.resource).toEqual((await test.call('GET', `/payments/${id}`)).body);
  expect(body.legal_events).toEqual([]);
  const timeline: Entry[] = body.timeline;
  const [requests, others] = [true, false].map((is) => timeline.filter(({ type }) => (type === 'request') === is));
  expect(requests).toHaveLength(4);
  expect(timeline[0]).toMatchObject({ type: 'request', summary: 'POST /payments: 200' });
  const changes = (others ?? []).filter(({ type }) => type !== 'attempt');
  expect(changes.map(({ type, cause, detail }) => `${type} ${cause ?? detail?.status ?? detail?.reason}`)).toEqual([
    'status created by merchant',
    'status confirmation_needed by simulation',
    'event PAY_CONFIRMATION_NEEDED',
    'status found_paid by simulation',
    'status succeeded by simulation',
    'ledger collected',
    'event SUCCESS',
  ]);
  expect((others ?? []).length - changes.length).toBe(2);
});

const HOUR = 60 * 60_000;

it('the overview counts the transactions of the last day by status and hour', async () => {
  const test = await startTestGateway({ sandbox: true });
  const pay = (id: string) => test.call('POST', '/payments', paymentRequest({ customer: { id } }));
  await pay('decline-BANK_REJECTED');
  test.clock.advance(HOUR);
  await pay('decline-BANK_REJECTED');
  await pay('manual');
  await test.gateway.idle();
  const [first, second] = [START, START + HOUR].map((at) => new Date(at).toISOString());
  const overview = async () => (await test.call('GET', `/management/merchants/${test.merchant.id}/overview`)).body;
  const { hours, statuses } = await overview();
  expect(hours).toEqual([
    { at: first, kind: 'payment', status: 'FAILED', count: 1 },
    { at: second, kind: 'payment', status: 'CREATED', count: 1 },
    { at: second, kind: 'payment', status: 'FAILED', count: 1 },
  ]);
  expect(statuses).toContainEqual({ kind: 'payment', status: 'FAILED', count: 2 });
  expect(statuses).toContainEqual({ kind: 'payment', status: 'CREATED', count: 1 });
  test.clock.advance(25 * HOUR);
  await test.gateway.idle();
  expect((await overview()).hours).toEqual([]);
});

it('test data lists only accepted requests', async () => {
  const test = await startTestGateway({ sandbox: true });
  const { status, body } = await test.call('GET', '/sandbox/test-data');
  expect(status).toBe(200);
  expect(body.data).toHaveLength(SCENARIOS.length);
  for (const [order, { kind, field, value, request }] of body.data.entries()) {
    const yours = { merchant_order_id: `order-${order}`, callback_url: 'https://shop.example.com/hook' };
    const created = await test.call('POST', `/${kind}s`, { ...request, ...yours });
    expect([200, 201], `${kind} ${field} ${value}`).toContain(created.status);
  }
});
