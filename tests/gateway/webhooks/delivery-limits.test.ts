import { describe, expect, it } from 'vitest';
import { START } from '../harness/fixtures.ts';
import { openTestSqlite } from '../harness.ts';
import { addEvents, addSigningMerchant, openShop, readEvents, startClock, startTestDeliveries } from './deliveries.ts';
import { hang, holding, startReceiver, status } from './receiver.ts';

describe('the delivery of webhooks to several addresses', () => {
  const open = openTestSqlite;
  it('reaches nine live endpoints while a dead one with a long backlog hangs', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const dead = await startReceiver(hang);
    const live = await Promise.all(Array.from({ length: 9 }, () => startReceiver()));
    await addEvents(store, merchant, Array(1_000).fill(dead.address), { now: START - 60_000 });
    await addEvents(
      store,
      merchant,
      live.flatMap(({ address }) => Array(20).fill(address)),
    );
    startTestDeliveries(store, startClock());
    await Promise.all(live.map((receiver) => receiver.received(20)));
    expect(dead.inFlightMax).toBe(1);
    const delivered = (await readEvents(store)).filter(
      (event) => event['address'] === dead.address && event['delivered_at'],
    );
    expect(delivered).toEqual([]);
  });

  it('reaches a live endpoint while more dead ones hang than attempts are allowed', async () => {
    const store = await open();
    const clock = startClock();
    const { merchant } = await addSigningMerchant(store);
    const dead = await Promise.all(Array.from({ length: 12 }, () => startReceiver(hang)));
    const live = await startReceiver();
    await addEvents(
      store,
      merchant,
      dead.flatMap(({ address }) => Array(5).fill(address)),
    );
    const { attempted, worker } = startTestDeliveries(store, clock, { total: 8, answerWithinMs: 400 });
    await attempted(24);
    await addEvents(store, merchant, [live.address]);
    worker.wake();
    await live.received(1);
    expect(live.requests).toHaveLength(1);
  });

  it("reaches an endpoint while 400 names of another merchant aren't resolved", async () => {
    const { store, clock, merchant, receiver } = await openShop(open);
    const other = await addSigningMerchant(store);
    const dead = Array.from({ length: 400 }, (_item, index) => `http://dead-${index}.test/`);
    await addEvents(store, other.merchant, dead, { now: START - 1_000 });
    await addEvents(store, merchant, [`http://live.test:${receiver.port}/`]);
    startTestDeliveries(store, clock, {
      resolve: async (name) => (name === 'live.test' ? ['127.0.0.1'] : new Promise(() => undefined)),
    });
    await receiver.received(1);
  });

  it('reaches an address behind more waiting ones than a query reads', async () => {
    const { store, clock, merchant, receiver } = await openShop(open);
    const waiting = Array.from({ length: 600 }, (_item, index) => `http://shop-${index}.test:${receiver.port}/`);
    await addEvents(store, merchant, waiting, { now: START + 1_000 });
    await addEvents(store, merchant, [`http://zulu.test:${receiver.port}/`]);
    const { attempted } = startTestDeliveries(store, clock, { resolve: async () => ['127.0.0.1'] });
    await attempted(1);
    expect(receiver.requests.map(({ headers }) => headers.host)).toEqual([`zulu.test:${receiver.port}`]);
  });

  it('reaches all addresses if there are more than it may attempt at a time', async () => {
    const { store, clock, merchant, receiver } = await openShop(open, status(204, { connection: 'close' }));
    const urls = Array.from({ length: 300 }, (_item, index) => `http://shop-${index}.test:${receiver.port}/`);
    await addEvents(store, merchant, urls);
    const { attempted } = startTestDeliveries(store, clock, { total: 32, resolve: async () => ['127.0.0.1'] });
    await attempted(300);
    expect(new Set(receiver.requests.map(({ headers }) => headers.host)).size).toBe(300);
  });

  it('reaches an address while two others of the merchant have long backlogs', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const [long, alsoLong, short] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
    await addEvents(
      store,
      merchant,
      [long.address, alsoLong.address].flatMap((url) => Array(500).fill(url)),
    );
    await addEvents(store, merchant, Array(20).fill(short.address), { now: START + 1 });
    const clock = startClock();
    clock.advance(1);
    startTestDeliveries(store, clock, { total: 16 });
    await short.received(20);
    expect(long.requests.length + alsoLong.requests.length).toBeLessThan(500);
  });

  it('makes no more concurrent attempts at an address than allowed', async () => {
    const { respond, held, release } = holding(4);
    const { store, clock, merchant, receiver } = await openShop(open, respond);
    await addEvents(store, merchant, Array(20).fill(receiver.address));
    const { attempted, worker } = startTestDeliveries(store, clock, { perAddress: 4 });
    await held;
    await addEvents(store, merchant, [receiver.address]);
    worker.wake();
    await readEvents(store);
    release();
    await attempted(21);
    expect(receiver.inFlightMax).toBe(4);
  });

  it('makes no more concurrent attempts at all addresses of a merchant than its share', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const { respond, held, release, inFlightMax } = holding(10);
    const receivers = await Promise.all([1, 2, 3, 4].map(() => startReceiver(respond)));
    const urls = receivers.flatMap(({ address }) => Array(25).fill(address));
    await addEvents(store, merchant, urls);
    const { attempted, worker } = startTestDeliveries(store, startClock(), { perAddress: 4, total: 20 });
    await held;
    await addEvents(store, merchant, urls);
    worker.wake();
    await readEvents(store);
    release();
    await attempted(2 * urls.length);
    expect(inFlightMax()).toBe(10);
    for (const receiver of receivers) expect(receiver.inFlightMax).toBeLessThanOrEqual(4);
  });
});
