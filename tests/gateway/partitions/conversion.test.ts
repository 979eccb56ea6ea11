/** The command `partition`: the resulting tables, and its refusals. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { partitionCommand } from '../../../gateway/src/commands/maintenance.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { partitionTables } from '../../../gateway/src/database/postgres/partitions.ts';
import { openPostgres } from '../../../gateway/src/database/postgres/postgres-store.ts';
import type { Row, Store } from '../../../gateway/src/database/store.ts';
import { postEntry } from '../../../gateway/src/ledger/wallets.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { firstId, randomIds } from '../../../gateway/src/platform/ids.ts';
import { PARTITIONED_TABLES } from '../../../gateway/src/transactions/retention.ts';
import { stopUrl } from '../../../gateway/src/webhooks/stopped-urls.ts';
import { createRunner, toEnvironment } from '../commands/run-command.ts';
import { addMerchant, addPayment, fund, START } from '../harness/fixtures.ts';
import { afterwards, partitionedDatabase, postgresDatabase, sqliteDatabase } from '../harness.ts';
import { addSettled, DAY_MS, URL } from '../retention/rows.ts';

/** Adds ledger entries of payments, payouts and funding, webhooks, and a stopped URL. */
async function fill(store: Store) {
  const merchant = await addMerchant(store);
  await fund(store, merchant, 1_000);
  const payment = await addPayment(store, merchant, { status: 'SUCCESS', amountPaid: 700 });
  const at = { merchantId: merchant.id, currency: 'INR', transactionId: payment.id, now: START };
  const collected = { from: 'channel', to: 'pending', amount: 700, reason: 'collected', availableAt: START } as const;
  await store.unit((db) => postEntry(db, collected, { ...at, id: randomIds.newId('led', START) }));
  const [eventId = ''] = await addSettled(store, merchant, [START, START + 400 * DAY_MS]);
  await store.unit((db) => stopUrl(db, { merchantId: merchant.id, url: URL, eventId, stoppedAt: START }));
  return { merchant, payment, collected, at };
}

const TABLES = ['events', 'ledger_entries', 'stopped_urls'];

async function readRows(store: Store): Promise<Row[][]> {
  return Promise.all(TABLES.map((table) => store.read.all(`select * from ${table} order by 1, 2`)));
}

/** Names and definitions of a table's constraints and indexes. */
async function readSchema(store: Store, table: string): Promise<Row[]> {
  return store.read.all(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where (conrelid = to_regclass(?) or confrelid = to_regclass(?)) and conparentid = 0
     union all select c.relname, regexp_replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') from pg_index i
     join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass(?) and not i.indisprimary order by 1, 2`,
    ...[table, table, table],
  );
}

describe('the command partition', () => {
  it('keeps every row, constraint, index and name, and is idempotent', async () => {
    const database = await postgresDatabase();
    const store = database.connect();
    await migrate(store);
    await fill(store);
    const before = { rows: await readRows(store), events: await readSchema(store, 'events') };
    const ledger = await readSchema(store, 'ledger_entries');
    const command = createRunner(toEnvironment(database));
    expect(await command('partition')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^partitioned events/) });
    expect(await readRows(store)).toEqual(before.rows);
    expect(await readSchema(store, 'events')).toEqual(before.events);
    // Each partition has a separate primary key.
    expect(await readSchema(store, 'ledger_entries')).toEqual(
      ledger.filter(({ name }) => name !== 'ledger_entries_pkey'),
    );
    expect(await auditStore(store)).toMatchObject({ transactions: 2, entries: 2, differences: [] });
    const again = await command('partition');
    expect(again).toMatchObject({ code: 0, stdout: 'events and ledger_entries are already partitioned\n' });
    expect(await command('migrate')).toMatchObject({ code: 0 });
  });

  it('refuses SQLite, and names the setting that selects PostgreSQL', async () => {
    const database = await sqliteDatabase();
    await migrate(database.connect());
    const ran = await createRunner(toEnvironment(database))('partition');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('only PostgreSQL has partitions. Set DATABASE_URL.');
  });

  it("refuses a collation that doesn't sort ids by time", async () => {
    const { address } = await postgresDatabase();
    const name = `czech_${randomBytes(8).toString('hex')}`;
    const server = new pg.Client(address);
    await server.connect();
    afterwards(async () => {
      await server.query(`drop database if exists ${name} with (force)`);
      await server.end();
    });
    await server.query(
      `create database ${name} template template0 locale_provider icu icu_locale 'cs-CZ' locale 'C.UTF-8'`,
    );
    const url = new globalThis.URL(address);
    url.pathname = name;
    url.search = '';
    const command = createRunner({ DATABASE_URL: url.href });
    await command('migrate');
    const ran = await command('partition');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain("the collation of the database doesn't sort ids by their time.");
  });

  it('refuses to change a database while a gateway is connected', async () => {
    const { address } = await postgresDatabase();
    const gateway = openPostgres(address, { isGateway: true });
    afterwards(() => gateway.close());
    await migrate(gateway);
    const command = openPostgres(address);
    afterwards(() => command.close());
    await expect(partitionCommand(command, Date.now())).rejects.toThrow(
      "Can't partition the tables: gateways are connected to the database. Stop them, then run the command again.",
    );
    expect(await command.hasTable('events_before')).toBe(false);
    await gateway.close();
    // The server ends a session some time after its client disconnects.
    const again = () => partitionCommand(command, Date.now()).catch(({ message }: Error) => message);
    await expect.poll(again).toContain('partitioned events by week');
  });

  it('says that gateways must be stopped if the tables are in use', async () => {
    const { address } = await postgresDatabase();
    const store = openPostgres(address, { timeLimits: { lock_timeout: 50 } });
    afterwards(() => store.close());
    await migrate(store);
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const reading = store.snapshot(async (db) => {
      await db.all('select id from ledger_entries');
      entered.resolve();
      await leave.promise;
    });
    await entered.promise;
    await expect(partitionCommand(store, Date.now())).rejects.toThrow(
      "Can't partition the tables: they are in use. Stop the gateways, then run the command again.",
    );
    leave.resolve();
    await reading;
    expect(await store.hasTable('events_before')).toBe(false);
  });
});

describe('a partitioned ledger', () => {
  it('refuses a second entry for a reason, even in another month', async () => {
    const store = (await postgresDatabase()).connect();
    await migrate(store);
    const { collected, at } = await fill(store);
    await partitionTables(store, PARTITIONED_TABLES, START);
    for (const now of [START, START + 40 * DAY_MS]) {
      const again = store.unit((db) => postEntry(db, collected, { ...at, now, id: randomIds.newId('led', now) }));
      await expect(again).rejects.toThrow(/ledger_entries.*_transaction_id_reason_|ledger_entries_once/);
    }
    expect(await store.read.get('select count(*) as entries from ledger_entries')).toEqual({ entries: 2 });
  });

  it('can be migrated further', async () => {
    const store = (await partitionedDatabase()).connect();
    await store.unit(async (db) => {
      await db.run('alter table events add column tried_at bigint');
      await db.run('drop index events_by_address');
      await db.run('create index events_tried on events (tried_at)');
      await db.run('alter table ledger_entries add column note text');
      await db.run('drop index ledger_entries_once');
    });
    await addSettled(store, await addMerchant(store), [START]);
    expect(await store.read.get('select tried_at from events')).toEqual({ tried_at: null });
  });
});

describe('a statement on partitions', () => {
  /** The plan of a statement as text, with sequential scans as a last resort. */
  async function planOf(store: Store, sql: string): Promise<string> {
    const rows = await store.unit(async (db) => {
      await db.run('set local enable_seqscan = off');
      return db.all(`explain ${sql}`);
    });
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
  }
  const event = `'${firstId('evt', START)}'`;
  const payment = `'${firstId('pay', START)}'`;

  it.each([
    ['an event by its id', `select * from events where id = ${event}`, 'events_2026_03_02'],
    [
      'a claim of one',
      `update events set next_at = 1 where id = ${event} and next_at <= 5 returning id`,
      'events_2026_03_02',
    ],
    [
      'the entries of a transaction',
      `select * from ledger_entries where transaction_id = ${payment}`,
      'ledger_entries_pay_2026_03',
    ],
    [
      'the money from outside',
      "select * from ledger_entries where transaction_id is null and id > '' order by id limit 5",
      'ledger_entries_default',
    ],
  ])('looking for %s reads one partition', async (_what, sql, partition) => {
    const store = (await partitionedDatabase()).connect();
    const plan = await planOf(store, sql);
    const read = [...plan.matchAll(/(?:Heap Scan|Seq Scan|Scan using \S+) on (\w+)/g)].map(([, table]) => table);
    expect(new Set(read), plan).toEqual(new Set([partition]));
  });

  it.each([
    ['the next merchant', 'select min(merchant_id) from events where next_at is not null'],
    [
      'the next address',
      "select min(address) from events where next_at is not null and merchant_id = 1 and address > 'https://a'",
    ],
    [
      'the due events of an address',
      "select id from events where merchant_id = 1 and address = 'https://a' and next_at <= 5 order by next_at limit 9",
    ],
    [
      'the claim of several',
      'update events set next_at = 9 where id in (select id from events where id in (?) and next_at <= 5 for update skip locked)'.replace(
        '?',
        `${event}, 'evt_0', 'evt_1'`,
      ),
    ],
  ])('looking for %s uses an index of each partition', async (_what, sql) => {
    const store = (await partitionedDatabase()).connect();
    const plan = await planOf(store, sql);
    expect(plan).toContain('Index');
    expect(plan).not.toContain('Seq Scan');
  });
});
