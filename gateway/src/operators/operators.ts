/** Operators, who run the gateway. */

import { integer, rowMapper, text } from '../database/row-mapper.ts';
import { whereAll } from '../database/sql.ts';
import type { Database } from '../database/store.ts';
import { sha256Hex } from '../platform/crypto.ts';
import type { Ids } from '../platform/ids.ts';

/** Roles in ascending order. Each operation of the management API declares its required role. */
export const ROLES = ['read', 'support', 'act', 'approve'] as const;
export type Role = (typeof ROLES)[number];

/** An operator's id and name. */
export interface OperatorName {
  readonly id: string;
  readonly name: string;
}

export interface Operator extends OperatorName {
  readonly role: Role;
}

/** An operator in a list. Times are milliseconds since 1970. */
export interface OperatorListing extends Operator {
  readonly createdAt: number;
}

/** Adds an operator without keys. Returns its id, or undefined if the name is taken. */
export async function createOperator(
  db: Database,
  { name, role = 'act' }: { readonly name: string; readonly role?: Role },
  now: number,
  ids: Ids,
): Promise<string | undefined> {
  const id = ids.newId('opr', now, name, ids.count());
  return (await insertOperator(db, { id, name, role }, now)) ? id : undefined;
}

/** Returns the operator for commands of a system's user. Adds it, without keys, if it is missing. */
export async function operatorForUser(db: Database, user: string, now: number): Promise<OperatorName> {
  const id = `usr_${sha256Hex(user).slice(0, 24)}`;
  await insertOperator(db, { id, name: user, role: 'read' }, now);
  return (await operatorByName(db, user)) ?? { id, name: user };
}

async function insertOperator(db: Database, { id, name, role }: Operator, now: number): Promise<boolean> {
  const inserted = await db.run(
    'insert into operators (id, name, created_at, role) values (?, ?, ?, ?) on conflict do nothing',
    ...[id, name, now, role],
  );
  return inserted === 1;
}

const SELECTED = 'select id, name, role, created_at from operators';

export async function operatorById(db: Database, id: string): Promise<OperatorListing | undefined> {
  const row = await db.get(`${SELECTED} where id = ?`, id);
  return row && toListing(row);
}

/** Finds an operator by name, ignoring case. */
export async function operatorByName(db: Database, name: string): Promise<OperatorListing | undefined> {
  const row = await db.get(`${SELECTED} where lower(name) = lower(?)`, name);
  return row && toListing(row);
}

/** Returns operators with a present or past key, newest first. */
export async function listOperators(
  db: Database,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<OperatorListing[]> {
  const { where, values } = whereAll({ 'id < ?': before });
  const rows = await db.all(
    `${SELECTED} where ${where}
       and exists (select 1 from operator_keys k where k.operator_id = operators.id) order by id desc limit ?`,
    ...[...values, limit],
  );
  return rows.map(toListing);
}

/** Changes the role of an operator. Returns false for an unknown operator, or an unchanged role. */
export async function setOperatorRole(db: Database, id: string, role: Role): Promise<boolean> {
  return (await db.run('update operators set role = ? where id = ? and role <> ?', role, id, role)) === 1;
}

const OPERATOR = { id: text('id'), name: text('name'), role: text<Role>('role') };

export const toOperator = rowMapper<Operator>(OPERATOR);

const toListing = rowMapper<OperatorListing>({ ...OPERATOR, createdAt: integer('created_at') });
