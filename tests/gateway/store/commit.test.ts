/** PostgreSQL can report a commit that its synchronous standby may lack. Such a commit is not acknowledged. */
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openPostgres, type PostgresOptions } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { startPgBouncer } from '../../tools/pgbouncer.ts';
import { databaseUrl, startPostgres } from '../../tools/postgres.ts';
import { until } from '../../tools/wait.ts';
import { replaceQueries } from '../harness/conflicts.ts';
import { START } from '../harness/fixtures.ts';
import { afterwards, describeBehindPooler, postgresDatabase, startTestGateway } from '../harness.ts';

const WITHIN_MS = 60_000;
const WAITING_COMMITS = "from pg_stat_activity where wait_event = 'SyncRep'";

/** The server of this file. Tests use one database each, one after the other. */
let url = '';
let administrator: pg.Client;
beforeAll(async () => {
  const server = await startPostgres({ fsync: 'off', synchronous_commit: 'local' });
  afterwards(server.close);
  ({ url } = server);
  administrator = new pg.Client(url);
  await administrator.connect();
  afterwards(() => administrator.end());
  // Operators may have disabled the warning.
  await administrator.query('alter role gateway set client_min_messages = error');
});

async function expectStandby(name: string): Promise<void> {
  await administrator.query(`alter system set synchronous_standby_names = '${name}'`);
  await administrator.query('select pg_reload_conf()');
}

/**
 * A migrated store with one connection, on a server whose synchronous standby is missing. Commits start to wait when
 * the test enables the standby.
 */
async function openWithoutStandby({ database, ...options }: PostgresOptions & { readonly database: string }) {
  await administrator.query(`create database ${database}`);
  await expectStandby('absent');
  let address = databaseUrl(url, database);
  if (options.pooler) {
    const pooler = await startPgBouncer(address, { pool_mode: 'transaction', default_pool_size: 1 });
    afterwards(pooler.close);
    address = pooler.url;
  }
  const store = openPostgres(address, { max: 1, ...options });
  afterwards(() => store.close());
  // Commits that still wait would block the store's close.
  afterwards(() => expectStandby(''));
  await migrate(store);
  return {
    store,
    waitForStandby: () => store.unit((db) => db.run('set synchronous_commit = on')),
    async cancelWait() {
      const isWaiting = async () => (await administrator.query(`select ${WAITING_COMMITS}`)).rowCount !== 0;
      if ((await until(isWaiting, WITHIN_MS)) === undefined) throw new Error('no commit waits for the standby');
      await administrator.query(`select pg_cancel_backend(pid) ${WAITING_COMMITS}`);
    },
  };
}

it('refuses an order whose commit may be missing on the standby, and its retry returns the same transaction', async () => {
  const { store, waitForStandby, cancelWait } = await openWithoutStandby({ database: 'ordering' });
  const { call } = await startTestGateway({ store });
  const order = requestExamples.createPayment['h2h-upi'].body;
  await waitForStandby();
  const response = call('POST', '/payments', order);
  await cancelWait();
  const refused = await response;
  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toBeDefined();
  const repeated = await call('POST', '/payments', order);
  expect(repeated.status).toBe(200);
  expect(await store.read.all('select id from transactions')).toEqual([{ id: repeated.body.transaction_id }]);
});

it('acknowledges no commit that waits for the standby beyond every time limit', async () => {
  const { store, waitForStandby } = await openWithoutStandby({
    database: 'waiting',
    timeLimits: { statement_timeout: 500, query_timeout: 1_000 },
  });
  await waitForStandby();
  const waiting = store.unit((db) => createMerchant(db, 'unacknowledged', START));
  await expect(waiting).rejects.toThrow(StoreUnavailable);
});

describeBehindPooler('a commit behind a pooler', () => {
  it('is refused too if it may not be on the standby', async () => {
    const options = { database: 'pooled', pooler: 'transaction' } as const;
    const { store, waitForStandby, cancelWait } = await openWithoutStandby(options);
    await waitForStandby();
    const refused = expect(store.unit((db) => createMerchant(db, 'refused', START))).rejects.toThrow(StoreUnavailable);
    await cancelWait();
    await refused;
  });
});

it.each([
  ['before the commit arrives', false],
  ['after the commit has arrived', true],
] as const)(
  'rejects all units that share a transaction whose connection breaks %s, and runs them once',
  async (_when, arrives) => {
    const database = await postgresDatabase();
    const direct = database.connect({ max: 2 });
    await migrate(direct);
    const Client = replaceQueries((socket) => (text) => {
      if (text === 'commit' && arrives) process.nextTick(() => socket().destroySoon());
      else if (text === 'commit') socket().destroy();
      return text;
    });
    const store = openPostgres(database.address, { max: 4, Client });
    afterwards(() => store.close());
    await store.read.get('select 1');
    let runs = 0;
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((id) =>
        store.unit(
          (db) => {
            runs += 1;
            return db.run('insert into merchants (id, name, created_at) values (?, ?, ?)', id, `m${id}`, START);
          },
          { together: [] },
        ),
      ),
    );
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
    expect(runs).toBe(4);
    const count = async () => (await direct.read.get('select count(*) as n from merchants'))?.['n'];
    expect(await until(async () => (await count()) === (arrives ? 4 : 0), 60_000)).toBeDefined();
  },
);
