import { expect, it } from 'vitest';
import { REQUESTS_KEPT } from '../../../gateway/src/sandbox/request-log/request-log.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway, type TestMerchant } from '../harness/gateway.ts';
import { describeOnEachDriver } from '../harness/stores.ts';

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

describeOnEachDriver('the log of requests', (open) => {
  it('shows a request with its response, before and after it is written', async () => {
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
    const read = () => test.call('GET', `/management/requests/${summary.id}`);
    const before = await read();
    expect(JSON.parse(before.body.request_body)).toMatchObject({ merchant_order_id: request.merchant_order_id });
    expect(JSON.parse(before.body.response_body)).toEqual(created.body);
    expect(before.body.response_headers).toMatchObject({ 'x-request-id': summary.id });
    await untilWritten(test, 1);
    expect((await list(test)).data).toEqual([summary]);
    expect((await read()).body).toEqual(before.body);
  });

  it('shows the last characters of keys and secrets, and the first of personal data', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const customer = { id: 'user-1', name: 'Asha Rao', email: 'asha.rao@example.com', phone: '+919812345671' };
    const created = await test.call('POST', '/payments', { ...paymentRequest(), customer });
    test.clock.advance(1_000);
    await test.call('POST', `/payments/${created.body.transaction_id}/clarify`, {
      clarify_data: { nickname: 'Sunshine' },
    });
    await test.call(
      'POST',
      '/payments',
      { ...paymentRequest(), note: test.key, other: test.secret },
      { cookie: 'visit=0123456789' },
    );
    const { data } = await list(test);
    const logged = await Promise.all(
      data.map(async ({ id }: { id: string }) => (await test.call('GET', `/management/requests/${id}`)).body),
    );
    const text = JSON.stringify(logged);
    for (const hidden of ['sha Rao', 'rao@example', '9812345', 'Sunshine', '0123456789', test.key, test.secret]) {
      expect(text).not.toContain(hidden);
    }
    const [first] = logged.slice(-1);
    expect(first.request_headers['authorization']).toBe(`Bearer …${test.key.slice(-4)}`);
    expect(JSON.parse(first.request_body).customer).toEqual({ id: 'user-1', name: 'As…', email: 'as…', phone: '+9…' });
  });

  it('masks personal data of any type and shape, and keys in paths', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const customer = { id: 'user-1', phone: 919812345671, name: { first: 'Asha', all: ['Asha', 'Meera'] } };
    const sent = { ...paymentRequest(), customer, account_number: 50100012345678 };
    await test.call('POST', '/payments', sent);
    await test.call('POST', '/payments', { ...paymentRequest(), customer: 'Asha Meera', [test.key]: 1 });
    const clarified = { clarify_data: { phone: 919812345671, account_number: [50100012345678] } };
    await test.call('POST', `/payments/${test.key}/clarify`, clarified);
    await test.call('GET', `/payments/pay_none?key=${test.secret}`);
    const { data } = await list(test);
    const logged = await Promise.all(
      data.map(async ({ id }: { id: string }) => (await test.call('GET', `/management/requests/${id}`)).body),
    );
    const text = JSON.stringify([data, logged]);
    for (const hidden of ['81234', '01000', 'sha', 'Meera', test.key, test.secret]) expect(text).not.toContain(hidden);
    expect(data[1].path).toBe(`/payments/…${test.key.slice(-4)}/clarify`);
    expect(JSON.parse(logged[3].request_body).customer).toEqual({
      id: 'user-1',
      phone: '91…',
      name: { first: '…', all: ['…', 'Me…'] },
    });
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
    const second = await list(test, `?limit=3&cursor=${first.next_cursor}`);
    expect([...paths(first), ...paths(second)]).toEqual([
      '/payments',
      `/payments/${id}`,
      '/payments/pay_none',
      '/payments',
    ]);
    expect(second.next_cursor).toBeUndefined();
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

  it('keeps only the newest, in memory and in the database', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true, limits: { requestsPerSecond: 10_000 } });
    const read = async (count: number) => {
      for (let sent = 0; sent < count; sent++) await test.call('GET', '/merchant/balance');
    };
    await read(REQUESTS_KEPT + 5);
    await untilWritten(test, REQUESTS_KEPT);
    test.clock.advance(1_000);
    await read(5);
    await untilWritten(test, REQUESTS_KEPT);
    await test.call('GET', '/payments/pay_none');
    expect((await list(test, '?limit=200')).data).toHaveLength(200);
    expect((await list(test, '?failed=true')).data).toHaveLength(1);
  });

  it('omits large bodies', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const large = { ...paymentRequest(), extra: 'x'.repeat(20_000) };
    const { headers } = await test.call('POST', '/payments', large);
    const { body } = await test.call('GET', `/management/requests/${headers['x-request-id']}`);
    expect(body.request_body).toMatch(/^\(20\d+ bytes; /);
  });

  it('is written when the gateway closes', async () => {
    const store = await open();
    const test = await startTestGateway({ store: { ...store, close: async () => undefined }, sandbox: true });
    await test.call('GET', '/merchant/balance');
    await test.gateway.close();
    expect(await written(test)).toBe(1);
  });
});

describeOnEachDriver('a gateway without a sandbox', (open) => {
  it('logs no requests', async () => {
    const store = await open();
    const test = await startTestGateway({ store: { ...store, close: async () => undefined } });
    await test.call('GET', '/merchant/balance');
    test.clock.advance(WRITTEN_AFTER_MS);
    await test.gateway.close();
    expect(await written(test)).toBe(0);
  });
});
