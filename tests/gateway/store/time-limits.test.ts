/**
 * Every wait for PostgreSQL is limited: for a lock, for a process frozen within a unit, for a statement, for the
 * server.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openPostgres, type PostgresOptions } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { type Database, type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { holdUnit, START } from '../harness/fixtures.ts';
import { afterwards, postgresDatabase } from '../harness.ts';

const LIMIT_MS = 50;
/** Longer than any test, in seconds. */
const FOR_EVER_S = 3_600;

function open(address: string, timeLimits: PostgresOptions['timeLimits'] = {}): Store {
  const store = openPostgres(address, { max: 2, timeLimits });
  afterwards(() => store.close());
  return store;
}

function rename(db: Database): Promise<number> {
  return db.run('update merchants set name = ?', 'renamed');
}

describe('the PostgreSQL store', () => {
  async function addressWithMerchant(): Promise<string> {
    const { address } = await postgresDatabase();
    const store = open(address);
    await migrate(store);
    await store.unit((db) => createMerchant(db, 'first', START));
    return address;
  }

  it('is unavailable to a unit that waits too long for a locked row', async () => {
    const address = await addressWithMerchant();
    const store = open(address, { lock_timeout: LIMIT_MS });
    const { letGo, done } = await holdUnit(open(address), rename);
    const refused = await store.unit(rename).catch((error: unknown) => error);
    letGo();
    await done;
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect(await store.unit(rename)).toBe(1);
  });

  it("ends a paused unit's lock on a row, so that the unit fails when it continues", async () => {
    const address = await addressWithMerchant();
    const store = open(address, { idle_in_transaction_session_timeout: 20 * LIMIT_MS });
    const frozen = await holdUnit(store, rename);
    expect(await open(address).unit(rename)).toBe(1);
    frozen.letGo();
    await expect(frozen.done).rejects.toThrow(StoreUnavailable);
  });

  it('lets a snapshot pause longer than a unit, since it locks no row', async () => {
    const address = await addressWithMerchant();
    const store = open(address, { idle_in_transaction_session_timeout: LIMIT_MS });
    const names = await store.snapshot(async (db) => {
      const before = await db.get('select name from merchants');
      await open(address).read.get('select pg_sleep(?)', (4 * LIMIT_MS) / 1_000);
      return [before, await db.get('select name from merchants')];
    });
    expect(names).toEqual([{ name: 'first' }, { name: 'first' }]);
  });

  it.each(['statement_timeout', 'query_timeout'] as const)(
    'ends a slow statement, except in a migration (%s)',
    async (limit) => {
      const { address } = await postgresDatabase();
      const store = open(address, { statement_timeout: 0, query_timeout: 0, [limit]: LIMIT_MS });
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
    const store = open(`postgres://nobody@127.0.0.1:${port}/none`, { connectionTimeoutMillis: LIMIT_MS });
    await expect(store.unit(async () => 1)).rejects.toThrow(StoreUnavailable);
    await expect(store.read.get('select 1')).rejects.toThrow(StoreUnavailable);
  });
});
