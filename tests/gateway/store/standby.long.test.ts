/** A store whose address leads to a PostgreSQL standby, as in a failover. */
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openPostgres } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { ReplicatedPostgres } from '../../tools/replicated-postgres.ts';
import { START } from '../harness/fixtures.ts';
import { afterwards } from '../harness.ts';

it.each([
  ['session', 'postgres'],
  ['transaction', 'postgres'],
  ['session', 'portable'],
] as const)(
  'is unavailable to units of work until the standby is promoted, and then has all committed data (%s, %s)',
  async (pooler, profile) => {
    const database = await ReplicatedPostgres.start();
    afterwards(() => database.close());
    const store = openPostgres(database.url, { pooler, profile });
    afterwards(() => store.close());
    await migrate(store);
    const { id } = await store.unit((db) => createMerchant(db, 'kept', START));
    await database.killPrimary();
    database.moveAddress();
    await expect(store.unit((db) => db.get('select 1 as one'))).rejects.toThrow(StoreUnavailable);
    await expect(store.unit((db) => createMerchant(db, 'refused', START))).rejects.toThrow(StoreUnavailable);
    await database.promote();
    await store.unit((db) => createMerchant(db, 'added', START));
    expect(await store.read.all('select id, name from merchants order by id')).toEqual([
      { id, name: 'kept' },
      { id: expect.any(Number), name: 'added' },
    ]);
  },
  60_000,
);
