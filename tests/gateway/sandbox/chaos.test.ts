import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { openTestSqlite } from '../harness/stores.ts';

/** A client's view: a response with the received part of its body, or the code of its error. */
interface Seen {
  readonly status?: number | undefined;
  readonly headers?: IncomingMessage['headers'];
  readonly body?: string;
  readonly complete?: boolean;
  readonly error?: string | undefined;
}

type Send = (method: string, path: string, body?: object) => Promise<Seen>;

async function listening(store: Store): Promise<{ test: TestGateway; send: Send }> {
  const test = await startTestGateway({ store, sandbox: true, closeMsMax: 100 });
  await test.gateway.listen({ port: 0, host: '127.0.0.1' });
  const { port } = test.gateway.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${test.key}`, 'content-type': 'application/json' };
  return {
    test,
    async send(method, path, body) {
      const sent = request({ port, host: '127.0.0.1', method, path, headers });
      sent.end(body && JSON.stringify(body));
      try {
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', () => undefined);
        await new Promise((resolve) => response.on('close', resolve));
        const { statusCode, complete } = response;
        return { status: statusCode, headers: response.headers, body: Buffer.concat(chunks).toString(), complete };
      } catch (error) {
        return { error: (error as NodeJS.ErrnoException).code };
      }
    },
  };
}

async function add({ call }: Pick<TestGateway, 'call'>, rule: object) {
  const { status, body } = await call('POST', '/sandbox/chaos', rule);
  expect(status).toBe(201);
  return body;
}

async function payments({ call }: Pick<TestGateway, 'call'>): Promise<number> {
  return (await call('GET', '/management/payments')).body.data.length;
}

describe('chaos on a connection', () => {
  it.each([
    ['rate_limited', 429, 'rate-limited'],
    ['unavailable', 503, 'unavailable'],
  ])('%s responds with %i and Retry-After, without processing the request', async (fault, status, problem) => {
    const { test, send } = await listening(await openTestSqlite());
    await add(test, { fault, retry_after: 17, operation: 'createPayment' });
    const seen = await send('POST', '/payments', paymentRequest());
    expect(seen).toMatchObject({ status, headers: { 'retry-after': '17' } });
    expect(seen.headers?.['content-type']).toMatch('application/problem+json');
    expect(JSON.parse(seen.body ?? '')).toMatchObject({ type: expect.stringMatching(problem), status });
    if (status === 429) expect(seen.headers?.['ratelimit']).toBe('"key";r=0;t=17');
    if (status === 429) expect(seen.headers?.['ratelimit-policy']).toMatch(/^"key";q=\d+;w=1$/);
    expect(await payments(test)).toBe(0);
  });

  it('internal_error is a 500 with the id of the request', async () => {
    const { test, send } = await listening(await openTestSqlite());
    await add(test, { fault: 'internal_error' });
    const seen = await send('GET', '/merchant/balance');
    expect(seen.status).toBe(500);
    expect(JSON.parse(seen.body ?? '').request_id).toBe(seen.headers?.['x-request-id']);
  });

  it('slow responds after the latency', async () => {
    const { test, send } = await listening(await openTestSqlite());
    await add(test, { fault: 'slow', latency: '300ms' });
    const began = performance.now();
    expect((await send('GET', '/merchant/balance')).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(290);
  });

  it('dropped_before closes the connection without processing the request', async () => {
    const { test, send } = await listening(await openTestSqlite());
    await add(test, { fault: 'dropped_before' });
    expect(await send('POST', '/payments', paymentRequest())).toEqual({ error: 'ECONNRESET' });
    expect(await payments(test)).toBe(0);
  });

  it('dropped_after closes the connection after processing the request, and a retry finds the result', async () => {
    const { test, send } = await listening(await openTestSqlite());
    await add(test, { fault: 'dropped_after', requests: 1 });
    const body = paymentRequest();
    expect(await send('POST', '/payments', body)).toEqual({ error: 'ECONNRESET' });
    expect(await payments(test)).toBe(1);
    expect((await send('POST', '/payments', body)).status).toBe(200);
    expect(await payments(test)).toBe(1);
  });

  it('truncated announces the whole body, and sends half of it', async () => {
    const { test, send } = await listening(await openTestSqlite());
    const whole = await send('GET', '/merchant/balance');
    await add(test, { fault: 'truncated' });
    const seen = await send('GET', '/merchant/balance');
    expect(seen).toMatchObject({ status: 200, complete: false });
    expect(seen.headers?.['content-length']).toBe(String(whole.body?.length));
    expect(seen.body).toBe(whole.body?.slice(0, Math.floor((whole.body?.length ?? 0) / 2)));
  });
});

describe('a chaos rule', () => {
  it('affects the same consecutive requests in each run with a seed', async () => {
    const run = async () => {
      const test = await startTestGateway({ sandbox: true });
      await add(test, { fault: 'unavailable', rate: 0.5, seed: 7 });
      const statuses: number[] = [];
      for (let count = 0; count < 40; count++) statuses.push((await test.call('GET', '/merchant/balance')).status);
      return statuses;
    };
    const first = await run();
    expect(await run()).toEqual(first);
    const affected = first.filter((status) => status === 503).length;
    expect(affected).toBeGreaterThan(10);
    expect(affected).toBeLessThan(30);
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

  it.each([
    [{ fault: 'slow', operation: 'makePayment' }, ['/operation']],
    [{ fault: 'slow', latency: '61s' }, ['/latency']],
    [{ fault: 'unavailable', latency: '1s' }, ['/latency']],
    [{ fault: 'slow', retry_after: 1, for: '25h' }, ['/retry_after', '/for']],
    [{ fault: 'slow', rate: 0 }, ['/rate']],
  ])('is refused as %j', async (rule, pointers) => {
    const test = await startTestGateway({ sandbox: true });
    const { status, body } = await test.call('POST', '/sandbox/chaos', rule);
    expect(status).toBe(400);
    expect(body.violations.map((one: { pointer: string }) => one.pointer)).toEqual(pointers);
  });

  it('is refused above 50', async () => {
    const test = await startTestGateway({ sandbox: true });
    for (let count = 0; count < 50; count++) await add(test, { fault: 'slow' });
    expect((await test.call('POST', '/sandbox/chaos', { fault: 'slow' })).status).toBe(409);
  });
});
