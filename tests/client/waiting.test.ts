import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../client/src/clock.ts';
import { type PaymentsClientOptions, waitForPayment, waitForPayout } from '../../client/src/index.ts';
import { responseExamples } from '../../generated/examples.ts';
import { disconnected, hanging, json, problem, type Reply, serve } from './service.ts';

const payment = responseExamples.getPayment[200];
const payout = responseExamples.getPayout[200];
const CREATED = json(payment.created);
const VERIFYING = json(payment.verifying);

function start(replies: Reply[], options: Partial<PaymentsClientOptions> = {}) {
  const readAt: number[] = [];
  const onEvent: PaymentsClientOptions['onEvent'] = ({ type }) => type === 'request' && readAt.push(time.now() - began);
  const service = serve(replies, { retry: { attempts: 1 }, onEvent, ...options });
  const { time } = service;
  const began = time.now();
  return { ...service, began, readAt, options: { clock: time } };
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

  it('reads immediately, then with increasing delays up to the maximum', async () => {
    const { client, time, readAt, options } = start([VERIFYING]);
    await time.pass(waitForPayment(client, 'pay_1', { ...options, pauseMsMax: 3_000, deadlineMs: 14_000 }));
    expect(readAt).toEqual([0, 1_000, 2_500, 4_750, 7_750, 10_750, 13_750]);
  });

  it.each([
    ['no error of an earlier read', [disconnected, VERIFYING], { data: payment.verifying, error: undefined }],
    ['a lost connection', [VERIFYING, disconnected], { error: { code: 'NETWORK' } }],
    ['a response that is not JSON', [() => new Response('<html>')], { error: { code: 'INVALID_RESPONSE' } }],
    ['503', [VERIFYING, problem(503)], { error: { status: 503 } }],
    ['no error of an unfinished read', [hanging], { data: undefined, error: undefined }],
  ])('returns the result of the last read at the deadline: %s', async (_name, replies, result) => {
    const { client, time, began, options } = start(replies);
    const waited = await time.pass(waitForPayment(client, 'pay_1', { ...options, deadlineMs: 10_000 }));
    expect(waited).toMatchObject({ outcome: 'deadline', ...result });
    expect([time.now() - began, time.pending]).toEqual([10_000, 0]);
  });

  it('makes no further request at a deadline within a pause before a repetition', async () => {
    const replies = [problem(503, { 'retry-after': '30' })];
    const { client, time, options, requests, readAt } = start(replies, { retry: { attempts: 3 } });
    await time.pass(waitForPayment(client, 'pay_1', { ...options, deadlineMs: 10_000 }));
    expect([readAt.length, time.pending]).toEqual([requests.length, 0]);
  });

  it.each([
    ['auth throws', { auth: () => Promise.reject(new Error('no token')) }, 'pay_1', 'no token'],
    ['the id is empty', {}, '', 'is not an identifier'],
  ])('rejects immediately when %s', async (_name, settings, id, message) => {
    const { client, time, began, options } = start([VERIFYING], settings);
    await expect(time.pass(waitForPayment(client, id, options))).rejects.toThrow(message);
    expect([time.now() - began, time.pending]).toEqual([0, 0]);
  });

  it('respects Retry-After', async () => {
    const { client, time, readAt, options } = start([problem(429, { 'retry-after': '120' }), VERIFYING]);
    await time.pass(waitForPayment(client, 'pay_1', { ...options, deadlineMs: 121_000 }));
    expect(readAt).toEqual([0, 120_000]);
  });

  it('uses the defaults for undefined options, and refuses NaN', async () => {
    const { client, time, began, options } = start([VERIFYING]);
    const none = { deadlineMs: undefined, pauseMs: undefined, pauseMsMax: undefined, signal: undefined };
    await time.pass(waitForPayment(client, 'pay_1', { ...options, ...none }));
    expect(time.now() - began).toBe(900_000);
    const refused = waitForPayment(client, 'pay_1', { ...options, deadlineMs: Number.NaN });
    await expect(time.pass(refused)).rejects.toThrow(new TypeError('deadlineMs is NaN'));
  });

  it.each([
    ['a lost connection', disconnected],
    ['429', problem(429)],
    ['503', problem(503)],
  ])('continues after %s', async (_name, reply) => {
    const { client, time, options } = start([reply, VERIFYING, reply, json(payment.succeeded)]);
    const waited = await time.pass(waitForPayment(client, 'pay_1', options));
    expect(waited).toEqual({ outcome: 'final', data: payment.succeeded });
  });

  it.each([401, 404])('ends with the problem after %d', async (status) => {
    const { client, time, options, requests } = start([VERIFYING, problem(status)]);
    const waited = await time.pass(waitForPayment(client, 'pay_1', options));
    expect(waited).toMatchObject({ outcome: 'problem', error: { status } });
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['a pause', VERIFYING],
    ['a read', hanging],
  ])('rejects with the reason when aborted during %s', async (_name, reply) => {
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

const CLOCK = fileURLToPath(new URL('../../client/src/clock.ts', import.meta.url));

describe("the machine's clock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('runs callbacks once, after their time, unless cancelled', () => {
    const ran: string[] = [];
    const [, cancel] = ['a', 'b', 'c'].map((name) => systemClock.after(1_000, () => ran.push(name)));
    cancel?.();
    cancel?.();
    systemClock.after(1_000, () => ran.push('d'));
    vi.advanceTimersByTime(999);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(ran).toEqual(['a', 'c', 'd']);
  });

  it('keeps no timers of cancelled callbacks', () => {
    for (let call = 0; call < 5; call++) systemClock.after(1_000, () => {})();
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });

  it('clears a timer immediately if it would keep the program alive', () => {
    const cleared: unknown[] = [];
    vi.stubGlobal('setTimeout', () => 7);
    vi.stubGlobal('clearTimeout', (timer: unknown) => cleared.push(timer));
    systemClock.after(1_000, () => {})();
    expect(cleared).toContain(7);
  });

  it('lets a process exit while only its timers are pending', async () => {
    vi.useRealTimers();
    const program = `const { systemClock } = await import(${JSON.stringify(CLOCK)}); systemClock.after(600_000, () => {})();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { timeout: 60_000 });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
