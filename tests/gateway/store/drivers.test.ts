/** Features and failures that only one of the two databases has. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ConnectionQueue, openPostgres } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { integer, optional, rowMapper, text } from '../../../gateway/src/database/row-mapper.ts';
import { exactSum, readSum } from '../../../gateway/src/database/sql.ts';
import { withPositionalParameters } from '../../../gateway/src/database/sqlite/connection.ts';
import { Statements } from '../../../gateway/src/database/sqlite/statements.ts';
import { inBackground, type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { AMOUNT_MAX } from '../harness/books.ts';
import { START } from '../harness/fixtures.ts';
import { spoilingProxy } from '../harness/proxy.ts';
import { afterwards, describeOnEachStore, openTestSqlite, postgresDatabase, temporaryFolder } from '../harness.ts';

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

  it('rejects a unit with the error of the statement that failed first', async () => {
    const store = (await postgresDatabase()).connect();
    const unit = store.unit(async (db) => {
      await db.get('select 1 / 0').catch(() => undefined);
      await db.get('select 1');
    });
    await expect(unit).rejects.toThrow('division by zero');
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

it('starts as much background work as fits when the callers are done', async () => {
  const { begun, run, end } = createQueue(3);
  for (const name of ['a', 'b', 'c']) run('caller', name);
  for (const name of ['x', 'y', 'z', 'last']) run('background', name);
  await end('a', 'b', 'c');
  expect(begun.slice(3)).toEqual(['x', 'y', 'z']);
  await end('y');
  expect(begun.at(-1)).toBe('last');
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

it('detects a transaction even on a Node without isTransaction', async () => {
  const db = new DatabaseSync(join(await temporaryFolder(), 'old-node.db'));
  const old = { exec: db.exec.bind(db), prepare: db.prepare.bind(db), close: db.close.bind(db) };
  const statements = new Statements(old as unknown as DatabaseSync);
  const known = [statements.isTransaction];
  await statements.run('begin immediate');
  known.push(statements.isTransaction);
  await statements.run('rollback');
  known.push(statements.isTransaction);
  statements.close();
  expect([...known, statements.isTransaction]).toEqual([false, true, false, false]);
});

it('binds values by number even on a Node that treats numbers as names', () => {
  const db = new DatabaseSync(':memory:');
  const prepared: string[] = [];
  const old = {
    exec: db.exec.bind(db),
    close: db.close.bind(db),
    isTransaction: false,
    prepare(sql: string) {
      prepared.push(sql);
      return db.prepare(sql);
    },
  };
  const statement = withPositionalParameters(old).prepare('select ?2 as a, ?1 as b, ?2 as c');
  expect({ ...(statement.get('x', 'y') as object) }).toEqual({ a: 'y', b: 'x', c: 'y' });
  expect(prepared).toEqual(['select ? as a, ? as b, ? as c']);
  expect(withPositionalParameters(old).prepare('select ? as a').all(1)).toMatchObject([{ a: 1 }]);
});

it.each(['prefer', 'require', 'verify-ca'])(
  'sslmode=%s verifies the server without a warning of the driver',
  async (mode) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    afterwards(async () => warn.mockRestore());
    const store = openPostgres(`postgres://a:b@127.0.0.1:1/none?sslmode=${mode}`);
    afterwards(() => store.close());
    await expect(store.ping()).rejects.toThrow('the database cannot be reached');
    expect(warn).not.toHaveBeenCalled();
  },
);

const toKey = rowMapper({
  id: text('id'),
  createdAt: integer('created_at'),
  revokedAt: optional('revoked_at', Number),
});

it('maps columns to typed members', () => {
  expect(toKey({ id: 'key_1', created_at: 5, revoked_at: null })).toEqual({ id: 'key_1', createdAt: 5 });
  expect(toKey({ id: 'key_1', created_at: 5, revoked_at: 7 }).revokedAt).toBe(7);
});

it('rejects a row without a column', () => {
  expect(() => toKey({ id: 'key_1', created_at: 5 })).toThrow('the statement selects no column revoked_at');
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

  it.each([AMOUNT_MAX, -AMOUNT_MAX])('is exact above 2^63, of %d', async (amount) => {
    expect(await sum(await open(), [amount], 5_000)).toBe(5_000n * BigInt(amount));
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
