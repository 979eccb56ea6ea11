/** The log of requests has bounded memory, regardless of requests and of the database's speed. */
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { type HttpContext, RequestContext } from '../../../gateway/src/http/context.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { RequestLog } from '../../../gateway/src/sandbox/request-log/request-log.ts';
import type { SandboxState } from '../../../gateway/src/sandbox/sandbox-state.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';

const MIB = 2 ** 20;
/** Maximum sizes of the log, in total and per merchant, with some room for overhead. */
const TOTAL_MAX = 66 * MIB;
const MERCHANT_MAX = 9 * MIB;

/** Sends a body in chunks without a content-length. Resolves with the id of the request. */
async function sendChunked(test: TestGateway, body: string, headers: Record<string, string> = {}): Promise<string> {
  const { gateway } = test;
  if (!gateway.server.listening) await gateway.listen({ port: 0, host: '127.0.0.1' });
  const { port } = gateway.server.address() as AddressInfo;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const auth = { authorization: `Bearer ${test.key}`, 'content-type': 'application/json', ...headers };
  const sent = request({ port, method: 'POST', path: '/payments', headers: auth }, (response) => {
    response.resume().on('end', () => resolve(String(response.headers['x-request-id'])));
  });
  sent.on('error', reject);
  sent.write(body.slice(0, 1));
  sent.end(body.slice(1));
  return promise;
}

describe('the log of requests', () => {
  it('counts the bytes of a chunked body', async () => {
    const test = await startTestGateway({ sandbox: true });
    const id = await sendChunked(test, `[${'{},'.repeat(20_000)}{}]`);
    const { body } = await test.call('GET', `/management/requests/${id}`);
    expect(body.request_body).toMatch(/^\(60004 bytes; /);
    const small = await sendChunked(test, '{"amount":1}');
    expect((await test.call('GET', `/management/requests/${small}`)).body.request_body).toBe('{"amount":1}');
  });

  it('shows a deeply nested body, and keeps later requests', async () => {
    const test = await startTestGateway({ sandbox: true });
    const id = await sendChunked(test, '['.repeat(8_000) + ']'.repeat(8_000));
    const { status, body } = await test.call('GET', `/management/requests/${id}`);
    expect(status).toBe(200);
    expect(body.request_body).toMatch(/^\[+"…"\]+$/);
    await test.call('GET', '/merchant/balance');
    test.clock.advance(60_000);
    const count = async () =>
      Number((await test.gateway.store.read.get('select count(*) as n from sandbox_requests'))?.['n']);
    await expect.poll(count).toBe(2);
  });

  it('skips an unauthenticated request', async () => {
    const test = await startTestGateway({ sandbox: true });
    await sendChunked(test, '{"amount":1}', { authorization: 'Bearer sk_test_none' });
    expect((await test.call('GET', '/management/requests')).body.data).toEqual([]);
  });
});

/** A log whose database never responds, as under overload. */
function logBeforeStuckStore() {
  const clock = new ManualClock(START);
  const store = {
    read: { all: async () => [] },
    unit: () => Promise.withResolvers<never>().promise,
  } as unknown as Store;
  const sandboxState = { at: () => ({ now: START }), isFrozen: () => false } as unknown as SandboxState;
  const log = new RequestLog({
    store,
    clock,
    sandboxState,
    mask: (_operation, body) => body,
    onRequest: () => undefined,
  });
  let sent = 0;
  const record = (merchantId: number, { body = '', header = '' }) => {
    const id = `req_${String(++sent).padStart(26, '0')}`;
    const headers = { 'x-large': header, 'content-length': String(body.length) };
    const request = Object.assign(new RequestContext(id), {
      merchant: { id: merchantId } as Merchant,
      operation: 'createPayment',
      received: { text: body, bytes: body.length },
      sent: { headers: {}, text: '{}' },
    });
    const env = { target: '/payments', headers };
    const c = { req: { method: 'POST' }, res: { status: 400 }, env, get: () => request };
    log.record(c as unknown as HttpContext);
  };
  const kept = async (merchantId: number) => (await log.list(merchantId, {}, 10_000)).length;
  return { record, kept, clock };
}

describe('while the database is stuck, the log of requests', () => {
  const body = JSON.stringify('x'.repeat(16_000));
  const header = 'x'.repeat(15_000);

  it.each([
    ['bodies', { body }, body.length],
    ['headers', { header }, header.length],
  ])('is bounded for one merchant, by the %s', async (_of, sent, bytes) => {
    const { record, kept } = logBeforeStuckStore();
    for (let count = 0; count < 1_000; count++) record(1, sent);
    expect(await kept(1)).toBeGreaterThan(100);
    expect((await kept(1)) * bytes).toBeLessThan(MERCHANT_MAX);
  });

  it('is bounded in total, including batches being written', async () => {
    const { record, kept, clock } = logBeforeStuckStore();
    const merchants = Array.from({ length: 50 }, (_, index) => index + 1);
    for (let round = 0; round < 3; round++) {
      for (const merchant of merchants) for (let count = 0; count < 100; count++) record(merchant, { body });
      clock.advance(60_000);
      await new Promise(setImmediate);
    }
    let total = 0;
    for (const merchant of merchants) total += await kept(merchant);
    expect(total * body.length).toBeGreaterThan(16 * MIB);
    expect(total * body.length).toBeLessThan(TOTAL_MAX);
  });
});
