/** Creates databases for gateways under load, and inserts merchants into them directly. */

import { migrate } from '../../gateway/src/database/migrate.ts';
import { openPostgres } from '../../gateway/src/database/postgres/postgres-store.ts';
import { openSqlite } from '../../gateway/src/database/sqlite/sqlite-store.ts';
import type { Store } from '../../gateway/src/database/store.ts';
import { postEntry } from '../../gateway/src/ledger/wallets.ts';
import { createApiKey } from '../../gateway/src/merchants/api-keys.ts';
import { createMerchant } from '../../gateway/src/merchants/merchants.ts';
import { createSigningSecret } from '../../gateway/src/merchants/signing-secrets.ts';
import { randomIds } from '../../gateway/src/platform/ids.ts';

/** Environment variables with a gateway's database. */
export type DatabaseSettings = { readonly DATABASE_FILE: string } | { readonly DATABASE_URL: string };

export interface LoadMerchant {
  readonly id: number;
  readonly key: string;
  readonly secret: string;
}

/** Enough for every payout, in minor units. */
export const FUNDED = 1_000_000_000_000;
export const CURRENCY = 'INR';

/** Opens a database, by the environment variables of a gateway. */
export function connect({ DATABASE_URL: url, DATABASE_FILE: file = '' }: Readonly<Record<string, string>>): Store {
  return url ? openPostgres(url, { max: 2 }) : openSqlite(file);
}

/** Opens a database and brings its tables up to date. */
export async function openDatabase(database: Readonly<Record<string, string>>): Promise<Store> {
  const store = connect(database);
  await migrate(store);
  return store;
}

/** Adds a merchant with a key, a signing secret and a full wallet, at a time in milliseconds since 1970. */
export function insertLoadMerchant(store: Store, now = Date.now()): Promise<LoadMerchant> {
  return store.unit(async (db) => {
    const { id } = await createMerchant(db, 'Merchant under load', now);
    const secret = await createSigningSecret(db, id, now);
    const posting = { id: randomIds.newId('led', now), merchantId: id, currency: CURRENCY, transactionId: null, now };
    await postEntry(db, { from: 'bank', to: 'available', amount: FUNDED, reason: 'funded' }, posting);
    return { id, secret, key: (await createApiKey(db, id, now)).key };
  });
}

/** Adds a merchant to the database of a gateway that does not run yet. */
export async function addMerchant(database: Readonly<Record<string, string>>): Promise<LoadMerchant> {
  const store = await openDatabase(database);
  return insertLoadMerchant(store).finally(() => store.close());
}
