/** API keys of merchants. Only their hashes are stored. */

import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import { toBase64Url } from '../platform/base64.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { type Ids, randomIds } from '../platform/ids.ts';
import { type Merchant, toMerchant } from './merchants.ts';
import { requireMode, toMode } from './mode.ts';

/** The keys accepted by a gateway. */
export interface KeyPolicy {
  /** Live mode: keys begin with `sk_live_`, and no others are accepted. Otherwise they begin with `sk_test_`. */
  readonly live: boolean;
  /** It accepts the public key of the demo merchant. */
  readonly demo: boolean;
}

/** The key of the demo merchant, the same everywhere. It is public, so only a demo on loopback may accept it. */
export const DEMO_KEY = 'sk_test_demo_0123456789abcdefghijklmnopqrstuv';
/** Identifies the demo merchant's key among all. */
export const DEMO_KEY_ID = 'key_demo';

/** Adds an API key and returns it. It can't be read again. Throws WrongMode. */
export async function createApiKey(
  db: Database,
  merchantId: number,
  now: number,
  { live }: Pick<KeyPolicy, 'live'> = { live: false },
  ids: Ids = randomIds,
): Promise<{ id: string; key: string }> {
  // Includes revoked keys, because numbers are never reused.
  const before = (await listApiKeys(db, merchantId)).length;
  const key = `${selectPrefix(live)}${toBase64Url(ids.bytes(24, 'key', merchantId, before))}`;
  const id = ids.newId('key', now, merchantId, before);
  await insertApiKey(db, { id, merchantId, key, now, live });
  return { id, key };
}

/** Adds the demo key to a merchant, or restores it. */
export function insertDemoKey(db: Database, merchantId: number, now: number): Promise<void> {
  return insertApiKey(db, { id: DEMO_KEY_ID, merchantId, key: DEMO_KEY, now, live: false });
}

/** The merchant with the demo key, even if it was revoked. */
export async function demoMerchantId(db: Database): Promise<number | undefined> {
  const row = await db.get('select merchant_id from api_keys where id = ?', DEMO_KEY_ID);
  return row && integer('merchant_id')(row);
}

/** Revokes an API key. Returns false if the merchant has no such valid key. */
export async function revokeApiKey(db: Database, merchantId: number, id: string, now: number): Promise<boolean> {
  const changed = await db.run(
    'update api_keys set revoked_at = ? where id = ? and merchant_id = ? and revoked_at is null',
    now,
    id,
    merchantId,
  );
  return changed === 1;
}

const toListing = rowMapper({
  id: text('id'),
  hint: text('hint'),
  createdAt: integer('created_at'),
  revokedAt: optional('revoked_at', Number),
});

/** The merchant's keys, oldest first, without the keys themselves. */
export async function listApiKeys(db: Database, merchantId: number) {
  const rows = await db.all(
    'select id, hint, created_at, revoked_at from api_keys where merchant_id = ? order by created_at, id',
    merchantId,
  );
  return rows.map(toListing);
}

/** A valid key, without the key itself. */
export interface ValidKey {
  readonly keyId: string;
  readonly merchant: Merchant;
}

/**
 * Returns the key's id and merchant if the policy accepts the key, it isn't revoked, and the merchant isn't disabled.
 * The lookup is by hash, which prevents timing attacks.
 */
export async function findKey(db: Database, key: string, policy: KeyPolicy): Promise<ValidKey | undefined> {
  if (!key.startsWith(selectPrefix(policy.live)) || (key === DEMO_KEY && !policy.demo)) return undefined;
  const row = await db.get(
    `select k.id as key_id, m.id, m.name, m.created_at, m.methods from api_keys k join merchants m on m.id = k.merchant_id
     where k.hash = ? and k.revoked_at is null and m.disabled_at is null`,
    hashKey(key),
  );
  if (!row) return undefined;
  return { keyId: text('key_id')(row), merchant: toMerchant(row) };
}

async function insertApiKey(
  db: Database,
  { id, merchantId, key, now, live }: { id: string; merchantId: number; key: string; now: number; live: boolean },
): Promise<void> {
  await requireMode(db, toMode({ live }));
  await db.run(
    `insert into api_keys (id, merchant_id, hash, hint, created_at, live) values (?, ?, ?, ?, ?, ?)
     on conflict (id) do update set revoked_at = null, live = excluded.live`,
    id,
    merchantId,
    hashKey(key),
    `…${key.slice(-4)}`,
    now,
    live ? 1 : 0,
  );
}

function selectPrefix(live: boolean): string {
  return live ? 'sk_live_' : 'sk_test_';
}

/** The hash of a key or token, under which it is stored. */
export function hashKey(key: string): string {
  return sha256Hex(key);
}
