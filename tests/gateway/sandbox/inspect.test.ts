import { expect, it } from 'vitest';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';

interface Entry {
  type: string;
  at: string;
  status?: string;
  cause?: string;
  detail?: { reason?: string; state?: string };
}

const typesOf = (timeline: Entry[], type: string) => timeline.filter((entry) => entry.type === type);

describeOnEachStore('an inspection', (open) => {
  it('shows a payment with its request, its ordered history, and its legal events', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await test.call('PUT', '/sandbox/channels/payment/UPI_IN', { condition: 'manual' });
    // A closed port.
    const request = paymentRequest({ callback_url: 'https://127.0.0.1:9/hook' });
    const { transaction_id: id } = (await test.call('POST', '/payments', request)).body;
    const created = await test.call('GET', `/management/payments/${id}`);
    expect(created).toMatchObject({
      status: 200,
      body: { request, legal_events: ['ask-for-data', 'ask-for-confirmation', 'pay', 'decline', 'expire'] },
    });
    for (const event of ['ask-for-confirmation', 'pay', 'succeed', 'settle']) {
      test.clock.advance(1_000);
      expect((await test.call('POST', `/sandbox/payments/${id}/${event}`)).status).toBe(200);
    }
    await test.gateway.idle();
    const { body } = await test.call('GET', `/management/payments/${id}`);
    expect(body.resource).toEqual((await test.call('GET', `/payments/${id}`)).body);
    expect(body.legal_events).toEqual([]);
    const timeline: Entry[] = body.timeline;
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).sort());
    expect(typesOf(timeline, 'status').map(({ status, cause }) => [status, cause])).toEqual([
      ['CREATED', 'created by merchant'],
      ['PAY_CONFIRMATION_NEEDED', 'confirmation_needed by simulation'],
      ['VERIFYING', 'found_paid by simulation'],
      ['SUCCESS', 'succeeded by simulation'],
      ['SUCCESS', 'settled by simulation'],
    ]);
    expect(typesOf(timeline, 'ledger').map(({ detail }) => detail?.reason)).toEqual(['collected', 'settled']);
    expect(typesOf(timeline, 'event').length).toBeGreaterThan(0);
    expect(typesOf(timeline, 'attempt')).toHaveLength(typesOf(timeline, 'event').length);
    expect(timeline[0]).toMatchObject({ type: 'request', summary: 'POST /payments: 200' });
    expect(typesOf(timeline, 'request')).toHaveLength(5);
  });

  it('shows when the next step is due', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const { transaction_id: id } = (await test.call('POST', '/payments', paymentRequest())).body;
    await test.gateway.idle();
    const { body } = await test.call('GET', `/management/payments/${id}`);
    expect(Date.parse(body.next_step_at) - Date.parse(body.resource.created_at)).toBe(15 * 60_000);
  });

  it('shows a payout', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await fund(test.gateway.store, test.merchant, 10_000_000);
    const request = payoutRequest({ customer: { id: 'manual' } });
    const { transaction_id: id } = (await test.call('POST', '/payouts', request)).body;
    await test.gateway.idle();
    const { status, body } = await test.call('GET', `/management/payouts/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ request, legal_events: ['succeed', 'decline'] });
    expect(typesOf(body.timeline, 'ledger').map(({ detail }) => detail?.reason)).toEqual(['reserved']);
    expect((await test.call('GET', `/management/payments/${id}`)).status).toBe(404);
  });
});
