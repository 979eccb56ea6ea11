/** Merchants with their API keys and signing secrets. Keys are kept as hashes, secrets as they are, since signing needs them. */
import { createHash, randomBytes } from 'node:crypto';
import { newId } from '../platform/ids.ts';
import type { Database } from './store.ts';

export interface Merchant {
  readonly id: number;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Two secrets are valid at a time: the newest, and the one before it until it expires. */
const ROTATION_MS = 24 * 60 * 60_000;

/** Adds a merchant; its number is the next free one. */
export async function createMerchant(db: Database, name: string, now: number): Promise<Merchant> {
  for (;;) {
    const row = await db.get('select coalesce(max(id), 10000) + 1 as id from merchants');
    const id = Number(row?.['id']);
    const added = await db.run(
      'insert into merchants (id, name, created_at) values (?, ?, ?) on conflict (id) do nothing',
      id,
      name,
      now,
    );
    // Another unit may have taken the number meanwhile.
    if (added === 1) return { id, name, createdAt: now };
  }
}

export async function merchantById(db: Database, id: number): Promise<Merchant | undefined> {
  const row = await db.get('select id, name, created_at from merchants where id = ?', id);
  return row && { id: Number(row['id']), name: String(row['name']), createdAt: Number(row['created_at']) };
}

/** Every merchant, by number. */
export async function allMerchants(db: Database): Promise<Merchant[]> {
  const rows = await db.all('select id, name, created_at from merchants order by id');
  return rows.map((row) => ({
    id: Number(row['id']),
    name: String(row['name']),
    createdAt: Number(row['created_at']),
  }));
}

/** Adds an API key and returns it. It cannot be read again: only its hash is kept. */
export async function createApiKey(
  db: Database,
  merchantId: number,
  now: number,
): Promise<{ id: string; key: string }> {
  const key = `sk_test_${randomBytes(24).toString('base64url')}`;
  const id = newId('key', now);
  await insertApiKey(db, { id, merchantId, key, now });
  return { id, key };
}

/** Adds a given API key, as the demo merchant's, which is the same at every start. */
export async function insertApiKey(
  db: Database,
  { id, merchantId, key, now }: { id: string; merchantId: number; key: string; now: number },
): Promise<void> {
  await db.run(
    'insert into api_keys (id, merchant_id, hash, hint, created_at) values (?, ?, ?, ?, ?) on conflict (id) do nothing',
    id,
    merchantId,
    hashKey(key),
    `…${key.slice(-4)}`,
    now,
  );
}

/** Ends an API key. Returns false when the merchant has no such key that is still valid. */
export async function revokeApiKey(db: Database, merchantId: number, id: string, now: number): Promise<boolean> {
  const changed = await db.run(
    'update api_keys set revoked_at = ? where id = ? and merchant_id = ? and revoked_at is null',
    now,
    id,
    merchantId,
  );
  return changed === 1;
}

/** The merchant's keys without the keys themselves. */
export async function apiKeysOf(db: Database, merchantId: number) {
  const rows = await db.all(
    'select id, hint, created_at, revoked_at from api_keys where merchant_id = ? order by created_at, id',
    merchantId,
  );
  return rows.map((row) => ({
    id: String(row['id']),
    hint: String(row['hint']),
    createdAt: Number(row['created_at']),
    revoked: row['revoked_at'] !== null,
  }));
}

/** The merchant that a key belongs to, while the key is valid. The look-up is by hash, so its time tells nothing. */
export async function merchantByKey(db: Database, key: string): Promise<Merchant | undefined> {
  const row = await db.get(
    `select m.id, m.name, m.created_at from api_keys k join merchants m on m.id = k.merchant_id
     where k.hash = ? and k.revoked_at is null`,
    hashKey(key),
  );
  return row && { id: Number(row['id']), name: String(row['name']), createdAt: Number(row['created_at']) };
}

/** Adds a signing secret; the one before it stays valid for a day, older ones end now. */
export async function createSigningSecret(db: Database, merchantId: number, now: number): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const valid = await validSecrets(db, merchantId, now);
  await db.run(
    'update signing_secrets set expires_at = ? where merchant_id = ? and expires_at is null',
    now + ROTATION_MS,
    merchantId,
  );
  for (const { id } of valid.slice(1)) await db.run('update signing_secrets set expires_at = ? where id = ?', now, id);
  await db.run(
    'insert into signing_secrets (id, merchant_id, secret, created_at) values (?, ?, ?, ?)',
    newId('sec', now),
    merchantId,
    secret,
    now,
  );
  return secret;
}

/** The secrets with which an event is signed now, the newest first. */
export async function validSecrets(
  db: Database,
  merchantId: number,
  now: number,
): Promise<{ id: string; secret: string }[]> {
  const rows = await db.all(
    `select id, secret from signing_secrets where merchant_id = ? and (expires_at is null or expires_at > ?)
     order by created_at desc, id desc`,
    merchantId,
    now,
  );
  return rows.map((row) => ({ id: String(row['id']), secret: String(row['secret']) }));
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
