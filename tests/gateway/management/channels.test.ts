/** Paused channels: they get no new transactions and continue with their existing ones. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { openTestSqlite } from '../harness/stores.ts';
import { CONFIRMATION_NEEDED, startOperated } from './operator.ts';

async function start() {
  const calls: string[] = [];
  const channel: Channel = {
    ...BANK,
    initiate: async () => {
      calls.push('initiate');
      return CONFIRMATION_NEEDED;
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
  const operated = await startOperated(await openTestSqlite(), { channels: [channel] });
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
    async wait(ms = 0) {
      test.clock.advance(ms);
      await test.gateway.idle();
    },
    read: async (path: string) => (await test.call('GET', path)).body,
    post: (path: string, body?: object) => operator.call('POST', `/management/channels/${path}`, body),
  };
}

describe('a paused channel', () => {
  it('gets no new payments, which are declined, and no new payouts, which wait until it is resumed', async () => {
    const { pay, payOut, wait, read, post, calls, test, operator } = await start();
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
    await wait();
    expect((await read(before)).status).toBe('SUCCESS');
    await wait(30_000);
    expect((await read(payout)).status).toBe('PROCESSING');
    expect((await post('bank/resume')).body).not.toHaveProperty('paused');
    await wait(30_000);
    expect((await read(payout)).status).toBe('SUCCESS');
    expect((await read(await pay())).status).toBe('PAY_CONFIRMATION_NEEDED');
    const changes = (await operator.call('GET', '/management/changes')).body.data;
    expect(changes.map(({ action, subject }: { action: string; subject: string }) => [action, subject])).toEqual([
      ['resumeChannel', 'bank'],
      ['pauseChannel', 'bank'],
    ]);
  });

  it('gets no payment that was waiting for data before its first call', async () => {
    const { test, operator, post, calls, read } = await start();
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
    const { post, operator } = await start();
    const [listed] = (await operator.call('GET', '/management/channels')).body.data;
    expect(listed).toEqual({ name: 'bank', methods: expect.arrayContaining(['UPI_IN']) });
    for (const [path, status] of [
      ['bank/resume', 409],
      ['bank/pause', 200],
      ['bank/pause', 409],
      ['other/pause', 404],
    ] as const)
      expect((await post(path)).status, path).toBe(status);
  });
});

it('a pause of payouts holds new payouts of all channels back until an operator with the role approve resumes them', async () => {
  const { pay, payOut, wait, read, calls, test, operator } = await start();
  const approver = await addOperator(test, 'Lee', 'approve');
  expect((await approver.call('POST', '/management/payouts/resume')).status).toBe(409);
  const paused = await operator.call('POST', '/management/payouts/pause', { reason: 'Restored' });
  expect((await operator.call('POST', '/management/payouts/pause')).status).toBe(409);
  expect(paused.body.payouts_paused).toMatchObject({ by: { name: 'Dana' }, reason: 'Restored' });
  const [payment, payout] = [await pay(), await payOut()];
  expect(calls).toEqual(['initiate']);
  expect((await read(payment)).status).toBe('PAY_CONFIRMATION_NEEDED');
  expect((await read(payout)).status).toBe('PROCESSING');
  expect((await operator.call('GET', '/management/channels')).body).toEqual(paused.body);
  expect((await operator.call('POST', '/management/payouts/resume')).status).toBe(403);
  expect((await approver.call('POST', '/management/payouts/resume')).body).not.toHaveProperty('payouts_paused');
  await wait(30_000);
  expect((await read(payout)).status).toBe('SUCCESS');
});
