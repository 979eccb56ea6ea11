/** Webhooks that a process has written and keeps, and their fate if their URL is stopped meanwhile. */
import { expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { appendEvent, DELIVERY_CLAIM_MS } from '../../../gateway/src/webhooks/outbox.ts';
import { addPayment, START } from '../harness/fixtures.ts';
import { describeOnEachDriver } from '../harness.ts';
import { addEvents, addSigningMerchant, eventsOf, startClock, startTestDeliveries } from './deliveries.ts';
import { startReceiver, status } from './receiver.ts';

/** Writes an event as a step does that is to be handed over. */
async function addClaimed(store: Store, merchant: Merchant, callbackUrl: string) {
  const transaction = { ...(await addPayment(store, merchant)), callbackUrl };
  const event = { id: randomIds.newId('evt', START), transaction, body: '{"status":"SUCCESS"}', now: START };
  return store.unit((db) => appendEvent(db, { ...event, leaseUntil: START + DELIVERY_CLAIM_MS }));
}

describeOnEachDriver('a webhook that is written', (open) => {
  async function scene() {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver();
    const deliveries = startTestDeliveries(store, startClock());
    const { worker, attempted } = deliveries;
    /** Delivers an event to each URL that is found in the database. */
    const deliver = async (...urls: string[]) => {
      const before = deliveries.attempts.length;
      await addEvents(store, merchant, urls);
      worker.wake();
      await attempted(before + urls.length);
      await worker.idle();
    };
    return { store, merchant, receiver, deliver, ...deliveries };
  }

  it('has a place if the last response of its lane was prompt, and waits for its turn otherwise', async () => {
    const { merchant, receiver, deliver, worker } = await scene();
    const url = `${receiver.address}/hook`;
    const reserve = (id = merchant.id) => worker.reserve(id, url);
    expect(reserve()).toBeUndefined();
    await deliver(url);
    const place = reserve();
    expect(place).toBeDefined();
    place?.release();
    // Lanes of other merchants have their own pace.
    expect(reserve(merchant.id + 1)).toBeUndefined();
    receiver.respondWith((response) => response.socket?.resetAndDestroy());
    await deliver(url);
    expect(reserve()).toBeUndefined();
  });

  it('has no place while its lane has claimed as many as it may, and has one again when they are given back', async () => {
    const { merchant, receiver, deliver, worker } = await scene();
    await deliver(receiver.address);
    const places = [];
    for (;;) {
      const place = worker.reserve(merchant.id, receiver.address);
      if (!place) break;
      places.push(place);
    }
    expect(places.length).toBeGreaterThan(1);
    places.pop()?.release();
    const again = worker.reserve(merchant.id, receiver.address);
    for (const place of [again, ...places]) place?.release();
    expect(again).toBeDefined();
  });

  it('is sent once when it is handed over', async () => {
    const { store, merchant, receiver, deliver, worker, attempted } = await scene();
    await deliver(receiver.address);
    const place = worker.reserve(merchant.id, receiver.address);
    const event = await addClaimed(store, merchant, receiver.address);
    place?.start(event);
    expect(worker.isClaimed(event.id)).toBe(true);
    await attempted(2);
    await worker.idle();
    expect(receiver.requests).toHaveLength(2);
    expect((await eventsOf(store)).map(({ delivered_at: at }) => at)).toEqual([START, START]);
  });

  it('is not sent when its URL returns 410 before it is handed over', async () => {
    const { store, merchant, receiver, deliver, worker, attempted } = await scene();
    const [gone, other] = [`${receiver.address}/gone`, `${receiver.address}/other`];
    await deliver(other);
    receiver.respondWith(status(410));
    const place = worker.reserve(merchant.id, gone);
    const event = await addClaimed(store, merchant, gone);
    expect(event.stopped).toBe(false);
    await addEvents(store, merchant, [gone]);
    worker.wake();
    await attempted(2);
    const sent = receiver.requests.length;
    place?.start(event);
    await worker.idle();
    expect(receiver.requests).toHaveLength(sent);
    const row = (await eventsOf(store)).find(({ id }) => id === event.id);
    const result = 'not sent: its URL is stopped';
    expect(row).toMatchObject({ attempts: 0, next_at: null, last_result: result });
  });
});
