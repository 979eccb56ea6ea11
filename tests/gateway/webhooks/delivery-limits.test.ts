import { expect, it } from 'vitest';
import { START } from '../harness/fixtures.ts';
import { openTestSqlite } from '../harness.ts';
import { addEvents, addSigningMerchant, openShop, startClock, startTestDeliveries } from './deliveries.ts';
import { hang, reset, startReceiver, status } from './receiver.ts';

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
  expect(dead.requests).toHaveLength(1);
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

it('a webhook is dispatched if the last response of its address was prompt, and it has capacity', async () => {
  const { store, clock, merchant, receiver } = await openShop(openTestSqlite);
  const { worker, attempted } = startTestDeliveries(store, clock);
  const reserve = (id = merchant.id) => worker.reserve(id, receiver.address);
  const deliver = async (count: number) => {
    await addEvents(store, merchant, [receiver.address]);
    worker.wake();
    await attempted(count);
    await worker.idle();
  };
  expect(reserve()).toBeUndefined();
  await deliver(1);
  // Limits are separate for each merchant.
  expect(reserve(merchant.id + 1)).toBeUndefined();
  const permits = [];
  for (let permit = reserve(); permit; permit = reserve()) permits.push(permit);
  expect(permits.length).toBeGreaterThan(1);
  for (const permit of permits) permit.release();
  const again = reserve();
  expect(again).toBeDefined();
  again?.release();
  receiver.respondWith(reset);
  await deliver(2);
  expect(reserve()).toBeUndefined();
});
