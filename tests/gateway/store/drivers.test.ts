/** Features and failures that only one of the two databases has. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import {
  ConnectionQueue,
  openPostgres,
  type PostgresOptions,
} from '../../../gateway/src/database/postgres/postgres-store.ts';
import { exactSum, readSum } from '../../../gateway/src/database/sql.ts';
import { type Database, inBackground, type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { AMOUNT_MAX } from '../harness/books.ts';
import { replaceQueries } from '../harness/conflicts.ts';
import { addMerchant, holdUnit } from '../harness/fixtures.ts';
import { afterwards, describeOnEachStore, openTestSqlite, postgresDatabase } from '../harness.ts';

it('the SQLite store syncs its write-ahead log itself', async () => {
  const store = await openTestSqlite();
  const settings = await store.unit(async (db) => ({
    ...(await db.get('pragma synchronous')),
    ...(await db.get('pragma journal_mode')),
  }));
  expect(settings).toEqual({ synchronous: 1, journal_mode: 'wal' });
});

describe('the PostgreSQL store', () => {
  it.each([false, true])('reruns a unit after a deadlock (caught: %s)', async (isCaught) => {
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
        const second = db.run('update counters set value = value + 1 where id = ?', order[1]);
        await (isCaught ? second.catch(() => 0) : second);
      });
    await Promise.all([add([1, 2]), add([2, 1])]);
    expect(runs).toBeGreaterThan(2);
    expect(await store.read.all('select value from counters')).toEqual([{ value: 2 }, { value: 2 }]);
  });

  it('is unavailable if every attempt of a unit ends with a deadlock', async () => {
    const store = (await postgresDatabase()).connect();
    let runs = 0;
    const unit = store.unit(async (db) => {
      runs++;
      await db.run("do $$ begin raise exception using errcode = '40P01'; end $$");
    });
    await expect(unit).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'busy' });
    expect(runs).toBe(5);
  });

  it('refuses to write outside of a unit of work', async () => {
    const store = (await postgresDatabase()).connect({ max: 1 });
    await expect(store.read.get('create table unwanted (id bigint)')).rejects.toThrow(StoreUnavailable);
    expect(await store.read.get("select count(*) as count from pg_tables where tablename = 'unwanted'")).toEqual({
      count: 0,
    });
  });

  it('rolls back a unit whose begin has failed', async () => {
    const fails = { begin: false };
    const Client = replaceQueries(() => (text) => (fails.begin && text.startsWith('begin') ? 'beg' : text));
    const store = openPostgres((await postgresDatabase()).address, { max: 1, Client });
    afterwards(() => store.close());
    await store.unit((db) => db.run('create table things (id bigint)'));
    fails.begin = true;
    const unit = store.unit(async (db) => {
      await db.run('insert into things values (1)');
      await db.run('insert into things values (2)');
    });
    await expect(unit).rejects.toThrow(StoreUnavailable);
    fails.begin = false;
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

  it('is unavailable while the server refuses connections', async () => {
    const { address } = await postgresDatabase();
    const store = openLimited(new URL('/missing', address).href);
    for (const use of [() => store.unit(async () => 1), () => store.read.get('select 1')])
      await expect(use()).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'unreachable' });
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

const LIMIT_MS = 50;
/** Longer than any test, in seconds. */
const FOR_EVER_S = 3_600;

function openLimited(address: string, timeLimits: PostgresOptions['timeLimits'] = {}): Store {
  const store = openPostgres(address, { max: 2, timeLimits });
  afterwards(() => store.close());
  return store;
}

function rename(db: Database): Promise<number> {
  return db.run('update merchants set name = ?', 'renamed');
}

describe('a wait for PostgreSQL', () => {
  async function addressWithMerchant(): Promise<string> {
    const { address, connect } = await postgresDatabase();
    const store = connect();
    await migrate(store);
    await addMerchant(store, 'first');
    return address;
  }

  it('is unavailable to a unit that waits too long for a locked row', async () => {
    const address = await addressWithMerchant();
    const store = openLimited(address, { lock_timeout: LIMIT_MS });
    const { letGo, done } = await holdUnit(openLimited(address), rename);
    const refused = await store.unit(rename).catch((error: unknown) => error);
    letGo();
    await done;
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect(await store.unit(rename)).toBe(1);
  });

  it("ends a paused unit's lock on a row, so that the unit fails when it continues", async () => {
    const address = await addressWithMerchant();
    const store = openLimited(address, { idle_in_transaction_session_timeout: 20 * LIMIT_MS });
    const frozen = await holdUnit(store, rename);
    expect(await openLimited(address).unit(rename)).toBe(1);
    frozen.letGo();
    await expect(frozen.done).rejects.toThrow(StoreUnavailable);
  });

  it('lets a snapshot pause longer than a unit, since it locks no row', async () => {
    const address = await addressWithMerchant();
    const store = openLimited(address, { idle_in_transaction_session_timeout: LIMIT_MS });
    const names = await store.snapshot(async (db) => {
      const before = await db.get('select name from merchants');
      await openLimited(address).read.get('select pg_sleep(?)', (4 * LIMIT_MS) / 1_000);
      return [before, await db.get('select name from merchants')];
    });
    expect(names).toEqual([{ name: 'first' }, { name: 'first' }]);
  });

  it.each(['statement_timeout', 'query_timeout'] as const)(
    'ends a slow statement, except in a migration (%s)',
    async (limit) => {
      const { address } = await postgresDatabase();
      const store = openLimited(address, { statement_timeout: 0, query_timeout: 0, [limit]: LIMIT_MS });
      await expect(store.unit((db) => db.get('select pg_sleep(?)', FOR_EVER_S))).rejects.toThrow(StoreUnavailable);
      await expect(store.read.get('select pg_sleep(?)', FOR_EVER_S)).rejects.toThrow(StoreUnavailable);
      // A stalled machine may end these as well.
      await expect.poll(() => store.unit((db) => db.get('select 1 as one')).catch(String)).toEqual({ one: 1 });
      const slow = () => store.longUnit((db) => db.get('select 1 as one from pg_sleep(?)', (4 * LIMIT_MS) / 1_000));
      await expect.poll(() => slow().catch(String)).toEqual({ one: 1 });
    },
  );

  it('is unavailable when the server accepts the connection and never responds', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    afterwards(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as AddressInfo;
    const store = openLimited(`postgres://nobody@127.0.0.1:${port}/none`, { connectionTimeoutMillis: LIMIT_MS });
    await expect(store.unit(async () => 1)).rejects.toThrow(StoreUnavailable);
    await expect(store.read.get('select 1')).rejects.toThrow(StoreUnavailable);
  });
});

it('work in the background on SQLite yields to callers without being starved', async () => {
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

describe('the connections of PostgreSQL', () => {
  it('are for callers immediately, and for background work when there is room', async () => {
    const queue = new ConnectionQueue(2);
    const [failing, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const failed = queue.run('caller', () => failing.promise);
    queue.run('caller', () => slow.promise);
    expect(await queue.run('caller', async () => 'at once')).toBe('at once');
    const background = queue.run('background', async () => 'later');
    expect(queue.waiting).toBe(1);
    slow.resolve();
    failing.reject(new Error('no'));
    await expect(failed).rejects.toThrow('no');
    expect(await background).toBe('later');
    expect(queue.waiting).toBe(0);
  });

  it('do not starve background work when callers fill the pool', async () => {
    const queue = new ConnectionQueue(1);
    let begun = 0;
    let running = Promise.withResolvers<void>();
    queue.run('caller', () => running.promise);
    let callers = 1;
    for (let count = 0; count < 2; count++) {
      queue.run('background', async () => {
        begun += 1;
      });
    }
    for (; begun === 0 && callers < 1_000; callers++) {
      const next = Promise.withResolvers<void>();
      queue.run('caller', () => next.promise);
      running.resolve();
      running = next;
      await new Promise(setImmediate);
    }
    expect([callers, begun]).toEqual([16, 1]);
  });
});

describeOnEachStore('an integer', (open) => {
  it('is summed exactly, as a bigint', async () => {
    const { read } = await open();
    const sum = async (amounts: readonly number[]) => {
      const rows = ['select 0 as amount', ...amounts.map(() => 'select cast(? as bigint)')].join(' union all ');
      return readSum(
        (await read.get(`select ${exactSum('amount', 'total')} from (${rows}) rows`, ...amounts)) ?? {},
        'total',
      );
    };
    const amount = fc.oneof(
      fc.maxSafeInteger(),
      fc.constantFrom(AMOUNT_MAX, -AMOUNT_MAX, 2 ** 32, 2 ** 32 - 1, -(2 ** 32), -1, 0),
    );
    const property = fc.asyncProperty(fc.array(amount, { maxLength: 5 }), async (amounts) => {
      expect(await sum(amounts)).toBe(amounts.reduce((total, one) => total + BigInt(one), 0n));
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it('is refused by a read instead of rounded', async () => {
    const { read } = await open();
    const query = 'select cast(9007199254740993 as bigint) as amount';
    await expect(read.get(query)).rejects.toThrow(/9007199254740993/);
    await expect(read.all(query)).rejects.toThrow(/9007199254740993/);
    expect(await read.get('select cast(9007199254740991 as bigint) as amount')).toEqual({ amount: AMOUNT_MAX });
  });
});
