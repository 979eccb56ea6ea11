/** Paused channels: they get no new transactions and continue with their existing ones. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { openTestSqlite } from '../harness/stores.ts';
import { startOperated } from './operator.ts';

const PAY_DATA = { receiver_account: 'shop@bank', available_amounts: [49_900] };

async function start(store: Store) {
  const calls: string[] = [];
  const channel: Channel = {
    ...BANK,
    initiate: async () => {
      calls.push('initiate');
      return { event: { type: 'confirmation_needed', payData: PAY_DATA, confirm: ['tid'] } };
    },
    clarify: async () => {
      calls.push('clarify');
      return { askAgainAt: undefined };
    },
    verify: async () => ({ event: { type: 'succeeded', amountPaid: 49_900 } }),
    payOut: async () => {
      calls.push('payOut');
      return { event: { type: 'succeeded' } };
    },
  };
  const operated = await startOperated(store, { channels: [channel] });
  const { test, operator } = operated;
  await fund(test.gateway.store, test.merchant, 1_000_000);
  const create = async (path: string, body: object) => {
    const created = await test.call('POST', path, body);
    await test.gateway.idle();
    return `${path}/${created.body.transaction_id}`;
  };
  return {
    ...{ ...operated, calls },
    pay: () => create('/payments', paymentRequest()),
    payOut: () => create('/payouts', payoutRequest({ amount: 60_000 })),
    read: async (path: string) => (await test.call('GET', path)).body,
    post: (path: string, body?: object) => operator.call('POST', `/management/channels/${path}`, body),
  };
}

describe('a paused channel', () => {
  it('gets no new payments, which are declined, and no new payouts, which wait until it is resumed', async () => {
    const { pay, payOut, read, post, calls, test, operator } = await start(await openTestSqlite());
    const before = await pay();
    expect((await post('bank/pause', { reason: 'Maintenance' })).body).toMatchObject({
      name: 'bank',
      paused: { by: { name: 'Dana' }, reason: 'Maintenance' },
    });
    const [payment, payout] = [await pay(), await payOut()];
    expect(calls).toEqual(['initiate']);
    expect(await read(payment)).toMatchObject({ status: 'FAILED', decline_reason: 'CHANNEL_DOWN' });
    expect((await read(payout)).status).toBe('PROCESSING');
    expect((await test.call('POST', `${before}/confirm`, { confirm_data: { tid: '12' } })).status).toBe(200);
    await test.gateway.idle();
    expect((await read(before)).status).toBe('SUCCESS');
    test.clock.advance(30_000);
    await test.gateway.idle();
    expect((await read(payout)).status).toBe('PROCESSING');
    expect((await post('bank/resume')).body).not.toHaveProperty('paused');
    test.clock.advance(30_000);
    await test.gateway.idle();
    expect((await read(payout)).status).toBe('SUCCESS');
    expect((await read(await pay())).status).toBe('PAY_CONFIRMATION_NEEDED');
    const changes = (await operator.call('GET', '/management/changes')).body.data;
    expect(changes.map(({ action, subject }: { action: string; subject: string }) => [action, subject])).toEqual([
      ['resumeChannel', 'bank'],
      ['pauseChannel', 'bank'],
    ]);
  });

  it('gets no payment that was waiting for data before its first call', async () => {
    const { test, operator, post, calls, read } = await start(await openTestSqlite());
    // UPI asks for the name and the phone.
    const waiting = await test.call('POST', '/payments', { ...paymentRequest(), customer: { id: 'customer-1' } });
    expect(waiting.body.status).toBe('EXTRA_DATA_NEEDED');
    await post('bank/pause');
    await operator.call('POST', '/management/payouts/pause', { reason: 'Maintenance' });
    test.clock.advance(60_000);
    const { text: metrics } = await test.call('GET', '/metrics');
    expect(metrics).toContain('gateway_channel_pause_seconds{channel="bank"} 60');
    expect(metrics).toContain('gateway_payout_pause_seconds 60');
    const path = `/payments/${waiting.body.transaction_id}`;
    await test.call('POST', `${path}/clarify`, { clarify_data: { name: 'Asha Rao', phone: '+919876543210' } });
    await test.gateway.idle();
    expect(await read(path)).toMatchObject({ status: 'FAILED', decline_reason: 'CHANNEL_DOWN' });
    expect(calls).toEqual([]);
    expect((await operator.call('GET', `/management${path}`)).body.channel_calls).toEqual([]);
  });

  it('is listed with its methods, is paused and resumed once, and has to exist', async () => {
    const { post, operator } = await start(await openTestSqlite());
    const [listed] = (await operator.call('GET', '/management/channels')).body.data;
    expect(listed).toEqual({ name: 'bank', methods: expect.arrayContaining(['UPI_IN']) });
    const statuses = [];
    for (const path of ['bank/resume', 'bank/pause', 'bank/pause', 'bank/resume', 'other/pause'])
      statuses.push((await post(path)).status);
    expect(statuses).toEqual([409, 200, 409, 200, 404]);
  });
});

it('a pause of payouts holds new payouts of all channels back until an operator with the role approve resumes them', async () => {
  const { pay, payOut, read, calls, test, operator } = await start(await openTestSqlite());
  const approver = await addOperator(test, 'Lee', 'approve');
  expect((await approver.call('POST', '/management/payouts/resume')).status).toBe(409);
  const paused = await operator.call('POST', '/management/payouts/pause', { reason: 'Restored' });
  expect((await operator.call('POST', '/management/payouts/pause')).status).toBe(409);
  expect(paused.body.payouts_paused).toMatchObject({ by: { name: 'Dana' }, reason: 'Restored' });
  const [payment, payout] = [await pay(), await payOut()];
  expect(calls).toEqual(['initiate']);
  expect([(await read(payment)).status, (await read(payout)).status]).toEqual([
    'PAY_CONFIRMATION_NEEDED',
    'PROCESSING',
  ]);
  expect((await operator.call('GET', '/management/channels')).body).toEqual(paused.body);
  expect((await operator.call('POST', '/management/payouts/resume')).status).toBe(403);
  expect((await approver.call('POST', '/management/payouts/resume')).body).not.toHaveProperty('payouts_paused');
  test.clock.advance(30_000);
  await test.gateway.idle();
  expect((await read(payout)).status).toBe('SUCCESS');
});
