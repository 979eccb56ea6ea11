import { expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { AddressLimits, type Permit } from '../../../gateway/src/webhooks/address-limits.ts';
import { DueEventFinder } from '../../../gateway/src/webhooks/due-events.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { addMerchant, START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';
import { addEvents } from './deliveries.ts';

/** Creates a finder whose clock advances with each query for addresses. */
function createFinder(store: Store, { msPerQuery = 0 } = {}) {
  const clock = new ManualClock(START);
  const read = {
    ...store.read,
    get: store.read.get.bind(store.read),
    run: store.read.run.bind(store.read),
    all: async (sql: string, ...values: (string | number | null)[]) => {
      const rows = await store.read.all(sql, ...values);
      if (sql.includes('hanging_addresses')) clock.advance(msPerQuery);
      return rows;
    },
  };
  const now = () => clock.now();
  const limits = new AddressLimits({ perAddress: 8, total: 16, promptMs: 3_000 }, now);
  const finder = new DueEventFinder({ read, now, limits, isClaimed: () => false, dueMax: 8 });
  /** Begins attempts of the found events. Returns their addresses. */
  const find = async () => {
    const due = await finder.acquireDue();
    const found = finder.takeAcquired();
    for (const { permit } of found) limits.begin(permit);
    const permits = found.map(({ permit }) => permit);
    return { due, permits, addresses: permits.map(({ state }) => state.address) };
  };
  return { clock, limits, finder, find };
}

function urls(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_item, index) => `http://${prefix}-${index}.test`);
}

function endLate(limits: AddressLimits, permits: readonly Permit[]): void {
  for (const permit of permits) {
    limits.adapt(permit, { responded: false, ms: 10_000 });
    limits.end(permit);
  }
}

describeOnEachStore('the search for due events', (open) => {
  /** A finder in a new store with some merchants. */
  async function start(options: Parameters<typeof createFinder>[1] = {}) {
    const store = await open();
    const [merchant, other, third] = [await addMerchant(store), await addMerchant(store), await addMerchant(store)];
    return { store, merchant, other, third, ...createFinder(store, options) };
  }

  it('finds an event that becomes due while it reads the many addresses of another merchant', async () => {
    const { store, merchant, other, find } = await start({ msPerQuery: 1_000 });
    await addEvents(store, merchant, urls('later', 600), { now: START + 60_000 });
    await addEvents(store, other, ['http://new.test'], { now: START + 1_500 });
    expect(await find()).toMatchObject({ addresses: ['http://new.test'] });
  });

  it('uses capacity that attempts release while it reads many addresses', async () => {
    const { store, merchant, clock, find } = await start({ msPerQuery: 1_000 });
    await addEvents(store, merchant, urls('hanging', 4));
    await addEvents(store, merchant, urls('next', 600), { now: START + 1 });
    expect((await find()).addresses).toHaveLength(4);
    const began = clock.now();
    expect((await find()).addresses).toHaveLength(4);
    expect(clock.now() - began).toBe(3_000);
  });

  it('forgets a waiting address once it has no due event, and returns when the next event is due', async () => {
    const { store, merchant, other, limits, find } = await start();
    await addEvents(store, merchant, urls('late', 5));
    await addEvents(store, other, urls('later', 300), { now: START + 60_000 });
    const { permits } = await find();
    expect(permits).toHaveLength(4);
    endLate(limits, permits);
    await store.unit((db) => db.run('update events set next_at = ? where next_at = ?', START + 5_000, START));
    expect(await find()).toMatchObject({ due: START + 5_000, addresses: [] });
  });

  it('finds waiting addresses before more events of attempted addresses', async () => {
    const { store, merchant, limits, find } = await start();
    await addEvents(store, merchant, [...urls('late', 8), ...urls('late', 8)]);
    const first = await find();
    await find();
    endLate(limits, first.permits);
    const addresses = new Set([...first.addresses, ...(await find()).addresses]);
    expect(addresses).toEqual(new Set(urls('late', 8)));
  });

  it('reads an address of each merchant if there are more than fit in a query', async () => {
    const { store, merchant, find } = await start();
    const ids = Array.from({ length: 300 }, (_item, index) => 20_001 + index);
    await store.unit(async (db) => {
      for (const id of ids) await db.run("insert into merchants (id, name, created_at) values (?, 'Shop', 0)", id);
    });
    for (const id of ids) {
      const now = id === ids.at(-1) ? START : START + 60_000;
      await addEvents(store, { ...merchant, id }, [`http://${id}.test`], { now });
    }
    expect((await find()).addresses).toEqual(['http://20300.test']);
  });

  it('finds a new address before older ones that wait for capacity', async () => {
    const { store, merchant, clock, find } = await start();
    await addEvents(store, merchant, urls('hanging', 600));
    const first = await find();
    // The remaining addresses are found, and wait.
    await find();
    await addEvents(store, merchant, ['http://new.test']);
    await find();
    clock.advance(3_000);
    const { addresses } = await find();
    expect(addresses).toHaveLength(first.addresses.length);
    expect(addresses).toContain('http://new.test');
  });

  it('gives capacity to the merchants with the fewest attempts first', async () => {
    const { store, merchant, other, third, limits, find } = await start();
    await addEvents(store, merchant, urls('one', 5));
    await addEvents(store, other, urls('other', 4));
    const { permits } = await find();
    const permitsOf = ({ id }: Merchant) => permits.filter(({ state }) => state.merchantId === id);
    expect([merchant, other].map((one) => permitsOf(one).length)).toEqual([4, 4]);
    await addEvents(store, third, urls('third', 3));
    // A merchant gets two attempts even if all capacity is taken.
    expect((await find()).addresses).toHaveLength(2);
    for (const permit of [...permitsOf(merchant).slice(0, 1), ...permitsOf(other).slice(0, 2)]) limits.end(permit);
    await store.unit((db) => db.run("update events set next_at = null where address like 'http://other-%'"));
    expect((await find()).addresses).toEqual(['http://third-2.test']);
  });

  it('finds events whose due time has long passed once they are announced, or after a minute', async () => {
    const { store, merchant, clock, find, finder } = await start();
    const addPast = (url: string) => addEvents(store, merchant, [url], { now: START - 30_000 });
    await find();
    await addPast('http://one.test');
    expect((await find()).addresses).toEqual([]);
    finder.announcePast();
    expect((await find()).addresses).toEqual(['http://one.test']);
    await store.unit((db) => db.run('update events set next_at = null'));
    await find();
    await addPast('http://other.test');
    expect((await find()).addresses).toEqual([]);
    clock.advance(60_000);
    expect((await find()).addresses).toEqual(['http://other.test']);
  });

  it('finds events that have waited for capacity for long', async () => {
    const { store, merchant, clock, limits, find } = await start();
    await addEvents(store, merchant, ['http://slow.test/1', 'http://slow.test/2']);
    const [first] = (await find()).permits;
    expect((await find()).addresses).toEqual([]);
    clock.advance(30_000);
    expect((await find()).addresses).toEqual([]);
    if (first) limits.end(first);
    expect((await find()).addresses).toEqual(['http://slow.test']);
  });
});
