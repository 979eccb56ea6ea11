/** Features and failures that only one of the two databases has. */
import { describe, expect, it } from 'vitest';
import { openPostgres } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { inBackground, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { START } from '../harness/fixtures.ts';
import { spoilingProxy } from '../harness/proxy.ts';
import { afterwards, openTestSqlite, postgresDatabase } from '../harness.ts';

describe('the SQLite store', () => {
  it('commits concurrent units in one commit', async () => {
    const store = await openTestSqlite();
    const seen = await Promise.all([
      store.unit((db) => createMerchant(db, 'first', START)),
      store.unit(async (db) => [
        await db.get('select count(*) as count from merchants'),
        await store.read.get('select count(*) as count from merchants'),
      ]),
    ]);
    expect(seen[1]).toEqual([{ count: 1 }, { count: 0 }]);
  });

  it('syncs its write-ahead log itself, and enforces foreign keys', async () => {
    const store = await openTestSqlite();
    const settings = await store.unit(async (db) => ({
      ...(await db.get('pragma synchronous')),
      ...(await db.get('pragma journal_mode')),
      ...(await db.get('pragma foreign_keys')),
    }));
    expect(settings).toEqual({ synchronous: 1, journal_mode: 'wal', foreign_keys: 1 });
  });

  it('is unavailable while the disk is full, keeps committed data, and recovers', async () => {
    const store = await openTestSqlite();
    await store.unit((db) => createMerchant(db, 'kept', START));
    const pages = await store.unit((db) => db.get('pragma page_count'));
    await store.unit((db) => db.get(`pragma max_page_count = ${pages?.['page_count']}`));
    const outcomes = await Promise.allSettled([
      store.unit((db) => createMerchant(db, 'small', START)),
      store.unit((db) => createMerchant(db, 'x'.repeat(1_000_000), START)),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreUnavailable);
    }
    expect(outcomes[1].status).toBe('rejected');
    await store.unit((db) => db.get('pragma max_page_count = 1000000'));
    await store.unit((db) => createMerchant(db, 'after', START));
    const rows = await store.read.all('select name from merchants order by id');
    const small = outcomes[0].status === 'fulfilled' ? ['small'] : [];
    expect(rows.map(({ name }) => name)).toEqual(['kept', ...small, 'after']);
  });
});

describe('the PostgreSQL store', () => {
  it('reruns a unit after a deadlock', async () => {
    const store = (await postgresDatabase()).connect();
    await store.unit(async (db) => {
      await db.run('create table counters (id bigint primary key, value bigint)');
      await db.run('insert into counters values (1, 0), (2, 0)');
    });
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const add = (order: [number, number]) =>
      store.unit(async (db) => {
        runs++;
        await db.run('update counters set value = value + 1 where id = ?', order[0]);
        both[order[0] - 1]?.resolve();
        await Promise.all(both.map(({ promise }) => promise));
        await db.run('update counters set value = value + 1 where id = ?', order[1]);
      });
    await Promise.all([add([1, 2]), add([2, 1])]);
    expect(runs).toBeGreaterThan(2);
    expect(await store.read.all('select value from counters')).toEqual([{ value: 2 }, { value: 2 }]);
  });

  it('returns each read of one tick its own result, on one connection', async () => {
    const store = (await postgresDatabase()).connect();
    const pid = 'select pg_backend_pid() as pid';
    const [first, failed, last] = await Promise.allSettled([
      store.read.get(pid),
      store.read.get('select 1 / 0'),
      store.read.get(pid),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    expect(first).toMatchObject({ status: 'fulfilled', value: { pid: expect.any(Number) } });
    expect(last).toEqual(first);
    expect(await store.read.get('select 1 as one')).toEqual({ one: 1 });
  });

  it('is unavailable when the server is unreachable', async () => {
    const store = openPostgres('postgres://nobody@127.0.0.1:1/none');
    await expect(store.unit(async () => 1)).rejects.toThrow(StoreUnavailable);
    await expect(store.read.get('select 1')).rejects.toThrow(StoreUnavailable);
    await store.close();
  });

  it('refuses to write outside of a unit of work', async () => {
    const { address } = await postgresDatabase();
    const store = openPostgres(address, { max: 1 });
    afterwards(() => store.close());
    await expect(store.read.get('create table unwanted (id bigint)')).rejects.toThrow(StoreUnavailable);
    expect(await store.read.get("select count(*) as count from pg_tables where tablename = 'unwanted'")).toEqual({
      count: 0,
    });
  });

  it('rolls back a unit whose begin has failed', async () => {
    const proxy = await spoilingProxy((await postgresDatabase()).address);
    const store = openPostgres(proxy.address, { max: 1 });
    afterwards(() => store.close());
    await store.unit((db) => db.run('create table things (id bigint)'));
    proxy.spoilNext('begin');
    const unit = store.unit(async (db) => {
      await db.run('insert into things values (1)');
      await db.run('insert into things values (2)');
    });
    await expect(unit).rejects.toThrow(StoreUnavailable);
    expect(await store.read.all('select id from things')).toEqual([]);
    expect(await store.unit((db) => db.run('insert into things values (3)'))).toBe(1);
  });

  it('refuses a unit that continues after a failed statement', async () => {
    const store = (await postgresDatabase()).connect();
    await store.unit((db) => db.run('create table things (id bigint primary key)'));
    const unit = store.unit(async (db) => {
      await db.run('insert into things values (1)');
      await db.run('insert into things values (1)').catch(() => undefined);
    });
    await expect(unit).rejects.toThrow('continued after one of its statements');
    expect(await store.read.all('select id from things')).toEqual([]);
  });

  it('is unavailable when the server ends the connection, and then reconnects', async () => {
    const database = await postgresDatabase();
    const store = database.connect({ max: 1 });
    const killer = database.connect({ max: 1 });
    const killed = store.unit(async (db) => {
      const row = await db.get('select pg_backend_pid() as pid');
      await killer.read.get('select pg_terminate_backend(?)', Number(row?.['pid']));
      await db.get('select 1');
    });
    await expect(killed).rejects.toThrow(StoreUnavailable);
    expect(await store.unit((db) => db.get('select 1 as one'))).toEqual({ one: 1 });
  });
});

describe('work in the background on SQLite', () => {
  it('yields to callers without being starved', async () => {
    const store = await openTestSqlite();
    const order: string[] = [];
    const note = (name: string) => async () => {
      order.push(name);
    };
    const background = inBackground(store);
    const units = [
      ...Array.from({ length: 40 }, () => background.unit(note('background'))),
      ...Array.from({ length: 20 }, () => store.unit(note('caller'))),
    ];
    await Promise.all(units);
    expect(order.slice(0, 25).filter((name) => name === 'caller')).toHaveLength(20);
    expect(order.filter((name) => name === 'background')).toHaveLength(40);
  });
});
