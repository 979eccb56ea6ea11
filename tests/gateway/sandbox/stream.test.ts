import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { followChanges } from '../../../gateway/src/api-client/stream.ts';
import { afterwards } from '../harness/afterwards.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway, type TestMerchant } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';

interface Change {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has data of its own.
  readonly data: any;
}

async function listen(test: TestGateway): Promise<string> {
  await test.gateway.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(test.gateway.server.address() as AddressInfo).port}`;
}

/** Connects, and collects the received events. Resolves once the stream is open. */
async function follow(url: string, { key }: TestMerchant): Promise<Change[]> {
  const stopped = new AbortController();
  afterwards(async () => stopped.abort());
  const changes: Change[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  (async () => {
    for await (const change of followChanges({ url, key }, { signal: stopped.signal, onOpen: resolve })) {
      changes.push(change);
    }
  })().catch(reject);
  await promise;
  return changes;
}

const untilSeen = (changes: Change[], expected: object) =>
  expect.poll(() => changes).toContainEqual(expect.objectContaining(expected));

describeOnEachStore('the stream of changes', (open) => {
  it('reports transactions, events, attempts, requests and settings', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const changes = await follow(await listen(test), test);
    const body = paymentRequest({ callback_url: 'https://127.0.0.1:9/hook', customer: { id: 'decline-KYC_BLOCKED' } });
    const created = await test.call('POST', '/payments', body);
    const id = created.body.transaction_id;
    await test.gateway.idle();
    await test.call('PUT', '/sandbox/channels/payment/UPI_IN', { condition: 'down' });
    const about = (fields: object) => expect.objectContaining({ transaction_id: id, ...fields });
    await untilSeen(changes, { type: 'transaction', data: about({ kind: 'payment', status: 'FAILED' }) });
    await untilSeen(changes, { type: 'event', data: about({ status: 'FAILED', state: 'waiting' }) });
    await untilSeen(changes, { type: 'attempt', data: about({ number: 1, outcome: expect.any(String) }) });
    await untilSeen(changes, { type: 'request', data: about({ id: created.headers['x-request-id'], status: 200 }) });
    await untilSeen(changes, { type: 'settings' });
    const event = changes.find(({ type }) => type === 'event');
    expect((await test.call('GET', `/management/events/${event?.data.id}`)).status).toBe(200);
  });

  it('omits events of other merchants', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const other = await test.addMerchant('Other');
    const changes = await follow(await listen(test), test);
    await other.call('POST', '/payments', paymentRequest());
    await other.call('POST', '/sandbox/clock/freeze');
    await test.gateway.idle();
    await test.call('GET', '/merchant/balance');
    await untilSeen(changes, { type: 'request' });
    expect(changes.filter(({ type }) => type !== 'open')).toMatchObject([{ data: { operation: 'getBalance' } }]);
  });

  it('ends when the gateway drains, and refuses new clients', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const url = await listen(test);
    const connect = () => fetch(`${url}/management/stream`, { headers: { authorization: `Bearer ${test.key}` } });
    const stream = await connect();
    await test.gateway.drain(0);
    expect(await stream.text()).toContain('event: open');
    expect((await connect()).status).toBe(503);
  });

  it('lets the gateway close immediately', async () => {
    // Longer than this test may take, so that cut connections don't pass for closed ones.
    const test = await startTestGateway({ store: await open(), sandbox: true, closeMsMax: 600_000 });
    const url = await listen(test);
    const stream = await fetch(`${url}/management/stream`, { headers: { authorization: `Bearer ${test.key}` } });
    await test.gateway.close();
    expect(await stream.text()).toContain('event: open');
  });

  it('is limited per merchant', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const other = await test.addMerchant('Other');
    const url = await listen(test);
    const stopped = new AbortController();
    afterwards(async () => stopped.abort());
    // Keeps the responses reachable, since garbage collection would end their streams.
    const responses: Response[] = [];
    const connect = async ({ key }: TestMerchant) => {
      const headers = { authorization: `Bearer ${key}` };
      responses.push(await fetch(`${url}/management/stream`, { headers, signal: stopped.signal }));
    };
    for (let count = 0; count < 21; count++) await connect(test);
    await connect(other);
    expect(responses.map(({ status }) => status)).toEqual([...Array(20).fill(200), 503, 200]);
  });
});
