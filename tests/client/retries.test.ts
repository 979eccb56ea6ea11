import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CallError, createPaymentsClient, type PaymentsClient } from '../../client/src/index.ts';
import { operations, readBundle } from '../../contract/src/model.ts';
import { requestExamples, responseExamples } from '../../generated/examples.ts';
import { cutOff, disconnected, hanging, json, problem, type Reply, type Service, serve, stalled } from './service.ts';

const REPEATED = ['findPayment', 'createPayment', 'getPayment', 'getBalance', 'createPayout', 'getPayout'];
const SENT_ONCE = ['clarifyPayment', 'confirmPayment'];
const OPERATIONS = operations(readBundle()).map(({ id, method, path }) => ({ id, method, path }));

const failures = (statuses: number[]) => statuses.map((status): [string, Reply] => [`${status}`, problem(status)]);

const PASSING: [string, Reply][] = [
  ...failures([408, 425, 429, 500, 501, 502, 503, 504]),
  ['a lost connection', disconnected],
  ['a body that breaks off', cutOff],
  ['no response in time', hanging],
  ['a body that stalls', stalled],
];
const LASTING: [string, Reply][] = [
  ...failures([307, 400, 401, 404, 409, 413, 415]),
  ['a success without JSON', () => new Response('<html>')],
];

const CONFIRMATION = { params: { path: { transaction_id: 'pay_1' } }, body: { confirm_data: { tid: '1' } } };

type Call = (path: string, options: object) => Promise<{ error?: unknown }>;

/** Calls an operation with the document's first example. */
async function callOperation({ client, time }: Service, { id, method, path }: (typeof OPERATIONS)[number]) {
  const [example] = Object.values(requestExamples[id as keyof typeof requestExamples]);
  const { path: inPath = {}, query = {}, body } = example as { path?: object; query?: object; body?: object };
  const call = client[method.toUpperCase() as 'GET'] as unknown as Call;
  const called = call(path, { params: { path: inPath, query }, ...(body && { body }) });
  return time.pass(called.catch((error: unknown) => ({ error })));
}

describe('retries', () => {
  it('cover every operation of the contract', () => {
    expect(OPERATIONS.map(({ id }) => id).sort()).toEqual([...REPEATED, ...SENT_ONCE].sort());
  });

  describe.each(OPERATIONS)('of $id', (operation) => {
    const attempts = REPEATED.includes(operation.id) ? 3 : 1;

    it.each([
      ...PASSING.map(([name, reply]) => [attempts, name, reply] as const),
      ...LASTING.map(([name, reply]) => [1, name, reply] as const),
    ])('makes %d attempts after %s', async (expected, _name, reply) => {
      const service = serve([reply], { timeoutMs: 10_000 });
      const { error } = await callOperation(service, operation);
      expect([service.requests.length, service.time.pending]).toEqual([expected, 0]);
      expect(error).toBeDefined();
    });
  });

  it('send the same creation again and resolve with its success', async () => {
    const body = requestExamples.createPayment['h2h-upi'].body;
    const answer = responseExamples.createPayment[200]['h2h-upi'];
    const { client, time, requests } = serve([disconnected, problem(503), json(answer)]);
    const { data } = await time.pass(client.POST('/payments', { body }));
    expect(data).toEqual(answer);
    expect(await Promise.all(requests.map((request) => request.json()))).toEqual([body, body, body]);
  });

  it('can be switched off for creations only', async () => {
    const service = serve([problem(503)], { retry: { creations: false } });
    const counts: number[] = [];
    for (const id of ['createPayment', 'createPayout', 'findPayment']) {
      const operation = OPERATIONS.find((one) => one.id === id);
      if (operation) await callOperation(service, operation);
      counts.push(service.requests.length);
    }
    expect(counts).toEqual([1, 2, 5]);
  });

  it.each([
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['totalMs', { retry: { totalMs: Number.NaN } }],
    ['attempts', { retry: { attempts: Number.NaN } }],
  ])('reject NaN for %s', (name, options) => {
    const create = () => createPaymentsClient({ baseUrl: 'http://service.test', apiKey: 'k', ...options });
    expect(create).toThrow(new TypeError(`${name} is NaN`));
  });
});

describe('a pause', () => {
  it('doubles up to the maximum', async () => {
    const { client, time, pauses } = serve([disconnected], { retry: { attempts: 7, pauseMs: 100, pauseMsMax: 1_000 } });
    await expect(time.pass(client.GET('/merchant/balance'))).rejects.toThrow(CallError);
    expect(pauses()).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('has a random jitter of up to a half', async () => {
    const { client, time, pauses } = serve([disconnected], { retry: { random: () => 0 } });
    await time.pass(client.GET('/merchant/balance').catch(() => {}));
    expect(pauses()).toEqual([250, 500]);
  });

  it.each<[string, value: string | number, expected: number, serviceIsAheadMs?: number]>([
    ['seconds', '7', 7_000],
    ['a date', 9_000, 9_000],
    ['a date that is over', -9_000, 500],
    ['no seconds', '0', 500],
    ['something else', 'soon', 500],
    ['a date by the clock of the service', 609_000, 9_000, 600_000],
    ['a date by a service whose clock is slow', -591_000, 9_000, -600_000],
  ])('respects Retry-After with %s', async (_name, value, expected, aheadMs) => {
    const toDate = (ms: number) => new Date(serve([]).time.now() + ms).toUTCString();
    const headers = {
      'retry-after': typeof value === 'number' ? toDate(value) : value,
      ...(aheadMs !== undefined && { date: toDate(aheadMs) }),
    };
    const { client, time, pauses } = serve([problem(429, headers), json({})]);
    await time.pass(client.GET('/merchant/balance'));
    expect(pauses()).toEqual([expected]);
  });

  it.each([
    ['no time', '61', {}, 1],
    ['a tenth of the total time', '54', {}, 2],
    ['less than a tenth', '55', {}, 1],
    ['the time of an attempt, if that is less', '58', { timeoutMs: 2_000 }, 2],
    ['less than the time of an attempt', '59', { timeoutMs: 2_000 }, 1],
  ])('leaves %s for the next attempt', async (_name, seconds, options, attempts) => {
    const { client, time, requests } = serve([problem(429, { 'retry-after': seconds })], {
      retry: { attempts: 2 },
      ...options,
    });
    const began = time.now();
    const { error } = await time.pass(client.GET('/merchant/balance'));
    expect([error?.status, requests.length]).toEqual([429, attempts]);
    expect(time.now() - began).toBe(attempts === 1 ? 0 : Number(seconds) * 1_000);
  });
});

describe('the time limit', () => {
  it('is 30 s for an attempt and 60 s for all attempts', async () => {
    const { client, time, events } = serve([hanging]);
    const began = time.now();
    await expect(time.pass(client.GET('/merchant/balance'))).rejects.toMatchObject({ code: 'TIMEOUT', attempts: 2 });
    expect(events.flatMap((event) => (event.type === 'failure' ? [event.ms] : []))).toEqual([30_000, 29_500]);
    expect(time.now() - began).toBe(60_000);
  });

  it.each<[string, number, (client: PaymentsClient) => Promise<unknown>]>([
    ['retries are switched off', 1, (client) => client.GET('/merchant/balance')],
    ['an operation is sent once', 3, (client) => client.POST('/payments/{transaction_id}/confirm', CONFIRMATION)],
  ])('of an attempt applies if %s', async (_name, attempts, call) => {
    const { client, time } = serve([hanging], { timeoutMs: 90_000, retry: { attempts } });
    const began = time.now();
    await expect(time.pass(call(client))).rejects.toMatchObject({ code: 'TIMEOUT', attempts: 1 });
    expect(time.now() - began).toBe(90_000);
  });
});

describe('an abort', () => {
  it.each([
    ['before the call', 0, json({}), []],
    ['while the response is awaited', 5, hanging, ['request', 'aborted']],
    ['while the body is read', 5, stalled, ['request', 'aborted']],
    ['in the pause before a retry', 5, problem(503), ['request', 'response', 'retry']],
  ])('%s rejects with its reason and is not retried', async (_name, afterMs, reply, told) => {
    const controller = new AbortController();
    const reason = new Error('the customer has left');
    const { client, time, requests, events } = serve([reply]);
    if (afterMs === 0) controller.abort(reason);
    else time.after(afterMs, () => controller.abort(reason));
    const call = client.GET('/merchant/balance', { signal: controller.signal });
    await expect(time.pass(call)).rejects.toBe(reason);
    expect(requests.length).toBe(afterMs === 0 ? 0 : 1);
    expect(events.map(({ type }) => type)).toEqual(told);
    expect(time.pending).toBe(0);
  });

  it('prevents the request while auth is pending', async () => {
    const controller = new AbortController();
    const auth = Promise.withResolvers<object>();
    const { client, time, requests } = serve([json({})], { auth: async () => ({ ...(await auth.promise) }) });
    time.after(20, () => controller.abort(new Error('too late')));
    const call = client.GET('/merchant/balance', { signal: controller.signal });
    await expect(time.pass(call)).rejects.toThrow('too late');
    auth.resolve({});
    await time.pass(new Promise((resolve) => void time.after(100, () => resolve(undefined))));
    expect(requests).toEqual([]);
  });

  it('ends all calls of a signal, with one listener', async () => {
    const { client, time } = serve([hanging]);
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 20 }, () => client.GET('/merchant/balance', { signal }).catch(String));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    controller.abort('the shop closes');
    expect(new Set(await time.pass(Promise.all(calls)))).toEqual(new Set(['the shop closes']));
    expect([getEventListeners(signal, 'abort').length, time.pending]).toEqual([0, 0]);
  });
});
