import { describe, expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { appendEvent, DELIVERY_CLAIM_MS } from '../../../gateway/src/webhooks/outbox.ts';
import { addPayment, START } from '../harness/fixtures.ts';
import { openTestSqlite } from '../harness.ts';
import { addEvents, addSigningMerchant, openShop, readEvents, startClock, startTestDeliveries } from './deliveries.ts';
import { hang, startReceiver, status } from './receiver.ts';

it('reaches live endpoints while one with a long backlog and 400 names of another merchant hang', async () => {
  const store = await openTestSqlite();
  const [{ merchant }, other] = [await addSigningMerchant(store), await addSigningMerchant(store)];
  const dead = await startReceiver(hang);
  const live = await Promise.all(Array.from({ length: 9 }, () => startReceiver()));
  const names = Array.from({ length: 400 }, (_item, index) => `http://dead-${index}.test/`);
  await addEvents(store, merchant, Array(1_000).fill(dead.address), { now: START - 60_000 });
  await addEvents(store, other.merchant, names, { now: START - 60_000 });
  const urls = live.flatMap(({ address }) => Array(20).fill(address));
  await addEvents(store, merchant, urls);
  startTestDeliveries(store, startClock(), { resolve: () => new Promise(() => undefined) });
  await Promise.all(live.map((receiver) => receiver.received(20)));
  expect(dead.inFlightMax).toBe(1);
});

it('remembers a hanging address for the next process, until it responds', async () => {
  const { store, clock, merchant, receiver } = await openShop(openTestSqlite, hang);
  await addEvents(store, merchant, [receiver.address]);
  const hanging = () => store.read.all('select merchant_id, address, hung_at from hanging_addresses');
  const { worker } = startTestDeliveries(store, clock);
  await receiver.received(1);
  clock.advance(3_000);
  await worker.stop();
  expect(await hanging()).toEqual([{ merchant_id: merchant.id, address: receiver.address, hung_at: START + 3_000 }]);
  receiver.respondWith(status(204));
  await startTestDeliveries(store, clock).attempted(1);
  expect(await hanging()).toEqual([]);
});

/** Writes an event with a lease, as a step does. */
async function addLeased(store: Store, merchant: Merchant, callbackUrl: string) {
  const transaction = { ...(await addPayment(store, merchant)), callbackUrl };
  const event = { id: randomIds.newId('evt', START), transaction, body: '{"status":"SUCCESS"}', now: START };
  return store.unit((db) => appendEvent(db, { ...event, leaseUntil: START + DELIVERY_CLAIM_MS }));
}

describe('a dispatched webhook', () => {
  async function start() {
    const store = await openTestSqlite();
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver();
    const deliveries = startTestDeliveries(store, startClock());
    const { worker, attempted } = deliveries;
    /** Delivers an event to each URL, found in the database. */
    const deliver = async (...urls: string[]) => {
      const before = deliveries.attempts.length;
      await addEvents(store, merchant, urls);
      worker.wake();
      await attempted(before + urls.length);
      await worker.idle();
    };
    return { store, merchant, receiver, deliver, ...deliveries };
  }

  it('requires that the last response of its address was prompt', async () => {
    const { merchant, receiver, deliver, worker } = await start();
    const url = `${receiver.address}/hook`;
    const reserve = (id = merchant.id) => worker.reserve(id, url);
    expect(reserve()).toBeUndefined();
    await deliver(url);
    const permit = reserve();
    expect(permit).toBeDefined();
    permit?.release();
    // Limits are separate for each merchant.
    expect(reserve(merchant.id + 1)).toBeUndefined();
    receiver.respondWith((response) => response.socket?.resetAndDestroy());
    await deliver(url);
    expect(reserve()).toBeUndefined();
  });

  it('requires capacity at its address', async () => {
    const { merchant, receiver, deliver, worker } = await start();
    await deliver(receiver.address);
    const permits = [];
    for (;;) {
      const permit = worker.reserve(merchant.id, receiver.address);
      if (!permit) break;
      permits.push(permit);
    }
    expect(permits.length).toBeGreaterThan(1);
    permits.pop()?.release();
    const again = worker.reserve(merchant.id, receiver.address);
    for (const permit of [again, ...permits]) permit?.release();
    expect(again).toBeDefined();
  });

  it('is sent once', async () => {
    const { store, merchant, receiver, deliver, worker, attempted } = await start();
    await deliver(receiver.address);
    const permit = worker.reserve(merchant.id, receiver.address);
    const event = await addLeased(store, merchant, receiver.address);
    permit?.start(event);
    expect(worker.isClaimed(event.id)).toBe(true);
    await attempted(2);
    await worker.idle();
    expect(receiver.requests).toHaveLength(2);
    expect((await readEvents(store)).map(({ delivered_at: at }) => at)).toEqual([START, START]);
  });

  it('is not sent if its URL returns 410 before it is dispatched', async () => {
    const { store, merchant, receiver, deliver, worker, attempted } = await start();
    const [gone, other] = [`${receiver.address}/gone`, `${receiver.address}/other`];
    await deliver(other);
    receiver.respondWith(status(410));
    const permit = worker.reserve(merchant.id, gone);
    const event = await addLeased(store, merchant, gone);
    expect(event.stopped).toBe(false);
    await addEvents(store, merchant, [gone]);
    worker.wake();
    await attempted(2);
    const sent = receiver.requests.length;
    permit?.start(event);
    await worker.idle();
    expect(receiver.requests).toHaveLength(sent);
    const row = (await readEvents(store)).find(({ id }) => id === event.id);
    const result = 'not sent: its URL is stopped';
    expect(row).toMatchObject({ attempts: 0, next_at: null, last_result: result });
  });
});
