import { describe, expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { appendToLogs, logEntries, parseLog } from '../../../gateway/src/webhooks/attempt-log.ts';
import { eventById } from '../../../gateway/src/webhooks/merchant-events.ts';
import { claimDeliveries, type Delivery, DELIVERY_CLAIM_MS as LEASE_MS } from '../../../gateway/src/webhooks/outbox.ts';
import { resendEvents } from '../../../gateway/src/webhooks/resends.ts';
import { stoppedUrls } from '../../../gateway/src/webhooks/stopped-urls.ts';
import { START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';
import { addEvents, addSigningMerchant, openShop, readEvents, type Shop, startTestDeliveries } from './deliveries.ts';
import { hang, type Respond, status } from './receiver.ts';

async function listIds(store: Store): Promise<string[]> {
  return (await readEvents(store)).map(({ id }) => String(id));
}

/** Claims all deliveries for another process. */
async function claimAll(store: Store, now: number): Promise<Delivery[]> {
  const ids = await listIds(store);
  return store.unit((db) => claimDeliveries(db, ids, now, now + LEASE_MS));
}

describeOnEachStore('a process that delivers webhooks', (open) => {
  it('renews its lease until the attempt ends', async () => {
    const { store, clock, merchant, receiver } = await openShop(open, hang);
    await addEvents(store, merchant, [receiver.address]);
    startTestDeliveries(store, clock);
    await receiver.received(1);
    const other = startTestDeliveries(store, clock);
    for (let i = 0; i < 10; i++) {
      clock.advance(LEASE_MS / 2);
      await expect
        .poll(async () => (await readEvents(store))[0]?.['next_at'], { interval: 1 })
        .toBe(clock.now() + LEASE_MS);
      await other.worker.idle();
    }
    expect(receiver.requests).toHaveLength(1);
  });

  it('releases deliveries in flight when it stops', async () => {
    const { store, clock, merchant, receiver } = await openShop(open, hang);
    await addEvents(store, merchant, Array(5).fill(receiver.address));
    const { worker, attempts, reported } = startTestDeliveries(store, clock);
    await receiver.received(1);
    await worker.stop();
    for (const event of await readEvents(store)) expect(event).toMatchObject({ attempts: 0, next_at: START });
    expect({ attempts, reported }).toEqual({ attempts: [], reported: [] });
    receiver.respondWith(status(204));
    await startTestDeliveries(store, clock).attempted(5);
  });

  describe.each(['an event', 'a resend'])('with %s that another process has claimed since', (kind) => {
    it.each([500, 204, 410])('changes nothing when the endpoint returns %i late', async (code) => {
      const held = Promise.withResolvers<() => void>();
      const { store, clock } = await openWith(kind, (response) => held.resolve(() => response.writeHead(code).end()));
      // Its clock doesn't move, as if it were paused, so it renews no lease.
      const { worker, attempts, logged } = startTestDeliveries(store, clock);
      const respond = await held.promise;
      expect(await claimAll(store, START + LEASE_MS)).toHaveLength(1);
      const before = await readEvents(store);
      respond();
      await worker.idle();
      const [event, ...others] = await readEvents(store);
      // The attempt was made, so it is logged.
      expect(parseLog(String(event?.['attempt_log']))).toMatchObject([{ status: code }]);
      expect([{ ...event, attempt_log: null }, ...others]).toEqual(before);
      expect(await stoppedUrls(store.read, { limit: 10 })).toEqual([]);
      expect(attempts).toEqual([]);
      expect(logged).toEqual([expect.objectContaining({ result: `responded ${code}` })]);
    });

    it('renews no lease', async () => {
      const { store, clock, receiver } = await openWith(kind, hang);
      const { worker } = startTestDeliveries(store, clock);
      await receiver.received(1);
      await claimAll(store, START + 10 * LEASE_MS);
      const before = await readEvents(store);
      clock.advance(LEASE_MS);
      await worker.stop();
      expect(await readEvents(store)).toEqual(before);
    });
  });

  /** Opens a shop with one delivery: an event, or a resend of a delivered event. */
  async function openWith(kind: string, respond: Respond): Promise<Shop> {
    const shop = await openShop(open, respond);
    const { store, merchant, receiver } = shop;
    await addEvents(store, merchant, [receiver.address]);
    if (kind === 'a resend') {
      const ids = await listIds(store);
      await store.unit((db) => db.run('update events set next_at = null, delivered_at = ?', START));
      await store.unit((db) =>
        resendEvents(db, merchant.id, ids, { now: START, due: START, ids: randomIds, waitingMax: 100 }),
      );
    }
    return shop;
  }
});

const attempt = (status: number) => ({ at: START, durationMs: 5, status });

describeOnEachStore('the log of attempts', (open) => {
  it('takes about a hundred attempts of an event in order, and none of a deleted event', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    await addEvents(store, merchant, ['http://a.test/', 'http://b.test/']);
    const [a = '', b = ''] = await listIds(store);
    const append = (...made: [eventId: string, status: number][]) => {
      const entries = made.map(([eventId, status]) => ({ eventId, entries: logEntries([attempt(status)]) ?? '' }));
      return store.unit((db) => appendToLogs(db, entries));
    };
    const readLog = async (id: string) => (await eventById(store.read, undefined, id))?.log ?? [];
    await append([a, 500], [b, 502], [a, 501], ['evt_gone', 200]);
    await append([a, 204]);
    expect(await readLog(a)).toEqual([attempt(500), attempt(501), attempt(204)]);
    expect(await readLog(b)).toEqual([attempt(502)]);
    for (let count = 0; count < 100; count++)
      await append(...Array.from({ length: 9 }, (): [string, number] => [b, 500]));
    const { length } = await readLog(b);
    expect(length).toBeGreaterThan(100);
    expect(length).toBeLessThan(900);
    const long = { at: START, durationMs: 15_000, error: 'x'.repeat(1_000) };
    expect(logEntries([long])?.length).toBeLessThan(130);
  });
});
