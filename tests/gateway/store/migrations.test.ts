import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import { migrate } from '../../../gateway/src/store/migrate.ts';
import { transactionById } from '../../../gateway/src/store/transactions.ts';
import { addMerchant, addPayment } from '../harness/fixtures.ts';
import { describeOnEachStore, sqliteDatabase } from '../harness.ts';

const FOLDER = new URL('../../../gateway/src/store/migrations/', import.meta.url);
const ALL = (await readdir(FOLDER)).sort();
/** One file has a counterpart for the other database. */
const OTHER = { sqlite: '.postgres.sql', postgres: '.sqlite.sql' };

describeOnEachStore('migrations', (open, database) => {
  it('are applied in their order to an empty database, and once', async () => {
    const store = (await database()).connect();
    expect(await migrate(store)).toEqual(filesFor(store));
    expect(await migrate(store)).toEqual([]);
  });

  it('are applied by one of several processes that start at once', async () => {
    const shared = await database();
    const stores = Array.from({ length: 5 }, () => shared.connect());
    const applied = await Promise.all(stores.map((store) => migrate(store)));
    expect(applied.flat()).toEqual(filesFor(shared));
  });

  it('turn what counts against a limit into an amount, for what is not final', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const before = { counted: true } as unknown as Partial<Payment>;
    const customer = { id: '"counted":true' };
    const going = await addPayment(store, merchant, { ...before, amount: 700, customer });
    const ended = await addPayment(store, merchant, { ...before, amount: 700, status: 'FAILED' });
    const script = await readFile(new URL('007-counted-amounts.sql', FOLDER), 'utf8');
    await store.unit((db) => db.run(script.replaceAll(/--.*$/gm, '').replace(';', '')));
    const read = ({ id }: Payment) => transactionById(store.read, merchant.id, 'payment', id);
    expect(await read(going)).toEqual({ ...going, counted: 700 });
    expect(await read(ended)).toEqual(ended);
  });

  it('refuse a database that is newer, with both versions', async () => {
    const store = await open();
    const known = filesFor(store).length;
    await store.unit((db) => db.run('update schema_version set version = version + 1'));
    await expect(migrate(store)).rejects.toThrow(
      `the database is at schema version ${known + 1}, and this gateway needs version ${known}`,
    );
  });
});

it('migrations keep what customers have used when its table changes', async () => {
  const store = (await sqliteDatabase()).connect();
  await migrate(store, { upTo: 2 });
  await store.unit(async (db) => {
    await db.run("insert into merchants (id, name, created_at) values (1, 'kept', 0)");
    await db.run("insert into customer_usage values (1, 'payment', 'c', 'INR', '2026-03', 500)");
  });
  await migrate(store);
  const rows = await store.read.all('select * from customer_usage');
  expect(rows).toEqual([
    { merchant_id: 1, kind: 'payment', customer_id: 'c', currency: 'INR', period: '2026-03', amount: 500 },
  ]);
});

it('migrations come to the same number on each database', () => {
  expect(filesFor({ kind: 'sqlite' })).toHaveLength(filesFor({ kind: 'postgres' }).length);
});

function filesFor({ kind }: { kind: 'sqlite' | 'postgres' }): string[] {
  return ALL.filter((file) => !file.endsWith(OTHER[kind]));
}
