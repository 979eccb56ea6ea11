import { beforeAll, describe, expect, it } from 'vitest';
import { openTestSqlite, startTestGateway, type TestGateway } from '../harness.ts';
import { status } from '../webhooks/receiver.ts';
import { type Endpoint, judgeDelivery, startEndpoint } from './webhooks.ts';

async function add({ test }: Pick<Endpoint, 'test'>, rule: object): Promise<string> {
  const { status: code, body } = await test.call('POST', '/sandbox/webhook-faults', rule);
  expect(code).toBe(201);
  return body.id;
}

const transactionsIn = ({ receiver }: Pick<Endpoint, 'receiver'>) =>
  receiver.requests.map(({ body }) => JSON.parse(body).transaction_id);

async function listDeliveries({ test }: Pick<Endpoint, 'test'>, transaction: string) {
  const [{ id }] = (await test.call('GET', `/management/events?transaction_id=${transaction}`)).body.data;
  return (await test.call('GET', `/management/events/${id}`)).body.deliveries;
}

describe('a webhook fault', () => {
  it('duplicate sends an event twice with the same id and signature', async () => {
    const endpoint = await startEndpoint(await openTestSqlite());
    await add(endpoint, { fault: 'duplicate' });
    const transaction = await endpoint.decline();
    const [first, second] = endpoint.receiver.requests;
    expect(second).toEqual(first);
    expect(await endpoint.verdicts()).toEqual(['valid', 'valid']);
    const deliveries = await listDeliveries(endpoint, transaction);
    expect(deliveries.map(({ fault }: { fault?: string }) => fault)).toEqual([undefined, 'duplicate']);
  });

  it("delay waits by the merchant's clock", async () => {
    const endpoint = await startEndpoint(await openTestSqlite());
    await add(endpoint, { fault: 'delay', delay: '10m' });
    await endpoint.decline();
    await endpoint.test.call('POST', '/sandbox/clock/advance', { by: '599s' });
    expect(endpoint.receiver.requests).toHaveLength(0);
    await endpoint.test.call('POST', '/sandbox/clock/advance', { by: '1s' });
    expect(endpoint.receiver.requests).toHaveLength(1);
  });

  it('reorder swaps each pair of consecutive events of an address', async () => {
    const endpoint = await startEndpoint(await openTestSqlite());
    await add(endpoint, { fault: 'reorder' });
    const made: string[] = [];
    for (let count = 0; count < 4; count++) made.push(await endpoint.decline());
    expect(transactionsIn(endpoint)).toEqual([made[1], made[0], made[3], made[2]]);
  });

  it('reorder sends an event without a successor after five seconds', async () => {
    const endpoint = await startEndpoint(await openTestSqlite());
    await add(endpoint, { fault: 'reorder', events: 1 });
    await endpoint.decline();
    expect(endpoint.receiver.requests).toHaveLength(0);
    await endpoint.test.call('POST', '/sandbox/clock/advance', { by: '5s' });
    expect(endpoint.receiver.requests).toHaveLength(1);
    await endpoint.decline();
    expect(endpoint.receiver.requests).toHaveLength(2);
  });

  it('drop loses the first attempts, which count as failed', async () => {
    const endpoint = await startEndpoint(await openTestSqlite());
    await add(endpoint, { fault: 'drop', attempts: 2 });
    const transaction = await endpoint.decline();
    await endpoint.test.call('POST', '/sandbox/clock/advance', { by: '1h' });
    expect(await endpoint.receiver.requests).toHaveLength(1);
    const deliveries = await listDeliveries(endpoint, transaction);
    expect(deliveries).toMatchObject([
      { fault: 'drop', error: 'not sent: dropped by a webhook fault', request_headers: {} },
      { fault: 'drop' },
      { status: 204 },
    ]);
  });

  it.each([
    ['wrong_signature', 'NO_MATCH'],
    ['missing_signature', 'HEADER_MISSING'],
    ['stale_timestamp', 'TIMESTAMP_STALE'],
    ['rotated_secret', 'NO_MATCH'],
  ])('%s is refused by receivers with %s, and the next attempt is genuine', async (fault, code) => {
    const endpoint = await startEndpoint(await openTestSqlite(), (response, received, count) =>
      status(count === 1 ? 400 : 204)(response, received, count),
    );
    await add(endpoint, { fault });
    const transaction = await endpoint.decline();
    expect(await endpoint.verdicts()).toEqual([code]);
    await endpoint.test.call('POST', '/sandbox/clock/freeze');
    await endpoint.test.call('POST', '/sandbox/clock/advance', { by: '10s' });
    const [, second] = endpoint.receiver.requests;
    expect(second && (await judgeDelivery(second, endpoint.test.secret, endpoint.test.clock.now()))).toBe('valid');
    const deliveries = await listDeliveries(endpoint, transaction);
    expect(deliveries.map((one: { fault?: string }) => one.fault)).toEqual([fault, undefined]);
  });

  it('rotated_secret signs with the expired secret of the last rotation', async () => {
    const endpoint = await startEndpoint(await openTestSqlite());
    const rotated = await endpoint.test.call(
      'POST',
      `/management/merchants/${endpoint.test.merchant.id}/signing-secrets/rotate`,
      { overlap: '0s' },
    );
    await add(endpoint, { fault: 'rotated_secret' });
    await endpoint.decline();
    expect(await endpoint.verdicts()).toEqual(['valid']);
    expect(await endpoint.verdicts(rotated.body.secret)).toEqual(['NO_MATCH']);
  });

  it('affects the given number of events, each in its first attempts, and then ends', async () => {
    const endpoint = await startEndpoint(await openTestSqlite());
    const id = await add(endpoint, { fault: 'drop', events: 2, attempts: 2 });
    const list = async () => (await endpoint.test.call('GET', '/sandbox/webhook-faults')).body.data;
    await endpoint.decline();
    expect(await list()).toEqual([{ id, fault: 'drop', attempts: 2, events_left: 1 }]);
    await endpoint.decline();
    expect(await list()).toEqual([]);
    await endpoint.decline();
    expect(endpoint.receiver.requests).toHaveLength(1);
    await endpoint.test.call('POST', '/sandbox/clock/advance', { by: '30s' });
    expect(endpoint.receiver.requests).toHaveLength(1);
    await endpoint.test.call('POST', '/sandbox/clock/advance', { by: '10m' });
    expect(endpoint.receiver.requests).toHaveLength(3);
  });

  it('affects only its address or transaction, and only its merchant', async () => {
    const endpoint = await startEndpoint(await openTestSqlite());
    const other = await endpoint.test.addMerchant('Other');
    await add(endpoint, { fault: 'drop', address: 'http://127.0.0.1:9/any/path' });
    await endpoint.decline();
    expect(endpoint.receiver.requests).toHaveLength(1);
    await add(endpoint, { fault: 'drop', transaction_id: 'pay_other' });
    await endpoint.decline();
    expect(endpoint.receiver.requests).toHaveLength(2);
    await add(endpoint, { fault: 'drop', address: endpoint.receiver.address });
    await endpoint.decline();
    expect(endpoint.receiver.requests).toHaveLength(2);
    await endpoint.decline(other);
    expect(endpoint.receiver.requests).toHaveLength(3);
    expect((await other.call('GET', '/sandbox/webhook-faults')).body.data).toEqual([]);
  });

  it('ends when removed, and releases its delayed webhooks', async () => {
    const endpoint = await startEndpoint(await openTestSqlite());
    const id = await add(endpoint, { fault: 'reorder' });
    await endpoint.decline();
    expect((await endpoint.test.call('DELETE', `/sandbox/webhook-faults/${id}`)).status).toBe(204);
    await endpoint.test.gateway.idle();
    expect(endpoint.receiver.requests).toHaveLength(1);
    await add(endpoint, { fault: 'drop', attempts: 1_000 });
    await endpoint.decline();
    expect((await endpoint.test.call('DELETE', '/sandbox/webhook-faults')).status).toBe(204);
    await endpoint.test.call('POST', '/sandbox/clock/advance', { by: '10s' });
    expect(endpoint.receiver.requests).toHaveLength(2);
    const gone = await endpoint.test.call('DELETE', `/sandbox/webhook-faults/${id}`);
    expect(gone).toMatchObject({ status: 404, body: { detail: expect.stringContaining(id) } });
  });
});

describe('an invalid webhook fault', () => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway({ sandbox: true });
  });

  it.each([
    [{ fault: 'delay', delay: '25h' }, '/delay'],
    [{ fault: 'drop', delay: '1s' }, '/delay'],
    [{ fault: 'delay', attempts: 2 }, '/attempts'],
    [{ fault: 'drop', address: 'mailto:shop' }, '/address'],
    [{ fault: 'drop', attempts: 0 }, '/attempts'],
    [{ fault: 'explode' }, '/fault'],
  ])('is refused as %j', async (rule, pointer) => {
    const { status: code, body } = await test.call('POST', '/sandbox/webhook-faults', rule);
    expect({ code, pointers: body.violations.map((one: { pointer: string }) => one.pointer) }).toEqual({
      code: 400,
      pointers: [pointer],
    });
  });
});
