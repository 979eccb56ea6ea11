import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { type Database, Rejection, type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { createStep, DONE } from '../../../gateway/src/domain/schedule.ts';
import type { Step, Transaction, UsageChange } from '../../../gateway/src/domain/transaction.ts';
import { createMerchant, type Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { insertTransaction } from '../../../gateway/src/transactions/rows.ts';
import { contendedRows } from '../../../gateway/src/transactions/write-step.ts';
import { addMerchant, addPayment, holdUnit, openTestPayment, recordStep, START } from '../harness/fixtures.ts';
import { describeOnEachConnection, describeOnEachStore, openTestPostgres, openTestSqlite } from '../harness.ts';

const NOW = START;

/** A held unit that has inserted a merchant. Its result is the names visible to it. */
function holdInsert(store: Store, name: string) {
  return holdUnit(store, async (db) => {
    await createMerchant(db, name, NOW);
    return names(db);
  });
}

async function names(db: Database): Promise<unknown[]> {
  return (await db.all('select name from merchants order by id')).map(({ name }) => name);
}

describeOnEachConnection('a unit of work', (open, database) => {
  it.each([
    ['alone', undefined],
    ['with others in one transaction', []],
  ])('is rolled back if it throws, a statement fails or it is rejected, when committed %s', async (_how, together) => {
    const store = await open();
    const rejection = new Rejection('changed its mind');
    const units = Array.from({ length: 12 }, (_, index) =>
      store.unit(
        async (db) => {
          await db.run('insert into merchants (id, name, created_at) values (?, ?, ?)', index, `m${index}`, NOW);
          if (index === 3) throw new RangeError('refused');
          if (index === 7) await db.run('insert into merchants (id, name, created_at) values (100, null, 0)');
          return index === 9 ? rejection : index;
        },
        { together },
      ),
    );
    const outcomes = await Promise.allSettled(units);
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    expect(failed).toEqual(['RangeError: refused', expect.stringMatching(/null/i)]);
    expect(outcomes[9]).toMatchObject({ value: rejection });
    expect(await names(store.read)).toEqual(['m0', 'm1', 'm2', 'm4', 'm5', 'm6', 'm8', 'm10', 'm11']);
  });

  it('reads its own writes immediately, which others read only after its commit', async () => {
    const store = await open();
    const unit = await holdInsert(store, 'new');
    expect(unit.result).toEqual(['new']);
    expect(await names(store.read)).toEqual([]);
    unit.letGo();
    await unit.done;
    expect(await names(store.read)).toEqual(['new']);
  });

  it('is refused as unavailable when too many wait', async () => {
    const store = (await database()).connect({ max: 1, queueMax: 2 });
    await migrate(store);
    const first = await holdInsert(store, 'first');
    const waiting = [store.unit(async () => 1), store.unit(async () => 2)];
    await expect(store.unit(async () => 3)).rejects.toThrow(StoreUnavailable);
    first.letGo();
    expect(await Promise.all(waiting)).toEqual([1, 2]);
    expect(await store.unit(async () => 4)).toBe(4);
  });

  it('ends before the store closes if it began before, and is refused afterwards, as are reads', async () => {
    const address = await database();
    const store = address.connect({ max: 1 });
    await migrate(store);
    const first = await holdInsert(store, 'first');
    const second = store.unit((db) => createMerchant(db, 'second', NOW));
    const closing = store.close();
    first.letGo();
    await closing;
    await Promise.all([first.done, second]);
    expect(await names(address.connect().read)).toEqual(['first', 'second']);
    await expect(store.unit(async () => 1)).rejects.toThrow(StoreUnavailable);
    await expect(names(store.read)).rejects.toThrow(StoreUnavailable);
    await expect(store.close()).resolves.toBeUndefined();
  });
});

const ROOM: UsageChange = { amount: 5, limits: { perDay: 10, perMonth: 10 } };

function creation(merchant: Merchant, usage?: UsageChange, orderId?: string): Step {
  const request = { customer: { id: 'one' }, ...(orderId !== undefined && { merchant_order_id: orderId }) };
  return { ...openTestPayment(merchant.id, request), ...(usage && { usage }) };
}

const write = (db: Database, step: Step) => recordStep(db, step, { ids: randomIds, webhook: undefined });

/** The next version of a transaction, which counts against the customer's limits. */
function counted(transaction: Transaction, usage: UsageChange): Step {
  return { ...createStep(transaction, DONE), usage };
}

async function contents(store: Store) {
  const [transactions, sums] = await Promise.all([
    store.read.all('select id, version from transactions order by id'),
    store.read.all('select period, amount from customer_usage order by period'),
  ]);
  return { transactions, sums };
}

describeOnEachStore('a step', (open) => {
  it('changes nothing if its order ID is taken, its version outdated or the limit of the customer exceeded', async () => {
    const store = await open();
    const [merchant, other] = [await addMerchant(store), await addMerchant(store)];
    const first = creation(merchant, ROOM, 'order-1');
    const step = (wanted: Step) => store.unit((db) => write(db, wanted));
    expect(await step(first)).toBeUndefined();
    expect(await step(creation(other, undefined, 'order-1'))).toBeUndefined();
    const before = await contents(store);
    const tooMuch = { ...ROOM, amount: 6 };
    expect(await step(creation(merchant, ROOM, 'order-1'))).toEqual({ reason: 'order_id_taken' });
    expect(await step(creation(merchant, tooMuch, 'order-1'))).toEqual({ reason: 'order_id_taken' });
    expect(await step(counted(first.transaction, tooMuch))).toEqual({ reason: 'limit_exceeded' });
    expect(await step(counted({ ...first.transaction, version: 7 }, ROOM))).toEqual({ reason: 'version_conflict' });
    expect(await contents(store)).toEqual(before);
  });

  it('rejects a late change with impossible effects as a whole', async () => {
    const store = await open();
    const [merchant, other] = [await addMerchant(store), await addMerchant(store)];
    const step = creation(merchant);
    await store.unit((db) => write(db, step));
    const before = await contents(store);
    const late = createStep({ ...step.transaction, version: 7 }, DONE, {
      // The pending amount is 0, so the database refuses the entry.
      entries: [{ from: 'pending', to: 'available', amount: 5, reason: 'settled' }],
      notify: true,
    });
    const options = { ids: randomIds, webhook: '{}', now: START };
    // One neighbor has sent all its statements when the entry is refused, the other has not.
    const rename = (db: Database) => db.run("update merchants set name = 'renamed' where id = ?", other.id);
    const neighbors = [rename, (db: Database) => write(db, creation(other))];
    for (const { notify, neighbor } of neighbors.flatMap((neighbor) =>
      [true, false].map((notify) => ({ notify, neighbor })),
    )) {
      const [conflict] = await Promise.all([
        store.unit((db) => recordStep(db, { ...late, notify }, options), { together: [] }),
        store.unit<unknown>(neighbor, { together: [] }),
      ]);
      expect(conflict).toEqual({ reason: 'version_conflict' });
    }
    const { transactions, sums } = await contents(store);
    expect([transactions.length, sums]).toEqual([before.transactions.length + 2, before.sums]);
    expect(await store.read.all('select id from events union all select id from ledger_entries')).toEqual([]);
    expect(await store.read.get('select name from merchants where id = ?', other.id)).toEqual({ name: 'renamed' });
  });
});

// Not with injected conflicts, after which units run again.
describe.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
])('a step in a group commit (%s)', (_kind, open) => {
  it('runs once, regardless of rejected ones', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const known = creation(merchant, ROOM, 'order-1');
    await store.unit((db) => write(db, known));
    let runs = 0;
    const accepted = () => Array.from({ length: 20 }, () => creation(merchant));
    const rejected = [
      creation(merchant, { amount: 1_000, limits: { perDay: 10, perMonth: 10 } }),
      creation(merchant, { ...ROOM, amount: 6 }),
      creation(merchant, undefined, 'order-1'),
      creation(merchant, ROOM, 'order-1'),
      counted({ ...known.transaction, version: 7 }, ROOM),
      counted(known.transaction, { ...ROOM, amount: 6 }),
    ];
    const run = (step: Step) =>
      store.unit(
        (db) => {
          runs += 1;
          return write(db, step);
        },
        { together: contendedRows(step) },
      );
    const outcomes = await Promise.all([...accepted(), ...rejected, ...accepted()].map(run));
    expect(outcomes.filter((outcome) => outcome instanceof Rejection)).toHaveLength(6);
    expect(runs).toBe(outcomes.length);
    const { transactions, sums } = await contents(store);
    expect(transactions).toHaveLength(41);
    expect(sums.map(({ amount }) => amount)).toEqual([5, 5]);
  });
});

describeOnEachStore('the database', (open) => {
  it('refuses a transaction of an unknown merchant', async () => {
    const store = await open();
    const payment = await addPayment(store, await addMerchant(store));
    const orphan = { ...payment, id: 'pay_orphan', merchantId: 1 };
    await expect(store.unit((db) => insertTransaction(db, orphan))).rejects.toThrow(/foreign key/i);
  });

  it('gives merchants unique numbers, even if several are added concurrently', async () => {
    const store = await open();
    const names = ['a', 'b', 'c', 'd', 'e'];
    const added = await Promise.all(names.map((name) => store.unit((db) => createMerchant(db, name, START))));
    expect(added.map(({ name }) => name)).toEqual(names);
    expect(new Set(added.map(({ id }) => id)).size).toBe(names.length);
  });
});
