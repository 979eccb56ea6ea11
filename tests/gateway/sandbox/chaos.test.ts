import { describe, expect, it } from 'vitest';
import { paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';

/** A gateway that listens, and a function that sends a request over a connection. */
async function listen() {
  const test = await startTestGateway({ sandbox: true, closeMsMax: 100 });
  const url = await test.gateway.listen({ port: 0, host: '127.0.0.1' });
  const headers = { authorization: `Bearer ${test.key}`, 'content-type': 'application/json' };
  const send = (path: string, body?: object) =>
    fetch(url + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  return { test, send };
}

async function add({ call }: Pick<TestGateway, 'call'>, rule: object) {
  const { status, body } = await call('POST', '/sandbox/chaos', rule);
  expect(status).toBe(201);
  return body;
}

async function countPayments({ call }: Pick<TestGateway, 'call'>): Promise<number> {
  return (await call('GET', '/management/payments')).body.data.length;
}

describe('chaos on a connection', () => {
  it.each([
    ['rate_limited', 429, 'rate-limited', '"key";r=0;t=17'],
    ['unavailable', 503, 'unavailable', null],
  ])('%s responds with %i and Retry-After, without processing the request', async (fault, status, problem, limit) => {
    const { test, send } = await listen();
    await add(test, { fault, retry_after: 17, operation: 'createPayment' });
    const response = await send('/payments', paymentRequest());
    const names = ['retry-after', 'content-type', 'ratelimit'];
    const type = expect.stringContaining('application/problem+json');
    expect(names.map((name) => response.headers.get(name))).toEqual(['17', type, limit]);
    expect(response.headers.has('ratelimit-policy')).toBe(limit !== null);
    expect(await response.json()).toMatchObject({ type: expect.stringMatching(problem), status });
    expect(await countPayments(test)).toBe(0);
  });

  it('slow responds after the latency', async () => {
    const { test, send } = await listen();
    await add(test, { fault: 'slow', latency: '300ms' });
    const began = performance.now();
    expect((await send('/merchant/balance')).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(290);
  });

  it('dropped_before and dropped_after close the connection before and after the request is processed', async () => {
    const { test, send } = await listen();
    const body = paymentRequest();
    for (const [fault, payments] of [
      ['dropped_before', 0],
      ['dropped_after', 1],
    ] as const) {
      await add(test, { fault, requests: 1 });
      await expect(send('/payments', body)).rejects.toThrow('fetch failed');
      expect(await countPayments(test), fault).toBe(payments);
    }
    expect((await send('/payments', body)).status).toBe(200);
    expect(await countPayments(test)).toBe(1);
  });

  it('truncated announces the whole body, and sends half of it', async () => {
    const { test, send } = await listen();
    const whole = await (await send('/merchant/balance')).text();
    await add(test, { fault: 'truncated' });
    const { status, headers, body } = await send('/merchant/balance');
    expect([status, headers.get('content-length')]).toEqual([200, String(whole.length)]);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe(whole.slice(0, Math.floor(whole.length / 2)));
    await expect(reader?.read()).rejects.toThrow('terminated');
  });
});

describe('a chaos rule', () => {
  it('affects the same consecutive requests in each run with a seed', async () => {
    const run = async () => {
      const test = await startTestGateway({ sandbox: true });
      await add(test, { fault: 'unavailable', rate: 0.5, seed: 7 });
      const statuses: number[] = [];
      for (let count = 0; count < 20; count++) statuses.push((await test.call('GET', '/merchant/balance')).status);
      return statuses;
    };
    const first = await run();
    expect(await run()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 503]));
  });

  it('ends after a number of requests, even concurrent ones', async () => {
    const test = await startTestGateway({ sandbox: true });
    await add(test, { fault: 'unavailable', requests: 3 });
    const requests = Array.from({ length: 8 }, () => test.call('GET', '/merchant/balance'));
    const statuses = (await Promise.all(requests)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 200, 503, 503, 503]);
    expect((await test.call('GET', '/sandbox/chaos')).body).toEqual({ data: [] });
  });

  it("ends at its time by the merchant's clock, an hour by default", async () => {
    const test = await startTestGateway({ sandbox: true });
    const [hour, day, minute] = [
      await add(test, { fault: 'slow', latency: '1ms' }),
      await add(test, { fault: 'slow', latency: '1ms', requests: 5 }),
      await add(test, { fault: 'unavailable', for: '1m' }),
    ].map(({ ends_at }) => (Date.parse(ends_at) - test.clock.now()) / 60_000);
    expect([hour, day, minute]).toEqual([60, 24 * 60, 1]);
    expect((await test.call('GET', '/merchant/balance')).status).toBe(503);
    await test.call('POST', '/sandbox/clock/advance', { by: '1m' });
    expect((await test.call('GET', '/merchant/balance')).status).toBe(200);
    await test.call('POST', '/sandbox/clock/advance', { by: '1h' });
    expect((await test.call('GET', '/sandbox/chaos')).body.data).toHaveLength(1);
  });

  it('affects only its operation and its merchant, and never the sandbox', async () => {
    const test = await startTestGateway({ sandbox: true });
    const other = await test.addMerchant('Other');
    await add(test, { fault: 'unavailable', operation: 'createPayment' });
    expect((await test.call('POST', '/payments', paymentRequest())).status).toBe(503);
    expect((await test.call('GET', '/merchant/balance')).status).toBe(200);
    expect((await other.call('POST', '/payments', paymentRequest())).status).toBe(200);
    expect((await other.call('GET', '/sandbox/chaos')).body).toEqual({ data: [] });
    await add(test, { fault: 'internal_error' });
    const { headers, body } = await test.call('GET', '/merchant/balance');
    expect(body).toMatchObject({ status: 500, request_id: headers['x-request-id'] });
    expect((await test.call('GET', '/sandbox/clock')).status).toBe(200);
  });

  it('ends when it is removed', async () => {
    const test = await startTestGateway({ sandbox: true });
    const { id } = await add(test, { fault: 'unavailable' });
    expect((await test.call('DELETE', `/sandbox/chaos/${id}`)).status).toBe(204);
    expect((await test.call('DELETE', `/sandbox/chaos/${id}`)).status).toBe(404);
    await add(test, { fault: 'unavailable' });
    expect((await test.call('DELETE', '/sandbox/chaos')).status).toBe(204);
    expect((await test.call('GET', '/merchant/balance')).status).toBe(200);
  });

  it('is refused with an unsuitable member, and above 50', async () => {
    const { call } = await startTestGateway({ sandbox: true });
    for (const [rule, pointers] of [
      [{ fault: 'slow', operation: 'makePayment' }, ['/operation']],
      [{ fault: 'slow', retry_after: 1, for: '25h' }, ['/retry_after', '/for']],
    ] as const) {
      const { status, body } = await call('POST', '/sandbox/chaos', rule);
      expect(status).toBe(400);
      expect(body.violations.map((one: { pointer: string }) => one.pointer)).toEqual(pointers);
    }
    for (let count = 0; count < 50; count++) await add({ call }, { fault: 'slow' });
    expect((await call('POST', '/sandbox/chaos', { fault: 'slow' })).status).toBe(409);
  });
});
