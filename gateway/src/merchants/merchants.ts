/** Merchants. For their API keys and signing secrets, see the files of those names. */

import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import type { MethodSettings } from '../domain/methods.ts';

export interface Merchant {
  readonly id: number;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Its settings of methods that differ from the gateway's. */
  readonly methods?: MethodSettings | undefined;
}

/** Adds a merchant with the next free number. One without an account has an expiry, in milliseconds since 1970. */
export async function createMerchant(
  db: Database,
  name: string,
  now: number,
  expiresAt: number | null = null,
): Promise<Merchant> {
  for (;;) {
    const row = await db.get('select coalesce(max(id), 10000) + 1 as id from merchants');
    const id = integer('id')(row);
    const added = await db.run(
      'insert into merchants (id, name, created_at, expires_at) values (?, ?, ?, ?) on conflict (id) do nothing',
      id,
      name,
      now,
      expiresAt,
    );
    // May race with another unit for the number.
    if (added === 1) return { id, name, createdAt: now };
  }
}

/** A merchant with the time at which it was disabled, in milliseconds since 1970. */
export interface MerchantListing extends Merchant {
  readonly disabledAt: number | undefined;
}

const LISTED = 'select id, name, created_at, methods, disabled_at from merchants where deleted_at is null';

export async function merchantById(db: Database, id: number): Promise<MerchantListing | undefined> {
  const row = await db.get(`${LISTED} and id = ?`, id);
  return row && toListing(row);
}

/** Up to `limit` merchants after one, by number, that aren't deleted. */
export async function listMerchants(db: Database, after: number, limit: number): Promise<MerchantListing[]> {
  return (await db.all(`${LISTED} and id > ? order by id limit ${limit}`, after)).map(toListing);
}

const MERCHANT = {
  id: integer('id'),
  name: text('name'),
  createdAt: integer('created_at'),
  methods: optional('methods', (stored) => JSON.parse(String(stored)) as MethodSettings),
};

export const toMerchant = rowMapper<Merchant>(MERCHANT);

const toListing = rowMapper<MerchantListing>({ ...MERCHANT, disabledAt: optional('disabled_at', Number) });

/**
 * Rejects all API keys of a merchant. Open transactions and webhooks continue. Returns false if it is disabled already.
 */
export async function disableMerchant(db: Database, id: number, now: number): Promise<boolean> {
  return (await db.run('update merchants set disabled_at = ? where id = ? and disabled_at is null', now, id)) === 1;
}

/** Accepts the merchant's API keys again. Returns false if the merchant isn't disabled. */
export async function enableMerchant(db: Database, id: number): Promise<boolean> {
  return (await db.run('update merchants set disabled_at = null where id = ? and disabled_at is not null', id)) === 1;
}

/** Locks the merchant until the unit of work ends, for a change that depends on its current settings or secrets. */
export async function lockMerchant(db: Database, id: number): Promise<void> {
  await db.get('select id from merchants where id = ? for update', id);
}

/** Replaces the merchant's settings of methods. */
export async function setMethods(db: Database, id: number, settings: MethodSettings): Promise<void> {
  const stored = Object.keys(settings).length > 0 ? JSON.stringify(settings) : null;
  await db.run('update merchants set methods = ? where id = ?', stored, id);
}

const EXPIRING = 'expires_at is not null and deleted_at is null';

/** Counts unexpired merchants with an expiry. Concurrent counting units wait for this one, so that a limit holds. */
export async function countAnonymousMerchants(db: Database): Promise<number> {
  // Each database of a gateway has exactly this row.
  await db.get('select live from database_mode where id = 1 for update');
  return integer('count')(await db.get(`select count(*) as count from merchants where ${EXPIRING}`));
}

/** Time at which the next merchant expires, in milliseconds since 1970. */
export async function nextExpiry(db: Database): Promise<number | undefined> {
  return optional('next', Number)(await db.get(`select min(expires_at) as next from merchants where ${EXPIRING}`));
}

/** Numbers of expired merchants that aren't deleted. */
export async function expiredMerchants(db: Database, now: number, limit: number): Promise<number[]> {
  const rows = await db.all(
    `select id from merchants where ${EXPIRING} and expires_at <= ? order by expires_at limit ${limit}`,
    now,
  );
  return rows.map(integer('id'));
}
