import { describe, expect, it } from 'vitest';
import { resumeUrl, stoppedUrls } from '../../../gateway/src/webhooks/stopped-urls.ts';
import { START } from '../harness/fixtures.ts';
import { openTestSqlite } from '../harness.ts';
import { addEvents, addSigningMerchant, openShop, readEvents, startTestDeliveries } from './deliveries.ts';
import { status } from './receiver.ts';

describe('a URL that has returned 410', () => {
  it('gets no events until it is resumed', async () => {
    const { store, clock, merchant, receiver } = await openShop(openTestSqlite, (response, { path }) =>
      response.writeHead(path === '/gone' ? 410 : 503).end(),
    );
    const [gone, other] = [`${receiver.address}/gone`, `${receiver.address}/other`] as const;
    await addEvents(store, merchant, [gone], { now: START - 2 });
    await addEvents(store, merchant, [other], { now: START - 1 });
    await addEvents(store, merchant, [gone], { now: START + 1_000 });
    const { attempted, worker, attempts } = startTestDeliveries(store, clock);
    await attempted(2);
    const [first, failed, later] = await readEvents(store);
    expect(first).toMatchObject({ next_at: null, delivered_at: null, attempts: 1, last_result: 'responded 410' });
    const result = 'not sent: its URL is stopped';
    expect(later).toMatchObject({ next_at: null, delivered_at: null, attempts: 0, last_result: result });
    expect(failed).toMatchObject({ next_at: START + 5_000 });
    expect(await stoppedUrls(store.read, { merchantId: merchant.id, limit: 10 })).toEqual([
      { merchantId: merchant.id, url: gone, eventId: first?.['id'], stoppedAt: START },
    ]);

    await addEvents(store, merchant, [gone], { now: START });
    worker.wake();
    await worker.idle();
    expect((await readEvents(store)).filter((event) => event['last_result'] === result)).toHaveLength(2);
    expect(attempts.map(({ outcome }) => outcome).sort()).toEqual(['retried', 'stopped']);

    expect(await store.unit((db) => resumeUrl(db, merchant.id, gone))).toBe(true);
    await addEvents(store, merchant, [gone], { now: START });
    worker.wake();
    await attempted(3);
    expect(receiver.requests.filter(({ path }) => path === '/gone')).toHaveLength(2);
  });

  it('gets no claimed events either', async () => {
    const { store, clock, merchant, receiver } = await openShop(openTestSqlite, status(410));
    await addEvents(store, merchant, Array(30).fill(receiver.address));
    const { attempted, worker } = startTestDeliveries(store, clock);
    await attempted(1);
    await worker.idle();
    expect(receiver.requests.length).toBeLessThanOrEqual(2);
    expect((await readEvents(store)).filter((event) => event['next_at'] !== null)).toEqual([]);
  });

  it('gets the events of another merchant', async () => {
    const { store, clock, merchant, receiver } = await openShop(openTestSqlite, (response, _received, count) =>
      response.writeHead(count === 1 ? 410 : 204).end(),
    );
    const other = await addSigningMerchant(store);
    await addEvents(store, merchant, [receiver.address]);
    const { attempted, worker, attempts } = startTestDeliveries(store, clock);
    await attempted(1);
    await addEvents(store, other.merchant, [receiver.address]);
    worker.wake();
    await attempted(2);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['stopped', 'delivered']);
  });
});
