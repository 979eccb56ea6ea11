/** The sandbox's operations accept only test keys, and exist only without real money. */
import { describe, expect, it } from 'vitest';
import { readApiDocument } from '../../../gateway/src/http/gateway-apis.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { addOperator } from '../harness/operators.ts';

const { operations, access } = readApiDocument('sandbox');

const CALLS = operations.map(({ id, method, path }) => ({
  id,
  method: method.toUpperCase() as 'GET',
  path: path.replaceAll(/\{\w+\}/g, 'x'),
}));

const CLOSED = CALLS.filter(({ id }) => access.get(id)?.isOpen === false);

describe('an operation of the sandbox', () => {
  it.each(CLOSED)('$id needs a key', async ({ method, path }) => {
    const test = await startTestGateway({ sandbox: true });
    const refused = await test.call(method, path, undefined, { authorization: undefined });
    expect(refused.status).toBe(401);
  });

  it('refuses the key of an operator', async () => {
    const test = await startTestGateway({ sandbox: true });
    const operator = await addOperator(test);
    const found = await Promise.all(CLOSED.map(({ method, path }) => operator.call(method, path)));
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await operator.call('GET', '/management/merchants')).status).toBe(200);
  });

  it('is missing without the sandbox', async () => {
    const test = await startTestGateway();
    const found = await Promise.all(CALLS.map(({ method, path }) => test.call(method, path)));
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([404]));
  });

  it('is missing with live keys, even if the sandbox is enabled', async () => {
    const started = startTestGateway({ sandbox: true, keyPolicy: { live: true } });
    await expect(started).rejects.toThrow('a gateway with live keys must not have a sandbox');
  });
});
