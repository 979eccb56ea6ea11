/** Features and failures that only one of the two databases has. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionQueue, openPostgres } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { exactSum, readSum } from '../../../gateway/src/database/sql.ts';
import { inBackground, type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { AMOUNT_MAX } from '../harness/books.ts';
import { spoilingProxy } from '../harness/proxy.ts';
import { afterwards, describeOnEachStore, openTestSqlite, postgresDatabase } from '../harness.ts';

it('the SQLite store syncs its write-ahead log itself, and enforces foreign keys', async () => {
  const store = await openTestSqlite();
  const settings = await store.unit(async (db) => ({
    ...(await db.get('pragma synchronous')),
    ...(await db.get('pragma journal_mode')),
    ...(await db.get('pragma foreign_keys')),
  }));
  expect(settings).toEqual({ synchronous: 1, journal_mode: 'wal', foreign_keys: 1 });
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

  it('is unavailable while the server refuses connections', async () => {
    const { address } = await postgresDatabase();
    const store = openPostgres(new URL('/missing', address).href);
    afterwards(() => store.close());
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

/** A queue whose work ends when the test resolves it. */
function createQueue(connections: number) {
  const queue = new ConnectionQueue(connections);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (priority: 'caller' | 'background', name: string) => {
    const done = Promise.withResolvers<void>();
    ends.set(name, done.resolve);
    return queue.run(priority, () => {
      begun.push(name);
      return done.promise;
    });
  };
  const end = async (...names: string[]) => {
    for (const name of names) ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, run, end };
}

it('starts all callers immediately, and background work when there is room', async () => {
  const { queue, begun, run, end } = createQueue(2);
  for (const name of ['a', 'b', 'c']) run('caller', name);
  run('background', 'later');
  expect([begun, queue.waiting]).toEqual([['a', 'b', 'c'], 1]);
  await end('a');
  expect(begun).toHaveLength(3);
  await end('b');
  expect([begun.at(-1), queue.waiting]).toEqual(['later', 0]);
});

it('does not starve background work when callers fill the pool', async () => {
  const { begun, run, end } = createQueue(1);
  run('caller', 'first');
  for (const name of ['x', 'y']) run('background', name);
  let callers = 1;
  for (; !begun.includes('x') && callers < 1_000; callers++) {
    run('caller', `caller-${callers}`);
    await end(callers === 1 ? 'first' : `caller-${callers - 1}`);
  }
  expect(callers).toBe(16);
  expect(begun).not.toContain('y');
});

it('failed work makes room, and rejects for its caller', async () => {
  const queue = new ConnectionQueue(1);
  const failing = queue.run('caller', () => Promise.reject(new Error('no')));
  const next = queue.run('background', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});

/** Sums amounts in the database, each counted `times` times. */
async function sum({ read }: Store, amounts: readonly number[], times: number): Promise<bigint> {
  const rows = amounts.map(() => 'select cast(? as bigint) as amount').join(' union all ');
  const row = await read.get(
    `with recursive amounts as (${rows || 'select 1 as amount where 1 = 0'}),
       numbers (n) as (select 1 union all select n + 1 from numbers where n < cast(? as bigint))
     select ${exactSum('amount', 'total')} from amounts cross join numbers`,
    ...[...amounts, times],
  );
  return readSum(row ?? {}, 'total');
}

describeOnEachStore('an exact sum', (open) => {
  it('equals the sum of bigints', async () => {
    const store = await open();
    const amount = fc.oneof(
      fc.maxSafeInteger(),
      fc.constantFrom(AMOUNT_MAX, -AMOUNT_MAX, 2 ** 32, 2 ** 32 - 1, -(2 ** 32), -1, 0),
    );
    const property = fc.asyncProperty(fc.array(amount, { maxLength: 5 }), async (amounts) => {
      expect(await sum(store, amounts, 1)).toBe(amounts.reduce((total, one) => total + BigInt(one), 0n));
    });
    await fc.assert(property, { numRuns: 30 });
  });
});

describeOnEachStore('an integer that a number cannot represent', (open) => {
  it('is refused by a read instead of rounded', async () => {
    const { read } = await open();
    const query = 'select cast(9007199254740993 as bigint) as amount';
    await expect(read.get(query)).rejects.toThrow(/9007199254740993/);
    await expect(read.all(query)).rejects.toThrow(/9007199254740993/);
    expect(await read.get('select cast(9007199254740991 as bigint) as amount')).toEqual({ amount: AMOUNT_MAX });
  });
});
