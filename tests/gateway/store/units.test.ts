import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { type Database, type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { createMerchant, listMerchants } from '../../../gateway/src/merchants/merchants.ts';
import { START } from '../harness/fixtures.ts';
import { describeOnEachConnection } from '../harness.ts';

const NOW = START;

/** A unit that inserts a merchant and stays open until released. `inside` returns the names visible to it. */
function heldUnit(store: Store, name: string) {
  const inside = Promise.withResolvers<unknown[]>();
  const held = Promise.withResolvers<void>();
  const done = store.unit(async (db) => {
    await createMerchant(db, name, NOW);
    inside.resolve(await names(db));
    await held.promise;
  });
  done.catch(inside.reject);
  return { inside: inside.promise, letGo: held.resolve, done };
}

async function names(db: Database): Promise<unknown[]> {
  return (await db.all('select name from merchants order by id')).map(({ name }) => name);
}

describeOnEachConnection('a unit of work', (open, database) => {
  it("returns its work's result", async () => {
    const store = await open();
    expect(await store.unit(async () => 'value')).toBe('value');
  });

  it('rolls back when it throws, and rejects with the error', async () => {
    const store = await open();
    const failing = store.unit(async (db) => {
      await createMerchant(db, 'undone', NOW);
      throw new RangeError('told');
    });
    await expect(failing).rejects.toThrow(new RangeError('told'));
    expect(await names(store.read)).toEqual([]);
  });

  it('rolls back when one of its statements fails', async () => {
    const store = await open();
    const failing = store.unit(async (db) => {
      await createMerchant(db, 'undone', NOW);
      await db.run('insert into merchants (id, name, created_at) values (1, null, 0)');
    });
    await expect(failing).rejects.toThrow(/null/i);
    expect(await names(store.read)).toEqual([]);
  });

  it('is rolled back alone in a group', async () => {
    const store = await open();
    const units = Array.from({ length: 12 }, (_, index) =>
      store.unit(async (db) => {
        await db.run('insert into merchants (id, name, created_at) values (?, ?, ?)', index, `m${index}`, NOW);
        if (index % 4 === 1) throw new Error(`refused ${index}`);
        return index;
      }),
    );
    const outcomes = await Promise.allSettled(units);
    const failed = outcomes.flatMap((outcome, index) => (outcome.status === 'rejected' ? [index] : []));
    expect(failed).toEqual([1, 5, 9]);
    expect(await names(store.read)).toEqual(['m0', 'm2', 'm3', 'm4', 'm6', 'm7', 'm8', 'm10', 'm11']);
  });

  it('reads its own writes immediately, which others read only after its commit', async () => {
    const store = await open();
    const unit = heldUnit(store, 'new');
    expect(await unit.inside).toEqual(['new']);
    expect(await names(store.read)).toEqual([]);
    unit.letGo();
    await unit.done;
    expect(await names(store.read)).toEqual(['new']);
  });

  it('is refused as unavailable when too many wait', async () => {
    const store = (await database()).connect({ max: 1, queueMax: 2 });
    await migrate(store);
    const first = heldUnit(store, 'first');
    await first.inside;
    const waiting = [store.unit(async () => 1), store.unit(async () => 2)];
    await expect(store.unit(async () => 3)).rejects.toThrow(StoreUnavailable);
    first.letGo();
    expect(await Promise.all(waiting)).toEqual([1, 2]);
    expect(await store.unit(async () => 4)).toBe(4);
  });

  it('ends before the store closes if it began before', async () => {
    const address = await database();
    const store = address.connect({ max: 1 });
    await migrate(store);
    const first = heldUnit(store, 'first');
    await first.inside;
    const second = store.unit((db) => createMerchant(db, 'second', NOW));
    const closing = store.close();
    first.letGo();
    await closing;
    await Promise.all([first.done, second]);
    expect((await listMerchants(address.connect().read, 0, 10)).map(({ name }) => name)).toContain('second');
  });

  it('is refused as unavailable after the store was closed, and so is a read', async () => {
    const store = await open();
    await store.close();
    await expect(store.unit(async () => 1)).rejects.toThrow(StoreUnavailable);
    await expect(names(store.read)).rejects.toThrow(StoreUnavailable);
    await expect(store.close()).resolves.toBeUndefined();
  });
});
