/** Databases of the bench, and merchants that are added to them directly. */

import { randomIds } from '../../gateway/src/platform/ids.ts';
import { NO_KEYS } from '../../gateway/src/platform/key-ring.ts';
import { createApiKey } from '../../gateway/src/store/access/api-keys.ts';
import { createMerchant } from '../../gateway/src/store/access/merchants.ts';
import { createSigningSecret } from '../../gateway/src/store/access/signing-secrets.ts';
import { postEntry } from '../../gateway/src/store/books/wallets.ts';
import { migrate } from '../../gateway/src/store/engine/migrate.ts';
import { openPostgres } from '../../gateway/src/store/engine/postgres/postgres-store.ts';
import { openSqlite } from '../../gateway/src/store/engine/sqlite/sqlite-store.ts';
import type { Store } from '../../gateway/src/store/engine/store.ts';

/** Environment variables with a gateway's database. */
export type DatabaseSettings = { readonly DATABASE_FILE: string } | { readonly DATABASE_URL: string };

export interface BenchMerchant {
  readonly id: number;
  readonly key: string;
}

/** Enough for every payout, in minor units. */
const FUNDED = 1_000_000_000_000;
const CURRENCY = 'INR';

/** Opens the database and brings its tables up to date. */
export async function openDatabase(database: DatabaseSettings): Promise<Store> {
  const store =
    'DATABASE_URL' in database ? openPostgres(database.DATABASE_URL, { max: 2 }) : openSqlite(database.DATABASE_FILE);
  await migrate(store);
  return store;
}

/** Adds merchants, each with a key, a signing secret and a full wallet, at a time in milliseconds since 1970. */
export async function addMerchantsTo(store: Store, count: number, now = Date.now()): Promise<BenchMerchant[]> {
  return store.unit(async (db) => {
    const added: BenchMerchant[] = [];
    for (let number = 1; number <= count; number++) {
      const { id } = await createMerchant(db, `Bench ${number}`, now);
      await createSigningSecret(db, id, now, NO_KEYS);
      const posting = { id: randomIds.newId('led', now), merchantId: id, currency: CURRENCY, transactionId: null, now };
      await postEntry(db, { from: 'bank', to: 'available', amount: FUNDED, reason: 'funded' }, posting);
      added.push({ id, key: (await createApiKey(db, id, now)).key });
    }
    return added;
  });
}

/** Adds merchants to the database of a gateway that does not run yet. */
export async function addMerchants(database: DatabaseSettings, count: number): Promise<BenchMerchant[]> {
  const store = await openDatabase(database);
  return addMerchantsTo(store, count).finally(() => store.close());
}
