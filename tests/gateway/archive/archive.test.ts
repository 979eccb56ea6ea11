/** Moves old transactions to an archive, and keeps the rest; both together are what the database was. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { deleteRest } from '../../../gateway/src/sandbox/store/merchant-deletion.ts';
import { archivesOf, archiveTransactions, previewArchive } from '../../../gateway/src/store/archive/archives.ts';
import { auditStore } from '../../../gateway/src/store/books/audit-books.ts';
import { insertTransaction, transactionById } from '../../../gateway/src/store/books/transactions.ts';
import { walletsOf } from '../../../gateway/src/store/books/wallets.ts';
import { migrate } from '../../../gateway/src/store/engine/migrate.ts';
import type { Store } from '../../../gateway/src/store/engine/store.ts';
import { stopUrl } from '../../../gateway/src/store/outbox/outbox.ts';
import {
  addHistory,
  archive,
  archiveDatabase,
  BEFORE,
  deliverAll,
  differences,
  expectBooksInOrder,
  idsIn,
  OLD,
  openArchiveFor,
  rowsOf,
} from '../harness/archives.ts';
import { addPaymentAt, COLLECTED, FAILED, SETTLED } from '../harness/books.ts';
import { addMerchant, START } from '../harness/fixtures.ts';
import { describeOnEachStore, describeOnEachStoreAndPartitions, openTestSqlite, postgresDatabase } from '../harness.ts';

describeOnEachStoreAndPartitions('an archive', (open) => {
  it('gets old transactions that are final, with their entries and webhooks, and loses nothing', async () => {
    const store = await open();
    const target = await openArchiveFor(store);
    const { merchant, final, open: unfinished, young } = await addHistory(store);
    const before = { rows: await rowsOf(store), wallets: await walletsOf(store.read, merchant.id) };
    const preview = await previewArchive(store, BEFORE);
    expect(await rowsOf(store)).toEqual(before.rows);
    const run = await archive(store, target);
    expect(run).toEqual(preview);
    expect(run).toMatchObject({ archived: 5, entries: 8, open: 3, wrong: [] });
    expect(await idsIn(target)).toEqual(final.toSorted());
    expect(await idsIn(store)).toEqual([...unfinished, ...young].sort());
    expect(await rowsOf(store, target)).toEqual(before.rows);
    expect(await walletsOf(store.read, merchant.id)).toEqual(before.wallets);
    await expectBooksInOrder(store, target);
    expect((await auditStore(store, { merchantId: merchant.id })).differences).toEqual([]);
  });

  it('has nothing to add the next time, until more is old and final', async () => {
    const store = await open();
    const target = await openArchiveFor(store);
    const { merchant } = await addHistory(store);
    await archive(store, target);
    expect(await archive(store, target)).toMatchObject({ archived: 0, open: 3 });
    const late = await addPaymentAt(store, merchant, OLD + 5, ...COLLECTED, SETTLED);
    await deliverAll(store);
    expect(await archive(store, target)).toMatchObject({ archived: 1 });
    expect(await idsIn(target)).toContain(late);
    await expectBooksInOrder(store, target);
  });

  it('goes through more than a batch', async () => {
    const store = await open();
    const target = await openArchiveFor(store);
    const merchant = await addMerchant(store);
    for (let i = 0; i < 70; i++) await addPaymentAt(store, merchant, OLD + i, FAILED);
    await deliverAll(store);
    const batches: number[] = [];
    const onBatch = ({ archived }: { archived: number }) => void batches.push(archived);
    await archiveTransactions(store, target, { before: BEFORE, now: START, name: '', onBatch: onBatch });
    expect(batches).toEqual([64, 70]);
    await expectBooksInOrder(store, target);
  });

  it.each([
    ['waits', async () => undefined],
    [
      'has stopped a URL',
      async (store: Store, merchantId: number) => {
        const [event] = await store.read.all('select id, url from events');
        const stopped = { merchantId, url: String(event?.['url']), eventId: String(event?.['id']), stoppedAt: START };
        await store.unit((db) => stopUrl(db, stopped, 'stopped'));
      },
    ],
  ])('leaves transactions alone of which a webhook %s', async (_what, prepare) => {
    const store = await open();
    const target = await openArchiveFor(store);
    const merchant = await addMerchant(store);
    await addPaymentAt(store, merchant, OLD, FAILED);
    await prepare(store, merchant.id);
    expect(await archive(store, target)).toMatchObject({ archived: 0, open: 1 });
    await store.unit((db) => db.run('delete from stopped_urls'));
    await deliverAll(store);
    expect(await archive(store, target)).toMatchObject({ archived: 1, open: 0 });
  });

  it('leaves transactions alone whose entries are wrong, and says so', async () => {
    const store = await open();
    const target = await openArchiveFor(store);
    const { final } = await addHistory(store);
    await store.unit((db) =>
      db.run("delete from ledger_entries where transaction_id = ? and reason = 'settled'", final[1] ?? ''),
    );
    const { archived, wrong } = await archive(store, target);
    expect(archived).toBe(4);
    expect(wrong).toEqual([
      expect.stringMatching(new RegExp(`^transaction ${final[1]}: the entry 'settled: .* is missing$`)),
    ]);
    expect(await idsIn(store)).toContain(final[1]);
  });

  it('keeps order ids taken', async () => {
    const store = await open();
    const { merchant, final } = await addHistory(store);
    const payment = await transactionById(store.read, merchant.id, 'payment', final[0] ?? '');
    if (!payment) throw new Error('there is no payment');
    await archive(store, await openArchiveFor(store));
    const again = { ...payment, id: 'pay_again' };
    expect(await store.unit((db) => insertTransaction(db, again))).toBe(false);
    const other = await addMerchant(store);
    expect(await store.unit((db) => insertTransaction(db, { ...again, merchantId: other.id }))).toBe(true);
  });

  it('can be written by several runs at once', async () => {
    const store = await open();
    const target = await archiveDatabase(store.kind);
    const { final } = await addHistory(store);
    const runs = await Promise.all([target, target, target].map((each) => archive(store, each.connect())));
    expect(runs.reduce((sum, { archived }) => sum + archived, 0)).toBe(final.length);
    expect(runs.flatMap(({ wrong }) => wrong)).toEqual([]);
    await expectBooksInOrder(store, target.connect());
  });

  it('keeps what a merchant had when the merchant is deleted', async () => {
    const store = await open();
    const target = await openArchiveFor(store);
    const { merchant, final } = await addHistory(store);
    await archive(store, target);
    await store.unit((db) => deleteRest(db, merchant.id));
    for (const table of ['archived_orders', 'carried_forward', 'transactions', 'ledger_entries'])
      expect(await store.read.all(`select 1 from ${table}`)).toEqual([]);
    expect((await auditStore(store)).differences).toEqual([]);
    expect(await idsIn(target)).toEqual(final.toSorted());
  });
});

describeOnEachStore('an audit with an archive', (open) => {
  it.each([
    [
      'an archived transaction that is missing',
      'archive',
      "delete from transactions where status = 'FAILED' and kind = 'payment'",
    ],
    ['an archived entry that was changed', 'archive', "update ledger_entries set amount = 7 where reason = 'paid_out'"],
    [
      'what is carried forward that was changed',
      'live',
      "update carried_forward set amount = amount + 1 where reason = 'settled'",
    ],
    ['what is carried forward that is missing', 'live', "delete from carried_forward where reason = 'reserved'"],
    [
      'an order id that is free again',
      'live',
      'delete from archived_orders where order_id = (select min(order_id) from archived_orders)',
    ],
    [
      'an order id that is another',
      'live',
      "update archived_orders set order_id = 'another' where order_id = (select min(order_id) from archived_orders)",
    ],
    [
      'a transaction that the archive alone has',
      'archive',
      "update transactions set id = 'pay_unknown' where status = 'FAILED' and kind = 'payment'",
    ],
    ['an archive that the database has never heard of', 'live', 'delete from archives'],
  ] as const)('finds %s', async (_what, where, sql) => {
    const store = await open();
    const target = await openArchiveFor(store);
    await addHistory(store);
    await archive(store, target);
    await expectBooksInOrder(store, target);
    const changed = where === 'live' ? store : target;
    await changed.unit(async (db) => {
      // Rows that refer to those that the statement deletes.
      if (where === 'archive') await db.run('delete from events');
      if (sql.endsWith('from archives'))
        for (const table of ['archived_orders', 'carried_forward']) await db.run(`delete from ${table}`);
      await db.run(sql);
    });
    expect(await differences(store, target)).not.toEqual([]);
  });

  it('finds an order that was archived, and created again', async () => {
    const store = await open();
    const { merchant, final } = await addHistory(store);
    const payment = await transactionById(store.read, merchant.id, 'payment', final[0] ?? '');
    if (!payment) throw new Error('there is no payment');
    await archive(store, await openArchiveFor(store));
    await store.unit((db) =>
      db.run("update transactions set order_id = ? where status = 'CREATED' and kind = 'payment'", payment.orderId),
    );
    expect((await auditStore(store)).differences).toContainEqual(
      expect.stringMatching(/^transaction pay_\w+: its order id belongs to an archived transaction$/),
    );
  });
});

describeOnEachStore('a database', (open) => {
  it('of a gateway is refused as an archive', async () => {
    const store = await open();
    const other = await openArchiveFor(store);
    await addHistory(store);
    await addMerchant(other);
    await expect(archive(store, other)).rejects.toThrow('it is the database of a gateway, and not an archive');
    await expect(archive(store, store)).rejects.toThrow('it is the database of a gateway, and not an archive');
  });

  it('is refused as the archive of another', async () => {
    const [store, other] = [await open(), await open()];
    const target = await openArchiveFor(store);
    for (const one of [store, other]) await addHistory(one);
    await archive(store, target);
    await expect(archive(other, target)).rejects.toThrow('it is the archive of another database');
    await expect(archive(target, other)).rejects.toThrow('the database is an archive itself');
  });

  it('has a second archive only after the last run to the first has ended', async () => {
    const store = await open();
    const [first, second] = [await openArchiveFor(store), await openArchiveFor(store)];
    const { merchant } = await addHistory(store);
    const broken = () => Promise.reject(new Error('killed'));
    const options = { before: BEFORE, now: START, name: 'the first', onBatch: broken };
    await expect(archiveTransactions(store, first, options)).rejects.toThrow('killed');
    await expect(archive(store, second)).rejects.toThrow("the last run, to the first, didn't end.");
    await archive(store, first);
    await addPaymentAt(store, merchant, OLD, ...COLLECTED, SETTLED);
    await deliverAll(store);
    expect(await archive(store, second)).toMatchObject({ archived: 1 });
    expect(await archivesOf(store.read)).toHaveLength(2);
    for (const target of [first, second]) await expectBooksInOrder(store, target);
  });
});

describeOnEachStore('an archiving', (open) => {
  it.each([
    ['has changed a transaction', 'transactions', "update transactions set order_id = order_id || '-'"],
    ['has changed an entry', 'ledger_entries', 'update ledger_entries set amount = amount + 1'],
    ['has changed a webhook', 'events', "update events set body = body || ' '"],
    [
      'has lost an entry',
      'ledger_entries',
      'delete from ledger_entries where id = (select min(id) from ledger_entries)',
    ],
    ['has lost a webhook', 'events', 'delete from events where id = (select min(id) from events)'],
  ])('deletes nothing when it finds that the archive %s', async (_what, table, damage) => {
    const store = await open();
    const target = await openArchiveFor(store);
    await addHistory(store);
    const before = await rowsOf(store);
    // The damage is done before the copies are read back.
    const unreliable: Store = {
      ...target,
      unit: async (work, priority) => {
        const value = await target.unit(work, priority);
        await target.unit((db) => db.run(damage));
        return value;
      },
    };
    await expect(archive(store, unreliable)).rejects.toThrow(`it has other ${table} than the database`);
    expect(await rowsOf(store)).toEqual(before);
  });
});

/** Of the old transactions that are final. They are a batch of their own. */
const PAYMENTS = 3;

describe('a creation', () => {
  it('that waits for an archiving of the same order writes nothing', async () => {
    const database = await postgresDatabase();
    const [store, creator] = [database.connect(), database.connect()];
    await migrate(store);
    const { merchant, final } = await addHistory(store);
    const payment = await transactionById(store.read, merchant.id, 'payment', final[0] ?? '');
    if (!payment) throw new Error('there is no payment');
    const deleted = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    // Stays open after the rows are deleted, and before they are committed.
    const slow: Store = {
      ...store,
      unit: (work) =>
        store.unit(async (db) => {
          const value = await work(db);
          if (value === PAYMENTS) {
            deleted.resolve();
            await leave.promise;
          }
          return value;
        }),
    };
    const run = archive(slow, await openArchiveFor(store));
    await deleted.promise;
    const created = creator.unit((db) => insertTransaction(db, { ...payment, id: 'pay_again' }));
    for (let waits = false; !waits; ) {
      const sessions = await store.read.all(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into transactions%'",
      );
      waits = sessions.length > 0;
      await setImmediate();
    }
    leave.resolve();
    await run;
    expect(await created).toBe(false);
    expect(await idsIn(store)).not.toContain('pay_again');
  });
});

it('an archive run that somebody keeps from locking waits, and continues', async () => {
  const database = await postgresDatabase();
  const [store, vacuum] = [database.connect(), database.connect()];
  await migrate(store);
  const { final } = await addHistory(store);
  const target = await openArchiveFor(store);
  const locked = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  const holding = vacuum.unit(async (db) => {
    await db.run('lock table archived_orders in share update exclusive mode');
    locked.resolve();
    await leave.promise;
  });
  await locked.promise;
  let refused = 0;
  const watched: Store = {
    ...store,
    unit: (work) =>
      store.unit(work).catch((error: unknown) => {
        refused += 1;
        leave.resolve();
        throw error;
      }),
  };
  expect(await archive(watched, target)).toMatchObject({ archived: final.length });
  await holding;
  expect(refused).toBe(1);
});

it('an archive of PostgreSQL can be an SQLite file', async () => {
  const database = await postgresDatabase();
  const store = database.connect();
  await migrate(store);
  const target = await openTestSqlite();
  await addHistory(store);
  const before = await rowsOf(store);
  await archive(store, target);
  expect(await rowsOf(store, target)).toEqual(before);
  await expectBooksInOrder(store, target);
});
