/** The log of requests, and its limits. */
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { type HttpContext, RequestContext } from '../../../gateway/src/http/context.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { REQUESTS_KEPT, RequestLog } from '../../../gateway/src/sandbox/request-log/request-log.ts';
import type { SandboxState } from '../../../gateway/src/sandbox/sandbox-state.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway, type TestMerchant } from '../harness/gateway.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';

/** Longer than requests wait to be written. */
const WRITTEN_AFTER_MS = 60_000;

async function list({ call }: Pick<TestMerchant, 'call'>, query = '') {
  const { status, body } = await call('GET', `/management/requests${query}`);
  expect(status).toBe(200);
  return body;
}

async function written({ gateway: { store } }: TestGateway): Promise<number> {
  const row = await store.read.get('select count(*) as count from sandbox_requests');
  return Number(row?.['count']);
}

/** Waits until this many requests are in the database. */
async function untilWritten(test: TestGateway, count: number): Promise<void> {
  test.clock.advance(WRITTEN_AFTER_MS);
  await expect.poll(() => written(test)).toBe(count);
}

describeOnEachStore('the log of requests', (open) => {
  it('shows a request with its response', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const request = paymentRequest();
    const created = await test.call('POST', '/payments', request);
    const [summary] = (await list(test)).data;
    expect(summary).toMatchObject({
      id: created.headers['x-request-id'],
      method: 'POST',
      path: '/payments',
      operation: 'createPayment',
      status: 200,
      transaction_id: created.body.transaction_id,
    });
    const { body } = await test.call('GET', `/management/requests/${summary.id}`);
    expect(JSON.parse(body.request_body)).toMatchObject({ merchant_order_id: request.merchant_order_id });
    expect(JSON.parse(body.response_body)).toEqual(created.body);
    expect(body.response_headers).toMatchObject({ 'x-request-id': summary.id });
  });

  it('filters requests by transaction and by failure, across pages', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const step = async (path: string, body?: unknown) => {
      test.clock.advance(1_000);
      return test.call(body ? 'POST' : 'GET', path, body);
    };
    const { transaction_id: id } = (await step('/payments', paymentRequest())).body;
    await step('/payments/pay_none');
    await step(`/payments/${id}`);
    await step('/payments', { amount: 0 });
    const paths = (page: { data: { path: string }[] }) => page.data.map(({ path }) => path);
    expect(paths(await list(test, `?transaction_id=${id}`))).toEqual([`/payments/${id}`, '/payments']);
    const failed = await list(test, '?failed=true');
    expect(paths(failed)).toEqual(['/payments', '/payments/pay_none']);
    expect(failed.data[1].problem).toBe('No payment of this merchant has this id.');
    const first = await list(test, '?limit=3');
    expect(paths(first)).toEqual(['/payments', `/payments/${id}`, '/payments/pay_none']);
    const { data, next_cursor } = await list(test, `?limit=3&cursor=${first.next_cursor}`);
    expect([paths({ data }), next_cursor]).toEqual([['/payments'], undefined]);
  });

  it("shows the merchant's own changes of the sandbox, but not its reads", async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const other = await test.addMerchant('Other');
    await test.call('POST', '/sandbox/wallets/INR/fund', { amount: 1 });
    await test.call('GET', `/management/merchants/${test.merchant.id}/overview`);
    const { data } = await list(test);
    expect(data).toMatchObject([{ operation: 'fundWallet' }]);
    expect((await list(other)).data).toEqual([]);
    expect((await other.call('GET', `/management/requests/${data[0].id}`)).status).toBe(404);
    await untilWritten(test, 1);
    expect((await other.call('GET', `/management/requests/${data[0].id}`)).status).toBe(404);
  });

  it('keeps only the newest', async () => {
    const store = await open();
    const test = await startTestGateway({ store, sandbox: true });
    await test.call('GET', '/merchant/balance');
    await untilWritten(test, 1);
    await store.unit((db) =>
      db.run(
        `insert into sandbox_requests (merchant_id, id, status, transaction_id, summary, detail)
         with recursive n (i) as (select 100001 union all select i + 1 from n where i < ${100_000 + REQUESTS_KEPT})
         select merchant_id, 'req_00000000000000000000' || i, status, transaction_id, summary, detail
         from sandbox_requests, n`,
      ),
    );
    for (let sent = 0; sent < 5; sent++) await test.call('GET', '/merchant/balance');
    await untilWritten(test, REQUESTS_KEPT);
    await test.call('GET', '/payments/pay_none');
    expect((await list(test, '?limit=200')).data).toHaveLength(200);
    expect((await list(test, '?failed=true')).data).toHaveLength(1);
  });
});

describe('the log of one sandbox', () => {
  it('masks personal data of any type and shape, keys and secrets', async () => {
    const test = await startTestGateway({ sandbox: true });
    const customer = { id: 'user-1', phone: 919812345671, name: { first: 'Asha', all: ['Asha', 'Meera'] } };
    const other = { id: 'user-2', name: 'Asha Rao', email: 'asha.rao@example.com', phone: '+919812345671' };
    const [{ body }] = [
      await test.call('POST', '/payments', { ...paymentRequest(), customer: other }),
      await test.call('POST', '/payments', { ...paymentRequest(), customer, account_number: 50100012345678 }),
      await test.call('POST', '/payments', { ...paymentRequest(), customer: 'Asha Meera', [test.key]: test.secret }),
    ];
    const clarified = { phone: 919812345671, account_number: [50100012345678], nickname: 'Sunshine' };
    const visit = { cookie: 'visit=0123456789' };
    await test.call('POST', `/payments/${body.transaction_id}/clarify`, { clarify_data: clarified }, visit);
    await test.call('POST', `/payments/${test.key}/clarify`, { clarify_data: clarified });
    await test.call('GET', `/payments/pay_none?key=${test.secret}`);
    const { data } = await list(test);
    const logged = await Promise.all(
      data.map(async ({ id }: { id: string }) => (await test.call('GET', `/management/requests/${id}`)).body),
    );
    const text = JSON.stringify([data, logged]);
    const hidden = ['sha', 'Meera', 'rao@example', '81234', '01000', 'Sunshine', '0123456789', test.key, test.secret];
    for (const value of hidden) expect(text).not.toContain(value);
    expect(data[1].path).toBe(`/payments/…${test.key.slice(-4)}/clarify`);
    expect(logged[5].request_headers['authorization']).toBe(`Bearer …${test.key.slice(-4)}`);
    const customers = [5, 4].map((index) => JSON.parse(logged[index].request_body).customer);
    expect(customers).toEqual([
      { id: 'user-2', name: 'As…', email: 'as…', phone: '+9…' },
      { id: 'user-1', phone: '91…', name: { first: '…', all: ['…', 'Me…'] } },
    ]);
  });

  it('shows a deeply nested body, and keeps later requests', async () => {
    const test = await startTestGateway({ sandbox: true });
    const { headers } = await test.call('POST', '/payments', '['.repeat(8_000) + ']'.repeat(8_000));
    const { body } = await test.call('GET', `/management/requests/${headers['x-request-id']}`);
    expect(body.request_body).toMatch(/^\[+"…"\]+$/);
    await test.call('GET', '/merchant/balance');
    await untilWritten(test, 2);
  });

  it('is written when the gateway closes', async () => {
    const store = await openTestSqlite();
    const test = await startTestGateway({ store: { ...store, close: async () => undefined }, sandbox: true });
    await test.call('GET', '/merchant/balance');
    await test.gateway.close();
    expect(await written(test)).toBe(1);
  });
});

const MIB = 2 ** 20;

/** A log whose database never responds, as under overload. */
function logBeforeStuckStore() {
  const clock = new ManualClock(START);
  const store = { unit: () => Promise.withResolvers<never>().promise } as unknown as Store;
  const sandboxState = { at: () => ({ now: START }), isFrozen: () => false } as unknown as SandboxState;
  const mask = (_operation: string, body: unknown) => body;
  const log = new RequestLog({ store, clock, sandboxState, mask, onRequest: () => undefined });
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
  return { record, log, clock };
}

describe('while the database is stuck, the log of requests', () => {
  const body = JSON.stringify('x'.repeat(16_000));

  it('is bounded for one merchant, by bodies and headers', () => {
    for (const sent of [{ body }, { header: 'x'.repeat(15_000) }]) {
      const { record, log } = logBeforeStuckStore();
      for (let count = 0; count < 1_000; count++) record(1, sent);
      expect(log.queuedBytes).toBeGreaterThan(7 * MIB);
      expect(log.queuedBytes).toBeLessThan(9 * MIB);
    }
  });

  it('is bounded in total, including batches being written', async () => {
    const { record, log, clock } = logBeforeStuckStore();
    const merchants = Array.from({ length: 50 }, (_, index) => index + 1);
    for (let round = 0; round < 3; round++) {
      for (const merchant of merchants) for (let count = 0; count < 100; count++) record(merchant, { body });
      clock.advance(60_000);
      await new Promise(setImmediate);
    }
    expect(log.queuedBytes).toBeGreaterThan(62 * MIB);
    expect(log.queuedBytes).toBeLessThan(66 * MIB);
  });
});
