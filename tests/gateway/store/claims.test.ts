import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Database, Store, Value } from '../../../gateway/src/database/store.ts';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import {
  type ClaimedTransaction,
  claimDueTransactions,
  nextDueTransaction,
  transactionById,
  updateTransaction,
} from '../../../gateway/src/transactions/rows.ts';
import { claimDeliveries } from '../../../gateway/src/webhooks/outbox.ts';
import { addMerchant, addPayment, holdUnit, START } from '../harness/fixtures.ts';
import { describeOnEachConnection, openTestPostgres, postgresDatabase } from '../harness.ts';
import { addEvents, readEvents } from '../webhooks/deliveries.ts';

const LEASE = START + 5_000;

async function duePayments(store: Store, count: number): Promise<string[]> {
  const merchant = await addMerchant(store);
  const added = await Promise.all(Array.from({ length: count }, () => addPayment(store, merchant)));
  return added.map(({ id }) => id).sort();
}

async function claim(store: Store, { now = START, limit = 100 } = {}): Promise<string[]> {
  const claimed = await store.unit((db) => claimDueTransactions(db, { now, claimedUntil: LEASE, limit }));
  return claimed.map(({ id }) => id).sort();
}

describeOnEachConnection('due transactions', (open, database) => {
  it('are each claimed by one of several concurrent workers', async () => {
    const shared = await database();
    const workers = [shared.connect(), shared.connect(), shared.connect()];
    for (const store of workers) await migrate(store);
    const ids = await duePayments(workers[0] as Store, 60);
    const rounds = await Promise.all([...workers, ...workers].map((store) => claim(store, { limit: 10 })));
    const left = await claim(workers[0] as Store);
    expect([...rounds.flat(), ...left].sort()).toEqual(ids);
  });

  it('are claimed up to the limit, oldest first', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const ages = [3, 9, 1, 7, 5];
    const added: Payment[] = [];
    for (const age of ages) added.push(await addPayment(store, merchant, { dueAt: START - age }));
    const oldest = [added[1]?.id, added[3]?.id].sort();
    expect(await claim(store, { limit: 2 })).toEqual(oldest);
    expect(await claim(store, { limit: 1 })).toEqual([added[4]?.id]);
  });

  it('are claimed when due, again only after the lease has expired, and keep their due time', async () => {
    const store = await open();
    const payment = await addPayment(store, await addMerchant(store), { dueAt: START + 1 });
    expect(await claim(store)).toEqual([]);
    expect(await nextDueTransaction(store.read)).toBe(START + 1);
    expect(await nextDueTransaction(store.read, START + 2)).toBeUndefined();
    expect(await claim(store, { now: START + 1 })).toEqual([payment.id]);
    expect(await claim(store, { now: LEASE - 1 })).toEqual([]);
    expect(await nextDueTransaction(store.read)).toBe(LEASE);
    const again = { now: LEASE, claimedUntil: LEASE + 5_000, limit: 1 };
    const [claimed] = await store.unit((db) => claimDueTransactions(db, again));
    expect(claimed?.read()).toEqual(payment);
    const stored = { merchantId: payment.merchantId, kind: 'payment' } as const;
    expect(await transactionById(store.read, payment.id, stored)).toEqual(payment);
  });

  it('are never written by a worker whose lease was taken over', async () => {
    const store = await open();
    await addPayment(store, await addMerchant(store));
    const claimed = async (now: number) => {
      const [first] = await store.unit((db) => claimDueTransactions(db, { now, claimedUntil: now + 5_000, limit: 1 }));
      return first as ClaimedTransaction;
    };
    const write = ({ version, claimedUntil, read }: ClaimedTransaction) =>
      store.unit((db) => updateTransaction(db, { ...read(), version: version + 1 }, { claimedUntil }));
    const late = await claimed(START);
    const inTime = await claimed(LEASE);
    expect(await write(late)).toBe(false);
    expect(await write(inTime)).toBe(true);
  });

  it('are claimed together with an unreadable one, which fails alone', async () => {
    const store = await open();
    const ids = await duePayments(store, 3);
    await store.unit((db) => db.run("update transactions set state = 'no JSON' where id = ?", ids[1] ?? ''));
    const claimed = await store.unit((db) => claimDueTransactions(db, { now: START, claimedUntil: LEASE, limit: 10 }));
    for (const { id, read } of claimed) {
      if (id === ids[1]) expect(read).toThrow(SyntaxError);
      else expect(read().id).toBe(id);
    }
    expect(claimed).toHaveLength(3);
  });
});

describe('due transactions in PostgreSQL', () => {
  it("are claimed without waiting for another worker's open claim", async () => {
    const shared = await postgresDatabase();
    const [slow, fast] = [shared.connect(), shared.connect()];
    await migrate(slow);
    const ids = await duePayments(slow, 10);
    const bySlow = await holdUnit(slow, (db) =>
      claimDueTransactions(db, { now: START, claimedUntil: LEASE, limit: 4 }),
    );
    const byFast = await claim(fast);
    bySlow.letGo();
    await bySlow.done;
    expect(bySlow.result).toHaveLength(4);
    expect([...bySlow.result.map(({ id }) => id), ...byFast].sort()).toEqual(ids);
  });

  it('are never claimed beyond the limit, before or after the table is analyzed', async () => {
    const store = await openTestPostgres();
    await duePayments(store, 30);
    const sizes: number[] = [];
    for (let round = 0; round < 12; round++) {
      if (round === 5) await store.unit((db) => db.run('analyze transactions'));
      sizes.push((await claim(store, { limit: 3 })).length);
    }
    expect(sizes).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0]);
  });

  // To the planner, the index of due rows is nearly empty. It has an entry for each dead row.
  it('are found by their key after thousands of rows were done', async () => {
    const store = await openTestPostgres();
    const merchant = await addMerchant(store);
    const payment = await addPayment(store, merchant);
    await addEvents(store, merchant, ['http://receiver.test']);
    const [event] = await readEvents(store);
    for (const [table, due, key] of [
      ['transactions', 'next_attempt_at', 'order_id'],
      ['events', 'next_at', 'url'],
    ]) {
      const done = `jsonb_build_object('id', 'done_' || n, '${key}', n, '${due}', null)`;
      await store.unit((db) =>
        db.run(`insert into ${table}
        select (jsonb_populate_record(null::${table}, to_jsonb(one) || ${done})).*
        from (select * from ${table} limit 1) one, generate_series(1, 5000) n`),
      );
      await store.unit((db) => db.run(`update ${table} set ${due} = null`));
      await store.unit((db) => db.run(`analyze ${table}`));
    }
    const plans: string[] = [];
    await store.unit(async (db) => {
      const explain = async (sql: string, values: readonly Value[]) => {
        for (const row of await db.all(`explain ${sql}`, ...values)) plans.push(String(row['QUERY PLAN']));
      };
      const write: Database['write'] = (statement, ...values) => explain(statement.one, values).then(() => undefined);
      const all: Database['all'] = (sql, ...values) => explain(sql, values).then(() => []);
      await updateTransaction({ ...db, write }, { ...payment, version: 2 }, { claimedUntil: LEASE });
      await claimDueTransactions({ ...db, all }, { now: START, claimedUntil: LEASE, limit: 10 });
      await claimDeliveries({ ...db, all }, [String(event?.['id'])], START, LEASE);
    });
    const indexes = plans.flatMap(
      (line) => /Index (?:Only )?Scan using (\w+) on (?:transactions|events)/.exec(line)?.[1] ?? [],
    );
    // The claim of due transactions looks for them.
    expect(indexes.sort()).toEqual([
      ...Array(2).fill('events_pkey'),
      'transactions_due',
      ...Array(2).fill('transactions_pkey'),
    ]);
  });
});
