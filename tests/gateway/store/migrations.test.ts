import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { openPayment, settlePayment } from '../../../gateway/src/domain/payment.ts';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import {
  nextDueTransaction,
  shownById,
  transactionById,
  updateTransaction,
} from '../../../gateway/src/store/books/transactions.ts';
import { migrate } from '../../../gateway/src/store/engine/migrate.ts';
import type { Store, Value } from '../../../gateway/src/store/engine/store.ts';
import { paymentOrder } from '../../../gateway/src/wire/request.ts';
import { addMerchant, addPayment, PAYMENT, START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';

const FOLDER = new URL('../../../gateway/src/store/engine/migrations/', import.meta.url);
const ALL = (await readdir(FOLDER)).filter((file) => /^\d.*\.sql$/.test(file)).sort();
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

/** Brings an empty database to an older version, with a merchant. */
async function migrateTo(store: Store, upTo: number): Promise<void> {
  await migrate(store, { upTo });
  await store.unit(async (db) => {
    await db.run("insert into merchants (id, name, created_at) values (1, 'kept', 0)");
  });
}

async function insert(store: Store, table: string, row: Readonly<Record<string, Value>>): Promise<void> {
  const columns = Object.keys(row);
  const marks = columns.map(() => '?').join(', ');
  const sql = `insert into ${table} (${columns.join(', ')}) values (${marks})`;
  await store.unit((db) => db.run(sql, ...Object.values(row)));
}

describeOnEachStore('migrations of a database with rows', (_open, database) => {
  it('keep what customers have used when its table changes', async () => {
    const store = (await database()).connect();
    await migrateTo(store, 2);
    const used = { merchant_id: 1, kind: 'payment', customer_id: 'c', currency: 'INR', period: '2026-03', amount: 500 };
    await insert(store, 'customer_usage', used);
    await migrate(store);
    expect(await store.read.all('select * from customer_usage')).toEqual([used]);
  });

  it('keep when a transaction is due, and move what was collected to a column', async () => {
    const store = (await database()).connect();
    await migrateTo(store, 5);
    const { transaction: opened } = openPayment({
      methods: sandboxMethods,
      id: 'pay_1',
      merchantId: 1,
      order: paymentOrder(PAYMENT),
      now: START,
      checkoutToken: '',
    });
    const paid: Payment = { ...opened, status: 'SUCCESS', amountPaid: 50_000, dueAt: START + 7 };
    const waiting: Payment = { ...opened, id: 'pay_2', orderId: 'other', dueAt: START + 5 };
    const { customer, callbackUrl, ...state } = paid;
    const columns = {
      merchant_id: 1,
      kind: 'payment',
      currency: 'INR',
      amount: PAYMENT.amount,
      version: 1,
      created_at: 0,
    };
    await insert(store, 'transactions', {
      ...columns,
      id: paid.id,
      order_id: paid.orderId,
      status: paid.status,
      due_at: paid.dueAt ?? null,
      details: JSON.stringify({ customer, callbackUrl }),
      state: JSON.stringify(state),
    });
    await insert(store, 'transactions', {
      ...columns,
      id: waiting.id,
      order_id: waiting.orderId,
      status: waiting.status,
      due_at: waiting.dueAt ?? null,
      state: JSON.stringify(waiting),
    });
    await migrate(store);
    expect(await transactionById(store.read, 1, 'payment', 'pay_1')).toEqual(paid);
    expect(await transactionById(store.read, 1, 'payment', 'pay_2')).toEqual(waiting);
    expect(await nextDueTransaction(store.read)).toBe(START + 5);
    const settled = settlePayment(paid, START + 7).transaction;
    expect(await store.unit((db) => updateTransaction(db, settled))).toBe(true);
    expect(await shownById(store.read, 1, 'payment', 'pay_1')).toMatchObject({
      amountPaid: 50_000,
      settledAt: START + 7,
    });
    const rows = await store.read.all('select amount_paid, failures, last_error, state from transactions order by id');
    expect(rows).toMatchObject([
      { amount_paid: 50_000, failures: 0, last_error: null, state: expect.not.stringContaining('amountPaid') },
      { amount_paid: null, failures: 0, last_error: null },
    ]);
  });
});

it.each(['sqlite', 'postgres'] as const)('migrations have consecutive numbers on %s, each once', (kind) => {
  const files = filesFor({ kind });
  expect(files.map((file) => Number(file.split('-')[0]))).toEqual(files.map((_file, index) => index + 1));
});

it('migrations come to the same number on each database', () => {
  expect(filesFor({ kind: 'sqlite' })).toHaveLength(filesFor({ kind: 'postgres' }).length);
});

function filesFor({ kind }: { kind: 'sqlite' | 'postgres' }): string[] {
  return ALL.filter((file) => !file.endsWith(OTHER[kind]));
}
