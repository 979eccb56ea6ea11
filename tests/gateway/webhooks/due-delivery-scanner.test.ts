import { expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import { Claims } from '../../../gateway/src/webhooks/claims.ts';
import { DueDeliveryScanner } from '../../../gateway/src/webhooks/due-delivery-scanner.ts';
import { Lanes } from '../../../gateway/src/webhooks/lanes.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { addMerchant, START } from '../harness/fixtures.ts';
import { afterwards, describeOnEachStoreAndPartitions } from '../harness.ts';
import { addEvents } from './deliveries.ts';

/** A look, whose clock is moved on by so much after each reading of lanes. */
function startLook(store: Store, { total = 16, msPerStep = 0 } = {}) {
  const clock = new ManualClock(START);
  const read = {
    ...store.read,
    get: store.read.get.bind(store.read),
    run: store.read.run.bind(store.read),
    all: async (sql: string, ...values: (string | number | null)[]) => {
      const rows = await store.read.all(sql, ...values);
      if (sql.includes('slow_lanes')) clock.advance(msPerStep);
      return rows;
    },
  };
  const claims = new Claims({ store, clock, time: storeTime(clock) }, (error) => expect.fail(String(error)));
  afterwards(async () => claims.close());
  const lanes = new Lanes({ perLane: 8, total, promptMs: 3_000 }, () => clock.now());
  const look = new DueDeliveryScanner({ store: { ...store, read }, clock }, lanes, claims, 64);
  /** The addresses of what a look has found. */
  const find = async () => {
    const due = await look.nextDue();
    const found = look.take();
    return {
      due,
      addresses: found.map(({ ticket }) => ticket.lane.address),
      tickets: found.map(({ ticket }) => ticket),
    };
  };
  return { clock, lanes, find };
}

function urls(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_item, index) => `http://${prefix}-${index}.test`);
}

describeOnEachStoreAndPartitions('a look for due deliveries', (open) => {
  it('finds what becomes due while it sees the many lanes of another merchant', async () => {
    const store = await open();
    const [many, other] = [await addMerchant(store), await addMerchant(store)];
    await addEvents(store, many, urls('later', 600), { now: START + 60_000 });
    await addEvents(store, other, ['http://new.test'], { now: START + 1_500 });
    const { find } = startLook(store, { msPerStep: 1_000 });
    expect(await find()).toMatchObject({ addresses: ['http://new.test'] });
  });

  it('gives slots again that come free while it sees many lanes', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    await addEvents(store, merchant, urls('hanging', 4));
    await addEvents(store, merchant, urls('next', 600), { now: START + 1 });
    const { clock, lanes, find } = startLook(store, { msPerStep: 1_000 });
    const first = await find();
    expect(first.addresses).toHaveLength(4);
    for (const ticket of first.tickets) await lanes.enter(ticket);
    const began = clock.now();
    expect((await find()).addresses).toHaveLength(4);
    expect(clock.now() - began).toBe(3_000);
  });

  it('says when the next delivery is due if nothing is due now', async () => {
    const store = await open();
    const [one, other] = [await addMerchant(store), await addMerchant(store)];
    await addEvents(store, one, urls('later', 300), { now: START + 60_000 });
    await addEvents(store, other, urls('sooner', 1), { now: START + 5_000 });
    expect(await startLook(store).find()).toMatchObject({ due: START + 5_000, addresses: [] });
  });

  it('sees a lane of each of more merchants than a statement takes', async () => {
    const store = await open();
    const merchants = await store.unit(async (db) => {
      for (let id = 20_001; id <= 20_300; id++)
        await db.run("insert into merchants (id, name, created_at) values (?, 'Shop', 0)", id);
      return Array.from({ length: 300 }, (_item, index) => 20_001 + index);
    });
    const last = { id: merchants.at(-1) ?? 0, name: 'Shop', createdAt: 0 };
    for (const id of merchants.slice(0, -1))
      await addEvents(store, { ...last, id }, ['http://later.test'], { now: START + 60_000 });
    await addEvents(store, last, ['http://due.test']);
    expect((await startLook(store).find()).addresses).toEqual(['http://due.test']);
  });
});
