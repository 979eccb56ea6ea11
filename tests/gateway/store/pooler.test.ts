/** PostgreSQL behind a connection pooler. In transaction mode, clients share the sessions of the server. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { openPostgres, type PostgresOptions } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { SharedSessions } from '../../../gateway/src/database/postgres/sessions.ts';
import { type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { startPgBouncer } from '../../tools/pgbouncer.ts';
import { createRunner } from '../commands/run-command.ts';
import { afterwards, describeBehindPooler, pooledDatabase } from '../harness.ts';

const LIMIT_MS = 50;
/** Longer than any test, in seconds. */
const FOR_EVER_S = 3_600;

function open(address: string, options: PostgresOptions = {}): Store {
  const store = openPostgres(address, { max: 2, ...options });
  afterwards(() => store.close());
  return store;
}

async function connect(address: string): Promise<pg.Client> {
  const client = new pg.Client(address);
  client.on('error', () => undefined);
  await client.connect();
  afterwards(() => client.end());
  return client;
}

describeBehindPooler('a pooler in transaction mode', () => {
  it('keeps no settings of the gateway in its sessions', async () => {
    const { address } = await pooledDatabase();
    const store = open(address, { pooler: 'transaction' });
    await store.unit((db) => db.run('create table things (id bigint)'));
    await store.snapshot((db) => db.all('select id from things'));
    await store.longUnit((db) => db.run('insert into things values (1)'));
    await store.read.all('select id from things');
    const other = await connect(address);
    const { rows } = await other.query(
      "select name from pg_settings where source = 'session' and name ~ 'timeout|read_only|client_min_messages'",
    );
    expect(rows).toEqual([]);
    expect((await other.query('select name from pg_prepared_statements')).rows).toEqual([]);
  });

  it('applies the time limits of units, but not to a migration', async () => {
    const { address } = await pooledDatabase();
    const timeLimits = { statement_timeout: LIMIT_MS, query_timeout: 0 };
    const store = open(address, { pooler: 'transaction', timeLimits });
    await expect(store.unit((db) => db.get('select pg_sleep(?)', FOR_EVER_S))).rejects.toThrow(StoreUnavailable);
    const slow = store.longUnit((db) => db.get('select 1 as one from pg_sleep(?)', (4 * LIMIT_MS) / 1_000));
    expect(await slow).toEqual({ one: 1 });
    // A stalled machine may end this one as well.
    await expect.poll(() => store.unit((db) => db.get('select 1 as one')).catch(String)).toEqual({ one: 1 });
  });
});

describeBehindPooler('a pooler in transaction mode that no setting names', () => {
  it('is refused by every command with the required setting, and left unchanged', async () => {
    const { address } = await pooledDatabase();
    for (const command of ['migrate', 'audit', 'start']) {
      const ran = await createRunner({ DATABASE_URL: address })(command);
      expect(ran).toMatchObject({ code: 1, stdout: '' });
      expect(ran.stderr).toMatch(/connection pooler in transaction mode .* Set DATABASE_POOLER=transaction\.\n$/);
      expect(ran.stderr.trim().split('\n').at(-1)).not.toContain('Check DATABASE_URL');
    }
    const other = await connect(address);
    expect((await other.query('show default_transaction_read_only')).rows).toEqual([
      { default_transaction_read_only: 'off' },
    ]);
    expect((await createRunner({ DATABASE_URL: address, DATABASE_POOLER: 'transaction' })('migrate')).code).toBe(0);
  });

  it('is detected even while others use its sessions', async () => {
    const { address } = await pooledDatabase();
    const busy = new AbortController();
    const others = await Promise.all(Array.from({ length: 12 }, () => connect(address)));
    const work = others.map(async (other) => {
      while (!busy.signal.aborted) await other.query('select pg_sleep(random() * 0.005)');
    });
    for (let attempt = 0; attempt < 10; attempt++) {
      await expect(open(address).ping()).rejects.toThrow(SharedSessions);
    }
    busy.abort();
    await Promise.all(work);
  });
});

describeBehindPooler('a pooler in session mode', () => {
  it('needs no setting, and every session has the time limits and writes in units only', async () => {
    const { direct } = await pooledDatabase();
    const { url, close } = await startPgBouncer(direct, { pool_mode: 'session', default_pool_size: 4 });
    afterwards(close);
    const store = open(url, { timeLimits: { statement_timeout: LIMIT_MS, query_timeout: 0 } });
    await store.longUnit((db) => db.run('create table things (id bigint)'));
    await expect(store.read.get('select pg_sleep(?)', FOR_EVER_S)).rejects.toThrow(StoreUnavailable);
    await expect(store.read.get('insert into things values (1)')).rejects.toThrow(StoreUnavailable);
    // A stalled machine may end this one as well.
    await expect.poll(() => store.unit((db) => db.run('insert into things values (2)')).catch(String)).toBe(1);
  });
});
