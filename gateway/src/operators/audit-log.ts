/**
 * The operators' audit log: a chain in which each change has the hash of the change before it, so that changing, removing or
 * inserting one breaks the chain. Anyone with write access to the database can compute a new chain, so only a hash stored
 * elsewhere proves that the changes up to it are unchanged.
 */
import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import { whereAll } from '../database/sql.ts';
import type { Database, Row, Value } from '../database/store.ts';
import { sha256Hex } from '../platform/crypto.ts';
import type { Ids } from '../platform/ids.ts';
import type { OperatorName } from './operators.ts';

/** An operator's change. Never contains a secret. */
export interface OperatorChange {
  /** The operationId of the request, or the command. */
  readonly action: string;
  readonly merchantId?: number | undefined;
  /** The object of the change, such as the id of an event. */
  readonly subject?: string | undefined;
  /** The operator's reason. */
  readonly reason?: string | undefined;
}

export interface RecordedChange extends OperatorChange {
  readonly id: string;
  readonly operator: OperatorName;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A change in the chain: its number, from 1 on, and its hash. */
export interface ChainLink {
  readonly sequence: number;
  readonly hash: string;
}

/** Before the first change. */
const START: ChainLink = { sequence: 0, hash: '' };

const HASHED = 'sequence, id, operator_id, changed_at, action, merchant_id, subject, reason';

/** Records a change at the end of the unit of work that makes it: the end of the log is locked after all other rows. */
export async function recordOperatorChange(
  db: Database,
  { id: operatorId }: OperatorName,
  { action, merchantId = null, subject = null, reason = null }: NullableChange,
  { now, ids }: { readonly now: number; readonly ids: Ids },
): Promise<string> {
  const id = ids.newId('chg', now, operatorId, ids.count());
  const end = await lockEnd(db);
  const values = [end.sequence + 1, id, operatorId, now, action, merchantId, subject, reason];
  const hash = hashChange(end.hash, values);
  // First, so that one of two serializable units gets a conflict, which is repeated, instead of a taken sequence number.
  await db.run('update audit_log_end set sequence = ?, hash = ? where id = 1', end.sequence + 1, hash);
  await db.run(`insert into operator_changes (${HASHED}, hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...values, hash);
  return id;
}

type NullableChange = { readonly [K in keyof OperatorChange]: OperatorChange[K] | null };

/** The end of the log, which stays until the unit of work ends. */
async function lockEnd(db: Database): Promise<ChainLink> {
  await db.run("insert into audit_log_end (id, sequence, hash) values (1, 0, '') on conflict do nothing");
  return toLink((await db.get('select sequence, hash from audit_log_end where id = 1 for update')) as Row);
}

/** Whether a recorded change was committed. */
export async function hasOperatorChange(db: Database, id: string): Promise<boolean> {
  return (await db.get('select 1 from operator_changes where id = ?', id)) !== undefined;
}

/** The changes of all operators, newest first. */
export async function listOperatorChanges(
  db: Database,
  filter: { readonly merchantId?: number | undefined; readonly before?: string | undefined; readonly limit: number },
): Promise<RecordedChange[]> {
  const { where, values } = whereAll({ 'c.merchant_id = ?': filter.merchantId, 'c.id < ?': filter.before });
  const rows = await db.all(
    `select c.id, c.operator_id, o.name, c.changed_at, c.action, c.merchant_id, c.subject, c.reason
     from operator_changes c join operators o on o.id = c.operator_id
     where ${where} order by c.id desc limit ${filter.limit}`,
    ...values,
  );
  return rows.map(toChange);
}

const toChange = rowMapper<RecordedChange>({
  id: text('id'),
  operator: rowMapper<OperatorName>({ id: text('operator_id'), name: text('name') }),
  at: integer('changed_at'),
  action: text('action'),
  merchantId: optional('merchant_id', Number),
  subject: optional('subject', String),
  reason: optional('reason', String),
});

/** Verifies the chain on a snapshot, and reports each break. Returns its last link. `known` is a link that it must contain. */
export async function verifyAuditLog(
  db: Database,
  report: (difference: string) => void,
  { batchRows, known }: { readonly batchRows: number; readonly known?: ChainLink | undefined },
): Promise<ChainLink> {
  let last = START;
  for (let more = true; more; ) {
    const rows = await db.all(
      `select ${HASHED}, hash from operator_changes where sequence > ? order by sequence limit ?`,
      last.sequence,
      batchRows,
    );
    for (const row of rows) {
      const { sequence, hash } = toLink(row);
      const id = text('id')(row);
      if (sequence !== last.sequence + 1)
        report(`audit log: changes ${last.sequence + 1} to ${sequence - 1} are missing`);
      else if (
        hash !==
        hashChange(
          last.hash,
          HASHED.split(', ').map((name) => row[name] ?? null),
        )
      )
        report(`audit log: change ${sequence}, ${id}, or the one before it was altered`);
      if (known?.sequence === sequence && known.hash !== hash)
        report(`audit log: change ${sequence}, ${id}, has the hash ${hash}, not ${known.hash}`);
      last = { sequence, hash };
    }
    more = rows.length === batchRows;
  }
  const end = await db.get('select sequence, hash from audit_log_end where id = 1');
  const expected = Math.max(end ? toLink(end).sequence : 0, known?.sequence ?? 0);
  if (expected > last.sequence) report(`audit log: changes ${last.sequence + 1} to ${expected} are missing`);
  else if (end && toLink(end).hash !== last.hash) report(`audit log: its end is not change ${last.sequence}`);
  return last;
}

const toLink = rowMapper<ChainLink>({ sequence: integer('sequence'), hash: text('hash') });

function hashChange(before: string, values: readonly Value[]): string {
  return sha256Hex(JSON.stringify([before, ...values]));
}
