import { readFile } from 'node:fs/promises';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Mock, startMock } from '../../../contract/src/mock/server.ts';
import { withStatusExamples } from '../../../contract/src/mock/status-examples.ts';
import { type JsonObject, operations, readBundle, requestExamples } from '../../../contract/src/model.ts';
import { exampleHandlers } from '../../../contract/src/msw.ts';
import { requestExamples as named } from '../../../generated/examples.ts';

const BASE = 'https://api.example.com/v1';
const server = setupServer();
const known = operations(withStatusExamples(readBundle()));
const headers = { authorization: 'Bearer sk', 'content-type': 'application/json' };
let mock: Mock;

beforeAll(async () => {
  server.listen({ onUnhandledFrame: 'bypass' });
  mock = await startMock({ port: 0 });
});
afterEach(() => server.resetHandlers());
afterAll(async () => {
  server.close();
  await mock.close();
});

async function send(base: string, method: string, target: string, body?: object, prefer?: string) {
  const init = { method: method.toUpperCase(), ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(base + target, { ...init, headers: { ...headers, ...(prefer && { prefer }) } });
  const ours = ['content-type', 'retry-after', 'www-authenticate', 'x-request-id'];
  return {
    status: response.status,
    headers: Object.fromEntries(ours.map((name) => [name, response.headers.get(name)])),
    body: (await response.json()) as JsonObject,
  };
}

/** A request whose ID, order, amount and method are in no example. */
function ownCall(operation: (typeof known)[number]): [target: string, body?: object] {
  const [{ body } = {}] = requestExamples(operation);
  const target = operation.path.replace(/\{\w+\}/g, 'id_77');
  const query = operation.exactlyOneOf.length > 0 ? '?merchant_order_id=cart-7' : '';
  const own = { amount: 123, currency: 'MAD', merchant_order_id: 'cart-7', payment_method_type: 'WALLET_MA' };
  const isCreation = operation.request && !operation.path.includes('{');
  return body ? [target + query, { ...(body as object), ...(isCreation && own) }] : [target + query];
}

describe('exampleHandlers', () => {
  test.each(known)('respond like the mock to each example of $id', async (operation) => {
    const names = operation.responses.flatMap(({ body }) => body?.examples ?? []).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(5);
    const [target, body] = ownCall(operation);
    for (const name of names) {
      server.use(...exampleHandlers(BASE, { [operation.id]: name }));
      const wanted = await send(mock.url, operation.method, target, body, `example=${name}`);
      expect(await send(BASE, operation.method, target, body), name).toEqual(wanted);
    }
  });

  const upi = { ...named.createPayment['h2h-upi'].body, merchant_order_id: 'cart-7', amount: 123 };
  const wallet = { ...named.createPayment['redirect-egp'].body, merchant_order_id: 'cart-7' };
  test.each<[method: string, target: string, body: object | undefined, expected: JsonObject]>([
    ['get', '/payments?transaction_id=pay_FAILED', undefined, { transaction_id: 'pay_FAILED', status: 'FAILED' }],
    ['get', '/payments/pay_77', undefined, { transaction_id: 'pay_77' }],
    ['post', '/payments', upi, { merchant_order_id: 'cart-7', amount: 123, status: 'CREATED' }],
    ['post', '/payments', wallet, { currency: 'EGP', amount: 125_000, redirect_url: expect.stringMatching(/^https:/) }],
    ['post', '/payments', { ...upi, customer: { id: 'decline-KYC_BLOCKED' } }, { decline_reason: 'KYC_BLOCKED' }],
    ['post', '/payments/pay_77/confirm', named.confirmPayment.tid.body, { transaction_id: 'pay_77' }],
  ])('respond like the mock without a name to %s %s %j', async (method, target, body, expected) => {
    server.use(...exampleHandlers(`${BASE}/`));
    const response = await send(BASE, method, target, body);
    expect(response).toEqual(await send(mock.url, method, target, body));
    expect(response.body).toMatchObject(expected);
  });

  test("respond at any address, even to a body that isn't JSON", async () => {
    server.use(...exampleHandlers('*'));
    const response = await fetch('https://other.example.com/payments', { method: 'POST', body: '{' });
    expect(await response.json()).toMatchObject({ status: 'CREATED' });
  });

  test('reject an unknown name or operation and list the known ones', () => {
    const unknown = 'getBalance has no example nope. Use one of four-';
    // @ts-expect-error the operation has no such example
    expect(() => exampleHandlers(BASE, { getBalance: 'nope' })).toThrow(unknown);
    // @ts-expect-error the contract has no such operation
    expect(() => exampleHandlers(BASE, { getBalances: 'nope' })).toThrow('no operation getBalances. Use one of find');
  });
});

test("the README's test is the one next to this file", async () => {
  const readme = await readFile(new URL('../../../contract/README.md', import.meta.url), 'utf8');
  const guide = await readFile(new URL('./guide.test.ts', import.meta.url), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${guide}\`\`\``);
});
