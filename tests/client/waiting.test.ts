import { describe, expect, it } from 'vitest';
import { waitForPayment, waitForPayout } from '../../client/src/index.ts';
import { responseExamples } from '../../generated/examples.ts';
import { disconnected, hanging, json, problem, type Reply, serve } from './service.ts';

const payment = responseExamples.getPayment[200];
const payout = responseExamples.getPayout[200];
const CREATED = json(payment.created);
const VERIFYING = json(payment.verifying);

function start(replies: Reply[]) {
  const service = serve(replies, { retry: { attempts: 1 } });
  return { ...service, began: service.time.now(), options: { clock: service.time } };
}

describe('waiting for a payment', () => {
  it.each([
    ['final', payment.succeeded],
    ['final', payment.declined],
    ['action_needed', payment['extra-data-needed']],
    ['action_needed', payment['confirmation-needed']],
  ])('ends with %s when it is $status', async (outcome, data) => {
    const { client, time, options } = start([CREATED, VERIFYING, json(data)]);
    const waited = await time.pass(waitForPayment(client, 'pay_1', options));
    expect(waited).toEqual({ outcome, data });
  });

  it('reads at once and then with growing pauses up to the longest', async () => {
    const { client, time, began } = start([VERIFYING]);
    const readAt: number[] = [];
    client.use({ onRequest: () => void readAt.push(time.now() - began) });
    await time.pass(waitForPayment(client, 'pay_1', { clock: time, pauseMsMax: 3_000, deadlineMs: 14_000 }));
    expect(readAt).toEqual([0, 1_000, 2_500, 4_750, 7_750, 10_750, 13_750]);
  });

  it('ends at the deadline with what was read last', async () => {
    const { client, time, began, options } = start([VERIFYING]);
    const waited = await time.pass(waitForPayment(client, 'pay_1', { ...options, deadlineMs: 10_000 }));
    expect(waited).toEqual({ outcome: 'deadline', data: payment.verifying });
    expect([time.now() - began, time.pending]).toEqual([10_000, 0]);
  });

  it('ends at the deadline with what was read before the connection was lost', async () => {
    const { client, time, options } = start([VERIFYING, disconnected]);
    const waited = await time.pass(waitForPayment(client, 'pay_1', { ...options, deadlineMs: 10_000 }));
    expect(waited).toEqual({ outcome: 'deadline', data: payment.verifying });
  });

  it('ends at the deadline also within a reading', async () => {
    const { client, time, began, options } = start([hanging]);
    const waited = await time.pass(waitForPayment(client, 'pay_1', { ...options, deadlineMs: 10_000 }));
    expect(waited).toEqual({ outcome: 'deadline', data: undefined });
    expect(time.now() - began).toBe(10_000);
  });

  it.each([
    ['a lost connection', disconnected],
    ['429', problem(429)],
    ['503', problem(503)],
  ])('goes on after %s', async (_name, reply) => {
    const { client, time, options } = start([reply, VERIFYING, reply, json(payment.succeeded)]);
    const waited = await time.pass(waitForPayment(client, 'pay_1', options));
    expect(waited).toEqual({ outcome: 'final', data: payment.succeeded });
  });

  it.each([401, 404, 500])('ends with the problem after %d', async (status) => {
    const { client, time, options, requests } = start([VERIFYING, problem(status)]);
    const waited = await time.pass(waitForPayment(client, 'pay_1', options));
    expect(waited).toMatchObject({ outcome: 'problem', error: { status } });
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['a pause', VERIFYING],
    ['a reading', hanging],
  ])('rejects with the reason when it is aborted during %s', async (_name, reply) => {
    const controller = new AbortController();
    const { client, time, began, options } = start([reply]);
    time.after(300, () => controller.abort(new Error('shutting down')));
    const waiting = waitForPayment(client, 'pay_1', { ...options, signal: controller.signal });
    await expect(time.pass(waiting)).rejects.toThrow('shutting down');
    expect([time.now() - began, time.pending]).toEqual([300, 0]);
  });
});

describe('waiting for a payout', () => {
  it.each([payout.succeeded, payout.declined])('ends when it is $status', async (data) => {
    const { client, time, options, requests } = start([json(payout.processing), json(data)]);
    const waited = await time.pass(waitForPayout(client, 'out_1', options));
    expect(waited).toEqual({ outcome: 'final', data });
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/payouts/out_1', '/payouts/out_1']);
  });
});
