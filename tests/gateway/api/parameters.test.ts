/** Path and query parameters: each is read from its own location, and unknown ones are rejected. */
import { beforeAll, describe, expect, it } from 'vitest';
import { operations, readBundle } from '../../../contract/src/model.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { describeOnEachStore, startTestGateway, type TestGateway } from '../harness.ts';

const OPERATIONS = operations(readBundle());

describeOnEachStore('the parameters of a request', (open) => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway({ store: await open() });
  });

  it('are read from the path even if the query names another transaction', async () => {
    const { body: first } = await test.call('POST', '/payments', paymentRequest());
    const { body: second } = await test.call('POST', '/payments', paymentRequest());
    const path = `/payments/${first.transaction_id}`;
    const { status, body } = await test.call('GET', `${path}?transaction_id=${second.transaction_id}`);
    expect(status).toBe(400);
    const message = 'is not a query parameter of this operation, which has none';
    expect(body.violations).toEqual([{ in: 'query', pointer: '/transaction_id', message }]);
    expect((await test.call('GET', path)).body.transaction_id).toBe(first.transaction_id);
  });

  it.each(OPERATIONS.map(({ id }) => id))('are refused in the query of %s if undefined there', async (id) => {
    const operation = OPERATIONS.find((one) => one.id === id);
    if (!operation) throw new Error(`there is no ${id}`);
    const path = operation.path.replace(/\{\w+\}/, 'pay_none');
    const method = operation.method.toUpperCase() as 'GET' | 'POST';
    const { status, body } = await test.call(method, `${path}?locale=en`, operation.request?.examples[0]?.value);
    expect(status).toBe(400);
    const known = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    const message = `is not a query parameter of this operation, which has ${known.join(' and ') || 'none'}`;
    expect(body.violations).toEqual([{ in: 'query', pointer: '/locale', message }]);
  });

  it('are refused if given twice', async () => {
    const { status, body } = await test.call('GET', '/payments?merchant_order_id=a&merchant_order_id=b');
    expect(status).toBe(400);
    expect(body.violations).toEqual([{ in: 'query', pointer: '/merchant_order_id', message: 'must be given once' }]);
  });

  it('are named by a valid JSON pointer', async () => {
    const { body } = await test.call('GET', '/merchant/balance?a%2Fb=1&__proto__=2');
    const pointers = body.violations.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toEqual(['/a~1b', '/__proto__']);
  });

  it('are reported together with violations of the body', async () => {
    const { body } = await test.call('POST', '/payments?locale=en', { ...paymentRequest(), amount: 0 });
    const places = body.violations.map((violation: { in: string; pointer: string }) => [
      violation.in,
      violation.pointer,
    ]);
    expect(places).toEqual([
      ['query', '/locale'],
      ['body', '/amount'],
    ]);
  });
});

describe('a request without a valid key', () => {
  it('gets no information about its parameters', async () => {
    const { call } = await startTestGateway();
    expect((await call('GET', '/merchant/balance?locale=en', undefined, { authorization: undefined })).status).toBe(
      401,
    );
  });
});
