/** Expected refusals: they are rolled back without affecting other units of the same commit. */

import { expect, it } from 'vitest';
import { type Database, Rejection, type Store } from '../../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { openPayment } from '../../../gateway/src/domain/payment.ts';
import { createStep, DONE } from '../../../gateway/src/domain/schedule.ts';
import type { Step, Transaction, UsageChange } from '../../../gateway/src/domain/transaction.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { paymentOrder } from '../../../gateway/src/transactions/orders.ts';
import { addMerchant, paymentRequest, recordStep, START } from '../harness/fixtures.ts';
import { describeOnEachConnection, openTestSqlite } from '../harness.ts';

const FULL: UsageChange = { amount: 1_000, limits: { perDay: 10, perMonth: 10 } };
const ROOM: UsageChange = { amount: 5, limits: { perDay: 10, perMonth: 10 } };

function creation(merchant: Merchant, usage?: UsageChange, orderId?: string): Step {
  const opening = {
    methods: sandboxMethods,
    id: randomIds.newId('pay', START),
    merchantId: merchant.id,
    now: START,
    checkoutToken: '',
  };
  const request = paymentRequest({
    customer: { id: 'one' },
    ...(orderId !== undefined && { merchant_order_id: orderId }),
  });
  return { ...openPayment({ ...opening, order: paymentOrder(request) }), ...(usage && { usage }) };
}

const create = (db: Database, step: Step) => recordStep(db, step, { ids: randomIds, webhook: undefined });
const change = (db: Database, step: Step) => recordStep(db, step, { ids: randomIds, webhook: undefined, now: START });

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

describeOnEachConnection('a unit of work that is rejected', (open) => {
  it('rolls back on rejection', async () => {
    const store = await open();
    const rejection = new Rejection('changed its mind');
    const outcome = await store.unit(async (db) => {
      await db.run('insert into merchants (id, name, created_at) values (1, ?, ?)', 'undone', START);
      return rejection;
    });
    expect(outcome).toBe(rejection);
    expect(await store.read.all('select id from merchants')).toEqual([]);
    expect(await store.unit(async () => 'the next')).toBe('the next');
  });

  it("rejects a creation over a customer's limit", async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    expect(await store.unit((db) => create(db, creation(merchant, FULL)))).toEqual({ reason: 'limit_exceeded' });
    expect(await contents(store)).toEqual({ transactions: [], sums: [] });
  });

  it('rejects a creation with a taken order ID without counting usage', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const first = creation(merchant, ROOM, 'order-1');
    expect(await store.unit((db) => create(db, first))).toBeUndefined();
    const before = await contents(store);
    const repeated = creation(merchant, ROOM, 'order-1');
    expect(await store.unit((db) => create(db, repeated))).toEqual({ reason: 'order_id_taken' });
    const overLimit = creation(merchant, { ...ROOM, amount: 6 }, 'order-1');
    expect(await store.unit((db) => create(db, overLimit))).toEqual({ reason: 'order_id_taken' });
    expect(await contents(store)).toEqual(before);
  });

  it("rejects a change that exceeds a customer's limit or has an outdated version", async () => {
    const store = await open();
    const step = creation(await addMerchant(store), ROOM);
    await store.unit((db) => create(db, step));
    const before = await contents(store);
    const exceeding = counted(step.transaction, { ...ROOM, amount: 6 });
    expect(await store.unit((db) => change(db, exceeding))).toEqual({ reason: 'limit_exceeded' });
    const late = counted({ ...step.transaction, version: 7 }, ROOM);
    expect(await store.unit((db) => change(db, late))).toEqual({ reason: 'version_conflict' });
    expect(await contents(store)).toEqual(before);
  });

  it('rejects a late change with impossible effects as a whole', async () => {
    const store = await open();
    const [merchant, other] = [await addMerchant(store), await addMerchant(store)];
    const step = creation(merchant);
    await store.unit((db) => create(db, step));
    const before = await contents(store);
    const late = createStep({ ...step.transaction, version: 7 }, DONE, {
      // The pending amount is 0, so the database refuses the entry.
      entries: [{ from: 'pending', to: 'available', amount: 5, reason: 'settled' }],
      notify: true,
    });
    const options = { ids: randomIds, webhook: '{}', now: START };
    // One neighbor has sent all its statements when the entry is refused, the other has not.
    const rename = (db: Database) => db.run("update merchants set name = 'renamed' where id = ?", other.id);
    const neighbors = [rename, (db: Database) => create(db, creation(other))];
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

  it('accepts exactly one of several creations with the same order id, counted once', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const steps = Array.from({ length: 8 }, () => creation(merchant, { ...ROOM, amount: 1 }, 'order-1'));
    const outcomes = await Promise.all(steps.map((step) => store.unit((db) => create(db, step))));
    expect(outcomes.filter((rejection) => rejection === undefined)).toHaveLength(1);
    expect(outcomes.filter((rejection) => rejection?.reason === 'order_id_taken')).toHaveLength(7);
    expect((await contents(store)).sums).toEqual([
      { period: '2026-03', amount: 1 },
      { period: '2026-03-02', amount: 1 },
    ]);
  });
});

it('a group commit on SQLite runs each unit once, despite rejections', async () => {
  const store = await openTestSqlite();
  const merchant = await addMerchant(store);
  const known = creation(merchant, ROOM, 'order-1');
  await store.unit((db) => create(db, known));
  let runs = 0;
  const run = (work: (db: Database) => Promise<unknown>) =>
    store.unit((db) => {
      runs += 1;
      return work(db);
    });
  const outcomes = await Promise.all([
    ...Array.from({ length: 20 }, () => run((db) => create(db, creation(merchant)))),
    run((db) => create(db, creation(merchant, FULL))),
    run((db) => create(db, creation(merchant, { ...ROOM, amount: 6 }))),
    run((db) => create(db, creation(merchant, { amount: 6, limits: { perDay: 100, perMonth: 10 } }))),
    run((db) => create(db, creation(merchant, { amount: 6, limits: { perDay: 10, perMonth: 100 } }))),
    run((db) => create(db, creation(merchant, undefined, 'order-1'))),
    run((db) => create(db, creation(merchant, ROOM, 'order-1'))),
    run((db) => change(db, counted({ ...known.transaction, version: 7 }, ROOM))),
    run((db) => change(db, counted(known.transaction, { ...ROOM, amount: 6 }))),
    ...Array.from({ length: 20 }, () => run((db) => create(db, creation(merchant)))),
  ]);
  expect(outcomes.filter((outcome) => outcome instanceof Rejection)).toHaveLength(8);
  expect(runs).toBe(outcomes.length);
  const { transactions, sums } = await contents(store);
  expect(transactions).toHaveLength(41);
  expect(sums.map(({ amount }) => amount)).toEqual([5, 5]);
});
