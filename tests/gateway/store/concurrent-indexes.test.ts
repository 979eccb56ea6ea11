/** Migrations that build indexes of a non-empty table on PostgreSQL, while gateways write to it. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { migrate as migrateTo, parseMigration, readMigrations } from '../../../gateway/src/database/migrate.ts';
import { type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { until } from '../../tools/wait.ts';
import { addMerchant, addPayment } from '../harness/fixtures.ts';
import { afterwards, separateDatabase } from '../harness.ts';

const WITHIN_MS = 60_000;
const KNOWN = readMigrations('postgres');
/** Migrations of a future version: one builds indexes of a large table, and the other adds a column. */
const NEXT = [
  parseMigration(
    '002-indexes',
    `-- concurrently: builds indexes.
     create index transactions_by_status on transactions (kind, status, id) where status not in ('SUCCESS', 'FAILED');
     create index transactions_by_amount on transactions (kind, amount, id) where next_attempt_at is null;`,
  ),
  parseMigration('003-more', 'alter table transactions add column note text'),
];
const migrate = (store: Store) => migrateTo(store, [...KNOWN, ...NEXT]);
/** Enough rows for the build to outlast a transaction. */
const MULTIPLY = `insert into transactions
    (id, merchant_id, kind, order_id, currency, amount, status, version, created_at, details, state)
  select t.id || n, merchant_id, kind, t.order_id || n, currency, amount, status, version, created_at, details, state
  from transactions t, generate_series(1, 501) n`;
const CHANGE = 'update transactions set failures = failures + 1';
/** The indexes, and whether each is valid. */
const INDEXES = `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = to_regclass('transactions') and c.relname in ('transactions_by_status', 'transactions_by_amount') order by 1 desc`;
const BUILT = [
  { name: 'transactions_by_status', valid: true },
  { name: 'transactions_by_amount', valid: true },
];

/** A database with rows in this version's schema, and an open transaction that has changed one of them. */
async function openPopulatedDatabase() {
  // The build waits for every snapshot in the database, even of other tests.
  const database = await separateDatabase();
  const store = database.connect();
  await migrateTo(store);
  const merchant = await addMerchant(store);
  const payments = await Promise.all(Array.from({ length: 20 }, () => addPayment(store, merchant)));
  await store.unit((db) => db.run(MULTIPLY));
  const writer = new pg.Client({ connectionString: database.address });
  await writer.connect();
  afterwards(() => writer.end());
  await writer.query('begin');
  await writer.query(`${CHANGE} where id = $1`, [payments[0]?.id]);
  const indexes = () => store.read.all(INDEXES);
  return { database, store, payments, writer, indexes };
}

it('writes continue during a build by one of several processes, which ends with the new schema version', async () => {
  const { database, store, payments, writer, indexes } = await openPopulatedDatabase();
  const migrating = Promise.all([store, database.connect(), database.connect()].map(migrate));
  expect(await until(async () => (await indexes()).length === 1, WITHIN_MS)).toBeDefined();
  const other = new pg.Client({ connectionString: database.address });
  await other.connect();
  afterwards(() => other.end());
  await other.query("set lock_timeout = '2s'");
  expect((await other.query(`${CHANGE} where id = $1`, [payments[1]?.id])).rowCount).toBe(1);
  await writer.query('commit');
  expect((await migrating).flat().sort()).toEqual(['002-indexes', '003-more']);
  expect(await indexes()).toEqual(BUILT);
  expect(await migrate(store)).toEqual([]);
});

it('an index with an interrupted build is dropped and rebuilt', async () => {
  const { store, writer, indexes } = await openPopulatedDatabase();
  const migrating = migrate(store);
  migrating.catch(() => undefined);
  expect(await until(async () => (await indexes()).length === 1, WITHIN_MS)).toBeDefined();
  await store.read.all(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'create index concurrently%' and datname = current_database()`,
  );
  await expect(migrating).rejects.toThrow(StoreUnavailable);
  expect(await indexes()).toEqual([{ name: 'transactions_by_status', valid: false }]);
  expect((await store.read.get('select version from schema_version'))?.['version']).toBe(KNOWN.length);
  await writer.query('commit');
  await migrate(store);
  expect(await indexes()).toEqual(BUILT);
});
