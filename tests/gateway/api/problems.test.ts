/** Every error of the contract, for every operation with it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Operation, operations, readBundle } from '../../../contract/src/model.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { problemType } from '../../tools/problems.ts';
import { checkResponse } from '../../tools/sender.ts';
import { paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import {
  type Answer,
  describeOnEachStore,
  inject,
  openTestSqlite,
  startTestGateway,
  type TestGateway,
} from '../harness.ts';

const OPERATIONS = operations(readBundle());
const BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

type Cause = (test: TestGateway, operation: Operation) => Promise<Answer>;

/** Sends a request of the operation with unknown IDs and a replaced body. */
function send(test: TestGateway, operation: Operation, body: unknown, headers = {}): Promise<Answer> {
  const query = operation.id === 'findPayment' ? '?merchant_order_id=none' : '';
  const path = operation.path.replace(/\{\w+\}/, 'pay_none') + query;
  return test.call(operation.method.toUpperCase() as 'GET' | 'POST', path, body, headers);
}

function example({ request }: Operation): unknown {
  return request?.examples[0]?.value;
}

/** Causes of each status. A new status of the contract needs an entry here. */
const CAUSES: Readonly<Record<string, Cause>> = {
  400: (test, operation) => {
    if (operation.request) return send(test, operation, {});
    if (operation.parameters.length === 0) return test.call('GET', `${operation.path}?locale=en`);
    return test.call('GET', operation.path.replace(/\{\w+\}/, 'x'.repeat(256)));
  },
  401: (test, operation) => send(test, operation, example(operation), { authorization: 'Bearer sk_test_unknown' }),
  404: (test, operation) => send(test, operation, example(operation)),
  409: async (test, operation) => {
    const [path, request] = operation.path.startsWith('/payouts')
      ? (['/payouts', payoutRequest()] as const)
      : (['/payments', paymentRequest({ customer: { id: 'stop-CREATED' } })] as const);
    const { body } = await test.call('POST', path, request);
    if (operation.path === path) return test.call('POST', path, { ...request, amount: request.amount + 1 });
    return test.call('POST', operation.path.replace(/\{\w+\}/, body.transaction_id), example(operation));
  },
  413: (test, operation) => send(test, operation, JSON.stringify({ note: 'x'.repeat(70_000) })),
  415: (test, operation) => send(test, operation, 'amount=1', { 'content-type': 'application/x-www-form-urlencoded' }),
  429: async (_test, operation) => {
    const limited = await startTestGateway({ limits: { requestsPerSecond: 1 } });
    for (;;) {
      const answer = await send(limited, operation, example(operation));
      if (answer.status === 429) return answer;
    }
  },
  500: async (_test, operation) => send(await failingGateway(new Error('unexpected')), operation, example(operation)),
  503: async (_test, operation) =>
    send(await failingGateway(new StoreUnavailable('the disk is full')), operation, example(operation)),
};

/** A gateway whose store fails after the merchant is added. Keys are still found. */
async function failingGateway(error: Error): Promise<TestGateway> {
  const store = await openTestSqlite();
  let failing = false;
  const refuse = (sql: string) => {
    if (failing && !sql.includes('api_keys')) throw error;
  };
  const guarded = (db: Store['read']): Store['read'] => ({
    async all(sql, ...values) {
      refuse(sql);
      return db.all(sql, ...values);
    },
    async get(sql, ...values) {
      refuse(sql);
      return db.get(sql, ...values);
    },
    async write(statement, ...values) {
      refuse(statement.one);
      return db.write(statement, ...values);
    },
    async run(sql, ...values) {
      refuse(sql);
      return db.run(sql, ...values);
    },
  });
  const test = await startTestGateway({
    store: {
      ...store,
      read: guarded(store.read),
      unit: (work) => store.unit((db) => work(guarded(db))),
    },
  });
  failing = true;
  return test;
}

const ROWS = OPERATIONS.flatMap(({ id, responses }) =>
  responses.filter(({ status }) => Number(status) >= 400).map(({ status }) => ({ id, status })),
);

function expectProblem(answer: Answer, id: string, status: string): void {
  expect(answer.status).toBe(Number(status));
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  checkResponse(id, status, answer.body);
  const documented = BY_ID.get(id)?.responses.find((response) => response.status === status)?.body?.examples ?? [];
  const kinds = documented.map(({ value }) => value as { type: string; title: string });
  expect(kinds.map(({ type, title }) => ({ type, title }))).toContainEqual({
    type: answer.body.type,
    title: answer.body.title,
  });
  expect(answer.body).toMatchObject({ status: Number(status), request_id: expect.stringMatching(/^req_/) });
  expect('violations' in answer.body).toBe(status === '400');
}

describeOnEachStore('the errors', (open) => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway({ store: await open() });
  });

  it.each(ROWS)('$status of $id is returned as the contract says', async ({ id, status }) => {
    const operation = BY_ID.get(id);
    const cause = CAUSES[status];
    if (!operation || !cause) throw new Error(`nothing here causes ${status}`);
    const answer = await cause(test, operation);
    expectProblem(answer, id, status);
    const headers = operation.responses.find((response) => response.status === status)?.headers ?? [];
    for (const header of headers) expect(answer.headers).toHaveProperty(header.toLowerCase());
  });

  it.each(['/payments/%00', '/payouts/%00', '/payments?merchant_order_id=%00', '/payments?transaction_id=a%00b'])(
    'say that the transaction is unknown, or that the request is invalid: %s',
    async (path) => {
      expect([400, 404]).toContain((await test.call('GET', path)).status);
    },
  );

  it.each([
    ['text that is not JSON', '{"amount":', '', 'is not valid JSON'],
    ['bytes that are not UTF-8', Buffer.from('{"a":"\xff"}', 'latin1'), '', 'is not UTF-8'],
    ['a list', '[]', '', 'must be an object'],
    ['nothing', '', '', expect.any(String)],
    ['a nul character', JSON.stringify(paymentRequest({ merchant_order_id: 'a\u0000b' })), '', expect.any(String)],
    ['an unknown field', JSON.stringify({ ...paymentRequest(), curency: 'INR' }), '/curency', 'is not a known field'],
    ['a decimal amount', JSON.stringify(paymentRequest({ amount: 1.5 })), '/amount', expect.stringMatching(/integer/)],
    ['no amount at all', JSON.stringify(paymentRequest({ amount: 0 })), '/amount', 'must be at least 1'],
    ['another currency', JSON.stringify({ ...paymentRequest(), currency: 'USD' }), '/currency', expect.any(String)],
    [
      'another scheme',
      JSON.stringify(paymentRequest({ callback_url: 'ftp://a.example' })),
      '/callback_url',
      expect.any(String),
    ],
  ])('point at the invalid part of a body of %s', async (_what, body, pointer, message) => {
    const { gateway, key } = test;
    const response = await inject(gateway, {
      method: 'POST',
      url: '/payments',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: body,
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().violations).toContainEqual({ in: 'body', pointer, message });
  });

  it.each([
    ['https://', 'a host name'],
    ['http:///x', 'a host name'],
    ['http://*.example/', 'a host name'],
    ['https://m\u00fcller.example/', 'punycode'],
    ['https://shop.example/caf\u00e9', 'percent-encoding'],
  ])('show how to write the URL %s', async (url, advice) => {
    const { status, body } = await test.call('POST', '/payments', paymentRequest({ callback_url: url }));
    expect(status).toBe(400);
    const messages = body.violations.map(({ message }: { message: string }) => message);
    expect(messages.join('; ')).toContain(advice);
    expect(body.violations[0]).toMatchObject({ in: 'body', pointer: '/callback_url' });
  });

  it('say that compressed bodies are unsupported', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const answer = await test.call('POST', '/payments', JSON.stringify(paymentRequest()), headers);
    expect(answer).toMatchObject({ status: 415, headers: { 'accept-encoding': 'identity' } });
    expect(answer.body.detail).toBe('Send the body without compression: remove `Content-Encoding: gzip`.');
    const same = { 'content-encoding': 'identity' };
    expect((await test.call('POST', '/payments', JSON.stringify(paymentRequest()), same)).status).toBe(200);
  });

  it('are not caused by a byte order mark', async () => {
    expect((await test.call('POST', '/payments', `\ufeff${JSON.stringify(paymentRequest())}`)).status).toBe(200);
  });

  it('mention a slash at the end of a path', async () => {
    const { status, body } = await test.call('GET', '/payments/?merchant_order_id=x');
    expect(status).toBe(404);
    expect(body.detail).toBe('Route not found: GET /payments/. Remove the slash at the end of the path.');
  });

  it.each([
    ['U+0000', '"order-\\u0000"'],
    ['half a surrogate', '"order-\\ud800"'],
  ])("refuse a text with %s, which databases don't store", async (_, order) => {
    const text = JSON.stringify(paymentRequest()).replace(
      /"merchant_order_id":"[^"]*"/,
      `"merchant_order_id":${order}`,
    );
    expect((await test.call('POST', '/payments', text)).status).toBe(400);
  });

  it.each(['"order-\\\\u0000"', '"order-\\ud83d\\ude00"'])('accept a text similar to one: %s', async (order) => {
    const text = JSON.stringify(paymentRequest()).replace(
      /"merchant_order_id":"[^"]*"/,
      `"merchant_order_id":${order}`,
    );
    expect((await test.call('POST', '/payments', text)).status).toBe(200);
  });

  it('list all violations of a request', async () => {
    const { body } = await test.call('POST', '/payments', { amount: '1', customer: {}, extra: true });
    const pointers = body.violations.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toEqual(
      expect.arrayContaining(['/amount', '/customer/id', '/currency', '/merchant_order_id', '/callback_url', '/extra']),
    );
  });
});

describe('an error outside of the contract’s operations', () => {
  it.each([
    ['GET', '/nothing'],
    ['DELETE', '/payments'],
    ['PUT', '/payouts/out_1'],
    ['GET', '/payments/a/b/c'],
  ] as const)('is a problem too: %s %s', async (method, path) => {
    const { call } = await startTestGateway();
    const answer = await call(method, path);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({ type: problemType('not-found'), status: 404 });
  });

  it('hides internals in a 500', async () => {
    const { call } = await failingGateway(new Error('password is hunter2'));
    const answer = await call('POST', '/payments', paymentRequest());
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/hunter2|sqlite|at .*\.ts/);
  });
});
