/** Keys of operators for the management API. Only their hashes are stored. */

import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import { type Database, type Store, StoreUnavailable } from '../database/store.ts';
import { hashKey } from '../merchants/api-keys.ts';
import { toBase64Url } from '../platform/base64.ts';
import type { Ids } from '../platform/ids.ts';
import { type Operator, toOperator } from './operators.ts';

/** A key without the key itself. Times are milliseconds since 1970. */
export interface OperatorKey {
  readonly id: string;
  /** The end of the key. */
  readonly hint: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Accurate to LAST_USE_MS. */
  readonly lastUsedAt: number | undefined;
  readonly revokedAt: number | undefined;
}

export interface ValidOperatorKey {
  readonly keyId: string;
  readonly operator: Operator;
}

/** The key was valid until `at`, in milliseconds since 1970. */
export class ExpiredOperatorKey extends Error {
  readonly at: number;
  readonly operatorId: string;
  constructor(at: number, operatorId: string) {
    super('the operator key has expired');
    this.at = at;
    this.operatorId = operatorId;
  }
}

/** The beginning of each operator key. */
export const OPERATOR_KEY_PREFIX = 'op_';
/** Milliseconds before the last use of a key is written again, which avoids a write per request. */
const LAST_USE_MS = 60_000;
/** Lifetime of a key in milliseconds, unless its creator chooses another: 90 days. */
const LIFETIME_MS = 90 * 24 * 60 * 60_000;

/** Adds a key and returns it. It can't be read again. */
export async function createOperatorKey(
  db: Database,
  operatorId: string,
  now: number,
  ids: Ids,
  lifetimeMs = LIFETIME_MS,
): Promise<{ id: string; key: string; expiresAt: number }> {
  const id = ids.newId('opk', now, operatorId, ids.count());
  const key = OPERATOR_KEY_PREFIX + toBase64Url(ids.bytes(24, 'operator', id));
  const expiresAt = now + lifetimeMs;
  await db.run(
    'insert into operator_keys (id, operator_id, hash, hint, created_at, expires_at) values (?, ?, ?, ?, ?, ?)',
    ...[id, operatorId, hashKey(key), `…${key.slice(-4)}`, now, expiresAt],
  );
  return { id, key, expiresAt };
}

/** Returns all keys of an operator, oldest first. */
export async function operatorKeys(db: Database, operatorId: string): Promise<OperatorKey[]> {
  const rows = await db.all(
    `select id, hint, created_at, expires_at, last_used_at, revoked_at from operator_keys
     where operator_id = ? order by id`,
    operatorId,
  );
  return rows.map(toKey);
}

/** Revokes a key. Returns false if there is no such key, or it was revoked before. */
export async function revokeOperatorKey(db: Database, id: string, now: number): Promise<boolean> {
  const revoked = await db.run(
    'update operator_keys set revoked_at = ? where id = ? and revoked_at is null',
    ...[now, id],
  );
  return revoked === 1;
}

/** Revokes all keys of an operator. Returns false if none is valid. */
export async function revokeOperatorKeys(db: Database, operatorId: string, now: number): Promise<boolean> {
  const revoked = await db.run(
    'update operator_keys set revoked_at = ? where operator_id = ? and revoked_at is null',
    ...[now, operatorId],
  );
  return revoked > 0;
}

/**
 * Finds the operator of a valid key and records the use. Throws ExpiredOperatorKey. The lookup is by hash, which prevents
 * timing attacks.
 */
export async function authenticateOperator(
  store: Pick<Store, 'read' | 'unit'>,
  key: string,
  now: number,
): Promise<ValidOperatorKey | undefined> {
  if (!key.startsWith(OPERATOR_KEY_PREFIX)) return undefined;
  const row = await store.read.get(
    `select o.id, o.name, o.role, k.id as key_id, k.last_used_at, k.expires_at
     from operator_keys k join operators o on o.id = k.operator_id where k.hash = ? and k.revoked_at is null`,
    hashKey(key),
  );
  if (!row) return undefined;
  const expiresAt = integer('expires_at')(row);
  if (expiresAt <= now) throw new ExpiredOperatorKey(expiresAt, text('id')(row));
  const keyId = text('key_id')(row);
  if ((optional('last_used_at', Number)(row) ?? Number.NEGATIVE_INFINITY) <= now - LAST_USE_MS) {
    // Operators can still read a database that refuses writes, as with a full disk.
    await store
      .unit((db) => noteUse(db, keyId, now))
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error;
      });
  }
  return { keyId, operator: toOperator(row) };
}

/** The operator of an unexpired session of the console, whose key is still valid, with the current role. */
export async function operatorBySession(db: Database, session: string, now: number): Promise<Operator | undefined> {
  const row = await db.get(
    `select o.id, o.name, o.role from console_access a join operator_keys k on k.id = a.operator_key_id
       join operators o on o.id = k.operator_id
     where a.hash = ? and a.kind = 'session' and a.expires_at > ? and k.revoked_at is null and k.expires_at > ?`,
    ...[hashKey(session), now, now],
  );
  return row && toOperator(row);
}

async function noteUse(db: Database, keyId: string, now: number): Promise<void> {
  await db.run('update operator_keys set last_used_at = ? where id = ?', now, keyId);
}

const toKey = rowMapper<OperatorKey>({
  id: text('id'),
  hint: text('hint'),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
  lastUsedAt: optional('last_used_at', Number),
  revokedAt: optional('revoked_at', Number),
});
