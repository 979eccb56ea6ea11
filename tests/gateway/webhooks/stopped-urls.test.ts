import { describe, expect, it } from 'vitest';
import { openTestSqlite } from '../harness.ts';
import { addEvents, addSigningMerchant, openShop, readEvents, startTestDeliveries } from './deliveries.ts';
import { status } from './receiver.ts';

describe('a URL that has returned 410', () => {
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
