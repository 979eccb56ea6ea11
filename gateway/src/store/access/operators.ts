/** Operators, who run the gateway, with their keys, and the record of their changes. Only hashes of the keys are stored. */
import { toBase64Url } from '../../platform/base64.ts';
import { sha256Hex } from '../../platform/crypto.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Database, Row, Value } from '../engine/store.ts';
import { hashKey } from './api-keys.ts';

/** Each may do what those before it may: look, make changes, and approve the changes of money that others propose. */
export const ROLES = ['read', 'act', 'approve'] as const;
export type Role = (typeof ROLES)[number];

/** An operator as it is named. */
export interface OperatorName {
  readonly id: string;
  readonly name: string;
}

export interface Operator extends OperatorName {
  readonly role: Role;
}

/** An operator without the key. Times are milliseconds since 1970. */
export interface OperatorListing extends Operator {
  /** The end of the key. */
  readonly hint: string;
  readonly createdAt: number;
  readonly revokedAt: number | undefined;
}

/** A change that an operator makes. Never contains a secret. */
export interface OperatorChange {
  /** The operationId of the request, or that of a command. */
  readonly action: string;
  readonly merchantId?: number | undefined;
  /** The object of the change, such as the id of an event. */
  readonly subject?: string | undefined;
  /** The operator's own words. */
  readonly reason?: string | undefined;
}

export interface RecordedChange extends OperatorChange {
  readonly id: string;
  readonly operator: OperatorName;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const PREFIX = 'op_';

/** Adds an operator and returns the key, which can't be read again. */
export async function createOperator(
  db: Database,
  name: string,
  now: number,
  ids: Ids,
  role: Role = 'act',
): Promise<{ id: string; key: string }> {
  const id = ids.newId('opr', now, name, ids.count());
  const key = PREFIX + toBase64Url(ids.bytes(24, 'operator', id));
  await db.run(
    'insert into operators (id, name, hash, hint, created_at, role) values (?, ?, ?, ?, ?, ?)',
    ...[id, name, hashKey(key), `…${key.slice(-4)}`, now, role],
  );
  return { id, key };
}

/** The operator under whose name commands of a system's user are recorded. It has no key, and is added when it is missing. */
export async function operatorForUser(db: Database, user: string, now: number): Promise<OperatorName> {
  const id = `usr_${sha256Hex(user).slice(0, 24)}`;
  await db.run(
    `insert into operators (id, name, hash, hint, created_at, revoked_at, role) values (?, ?, ?, '', ?, ?, 'read')
     on conflict (id) do nothing`,
    // No key has this hash.
    ...[id, user, id, now, now],
  );
  return { id, name: user };
}

/** Every operator that has had a key, the oldest first. */
export async function allOperators(db: Database): Promise<OperatorListing[]> {
  const rows = await db.all(
    "select id, name, role, hint, created_at, revoked_at from operators where hint <> '' order by id",
  );
  return rows.map((row) => ({
    ...parseOperator(row),
    hint: String(row['hint']),
    createdAt: Number(row['created_at']),
    revokedAt: row['revoked_at'] === null ? undefined : Number(row['revoked_at']),
  }));
}

/** Ends an operator's key. Returns false if there is no such operator whose key is valid. */
export async function revokeOperator(db: Database, id: string, now: number): Promise<boolean> {
  return (await db.run('update operators set revoked_at = ? where id = ? and revoked_at is null', now, id)) === 1;
}

/** The operator that a valid key belongs to. The look-up is by hash, so its duration reveals nothing. */
export async function operatorByKey(db: Database, key: string): Promise<Operator | undefined> {
  if (!key.startsWith(PREFIX)) return undefined;
  const row = await db.get('select id, name, role from operators where hash = ? and revoked_at is null', hashKey(key));
  return row && parseOperator(row);
}

/** Records a change in the unit of work that makes it. */
export async function recordOperatorChange(
  db: Database,
  { id }: OperatorName,
  { action, merchantId, subject, reason }: OperatorChange,
  { now, ids }: { readonly now: number; readonly ids: Ids },
): Promise<void> {
  await db.run(
    `insert into operator_changes (id, operator_id, changed_at, action, merchant_id, subject, reason)
     values (?, ?, ?, ?, ?, ?, ?)`,
    ...[ids.newId('chg', now, id, ids.count()), id, now, action, merchantId ?? null, subject ?? null, reason ?? null],
  );
}

/** The changes of all operators, newest first. */
export async function listOperatorChanges(
  db: Database,
  filter: { readonly merchantId?: number | undefined; readonly before?: string | undefined; readonly limit: number },
): Promise<RecordedChange[]> {
  const conditions: [string, Value][] = [];
  if (filter.merchantId !== undefined) conditions.push(['c.merchant_id = ?', filter.merchantId]);
  if (filter.before !== undefined) conditions.push(['c.id < ?', filter.before]);
  const rows = await db.all(
    `select c.id, c.operator_id, o.name, c.changed_at, c.action, c.merchant_id, c.subject, c.reason
     from operator_changes c join operators o on o.id = c.operator_id
     where ${['1 = 1', ...conditions.map(([sql]) => sql)].join(' and ')} order by c.id desc limit ${filter.limit}`,
    ...conditions.map(([, value]) => value),
  );
  return rows.map((row) => ({
    id: String(row['id']),
    operator: { id: String(row['operator_id']), name: String(row['name']) },
    at: Number(row['changed_at']),
    action: String(row['action']),
    merchantId: row['merchant_id'] === null ? undefined : Number(row['merchant_id']),
    subject: row['subject'] === null ? undefined : String(row['subject']),
    reason: row['reason'] === null ? undefined : String(row['reason']),
  }));
}

function parseOperator(row: Row): Operator {
  return { id: String(row['id']), name: String(row['name']), role: row['role'] as Role };
}
