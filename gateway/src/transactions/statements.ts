/**
 * Reconciliation: the lines of channels' statements, compared with the ledger transaction by transaction. A difference
 * stays open until later lines or entries settle it, or an operator accepts it.
 */
import type { StatementEntry } from '../channels/channel.ts';
import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import { batches, exactSum, keysetPages, placeholders, readSum, whereAll } from '../database/sql.ts';
import type { Database, Row } from '../database/store.ts';
import { describeContradiction, openExceptions } from '../domain/exceptions.ts';
import type { StatusData, Transaction } from '../domain/transaction.ts';
import { type CreatedRange, type Ids, idRange } from '../platform/ids.ts';
import { parseStatus } from './rows.ts';
import { timestamp } from './view.ts';

/** A statement's file, without its lines. Times are milliseconds since 1970. */
export interface StatementFile {
  readonly channel: string;
  /** SHA-256 of the file. */
  readonly hash: string;
  /** The period that it covers: its first time, and the one after the last. */
  readonly from: number;
  readonly before: number;
}

export interface Statement extends StatementFile {
  readonly id: string;
  readonly importedAt: number;
  readonly importedBy: string;
  /** Undefined until all lines are stored. */
  readonly lines: number | undefined;
}

export const DIFFERENCE_KINDS = ['not_in_statement', 'not_in_ledger', 'other_amount'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];
export type DifferenceState = 'open' | 'matched' | 'accepted';

export interface Difference {
  readonly id: string;
  readonly channel: string;
  readonly transactionId: string;
  /** Of the transaction. Both are undefined if it is unknown here. */
  readonly merchantId: number | undefined;
  readonly method: string | undefined;
  readonly kind: DifferenceKind;
  /** What the ledger and the statements have, for people. An acceptance is limited to it. */
  readonly difference: string;
  readonly state: DifferenceState;
  /** Milliseconds since 1970. */
  readonly foundAt: number;
  readonly closedAt: number | undefined;
  /** The operator who accepted it, and why. */
  readonly acceptedBy: string | undefined;
  readonly reason: string | undefined;
}

type Described = Pick<Difference, 'kind' | 'difference'>;

interface Written {
  readonly now: number;
  readonly ids: Ids;
}

const STATEMENTS = 'select s.*, o.name as operator from statements s join operators o on o.id = s.operator_id';

/** Adds a statement. Returns undefined if its file was imported before. */
export async function insertStatement(
  db: Database,
  { channel, hash, from, before }: StatementFile,
  operatorId: string,
  { now, ids }: Written,
): Promise<string | undefined> {
  const id = ids.newId('stm', now, channel, hash);
  const added = await db.run(
    `insert into statements (id, channel, hash, period_from, period_before, imported_at, operator_id)
     values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    ...[id, channel, hash, from, before, now, operatorId],
  );
  return added === 1 ? id : undefined;
}

export async function statementByHash(db: Database, channel: string, hash: string): Promise<Statement | undefined> {
  const row = await db.get(`${STATEMENTS} where s.channel = ? and s.hash = ?`, channel, hash);
  return row && toStatement(row);
}

/**
 * Finds a statement whose period overlaps, so that both may have the same line. Only lines with a reference can be told
 * apart: without `isReferenced`, any overlap counts, otherwise only one with lines that lack it.
 */
export async function overlappingStatement(
  db: Database,
  { channel, hash, from, before }: StatementFile,
  isReferenced: boolean,
): Promise<Statement | undefined> {
  const unclear = 'exists (select 1 from statement_lines l where l.statement_id = s.id and l.reference is null)';
  const row = await db.get(
    `${STATEMENTS} where s.channel = ? and s.hash <> ? and s.period_from < ? and s.period_before > ?
     ${isReferenced ? `and ${unclear}` : ''} order by s.id limit 1`,
    ...[channel, hash, before, from],
  );
  return row && toStatement(row);
}

/** The statements, newest first. */
export async function listStatements(
  db: Database,
  page: { readonly channel?: string | undefined; readonly before?: string | undefined; readonly limit: number },
): Promise<Statement[]> {
  const { where, values } = whereAll({ 's.channel = ?': page.channel, 's.id < ?': page.before });
  return (await db.all(`${STATEMENTS} where ${where} order by s.id desc limit ?`, ...values, page.limit)).map(
    toStatement,
  );
}

/** Lines of one statement. */
const LINES = 32;

/** Stores lines of a statement from a number on. A line with the reference of a stored one is the same movement. */
export async function insertLines(
  db: Database,
  { id, channel }: Pick<Statement, 'id' | 'channel'>,
  entries: readonly StatementEntry[],
  first: number,
): Promise<void> {
  for (let start = 0; start < entries.length; ) {
    const size = entries.length - start >= LINES ? LINES : 1;
    const group = entries.slice(start, start + size);
    const values = group.flatMap(({ transactionId, amount, currency, reference = null }, index) => {
      return [id, first + start + index, channel, transactionId, amount, currency, reference];
    });
    await db.run(
      `insert into statement_lines (statement_id, number, channel, transaction_id, amount, currency, reference)
       values ${group.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')} on conflict do nothing`,
      ...values,
    );
    start += size;
  }
}

/** Records that all lines of a statement are stored. */
export async function completeStatement(db: Database, id: string, lines: number): Promise<void> {
  await db.run('update statements set lines = ? where id = ?', lines, id);
}

/** The transactions with a movement of money between a wallet and a channel in a period, a page of entries at a time. */
export async function* movedTransactions(db: Database, period: CreatedRange, page: number): AsyncGenerator<string[]> {
  const { from = '', to = '' } = idRange('led', period);
  const pages = keysetPages<Row>(page, (last) =>
    db.all(
      `select id, transaction_id from ledger_entries
       where reason in ('collected', 'paid_out') and id > ? and id < ? order by id limit ?`,
      ...[last ? text('id')(last) : from, to, page],
    ),
  );
  for await (const rows of pages) yield rows.map(text('transaction_id'));
}

/** Sums of a transaction's lines in one currency. */
interface Stated {
  readonly currency: string;
  readonly sum: bigint;
  readonly lines: number;
}

interface Booked {
  readonly amount: number;
  readonly currency: string;
  readonly at: number;
}

/** A transaction in the ledger and in the statements of a channel. */
export interface Compared {
  readonly transactionId: string;
  readonly transaction: StatusData<Transaction> | undefined;
  /** Undefined if no money has moved by this channel. */
  readonly booked: Booked | undefined;
  readonly stated: readonly Stated[];
}

/** Compares transactions with all stored lines of a channel, and records what differs and what no longer does. */
export async function compareTransactions(
  db: Database,
  channel: string,
  transactionIds: readonly string[],
  written: Written,
): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const batch of batches(transactionIds)) {
    const found = await readComparisons(db, channel, batch);
    const matched: string[] = [];
    for (const one of found) {
      const difference = findDifference(channel, one);
      if (difference) await recordDifference(db, channel, { ...one, ...difference }, written);
      else matched.push(one.transactionId);
    }
    await closeMatched(db, channel, matched, written.now);
    compared.push(...found);
  }
  return compared;
}

async function readComparisons(db: Database, channel: string, batch: readonly (string | null)[]): Promise<Compared[]> {
  const stated = new Map<string, Stated[]>();
  const sums = await db.all(
    `select transaction_id, currency, count(*) as lines, ${exactSum('amount', 'stated')} from statement_lines
     where channel = ? and transaction_id in (${placeholders(batch)}) group by transaction_id, currency
     order by transaction_id, currency`,
    ...[channel, ...batch],
  );
  for (const row of sums) {
    const id = text('transaction_id')(row);
    stated.set(id, [...(stated.get(id) ?? []), toStated(row)]);
  }
  const rows = await db.all(
    `select t.id, t.state, t.amount_paid, e.amount, e.currency, e.created_at
     from transactions t left join ledger_entries e
       on e.transaction_id = t.id and e.reason in ('collected', 'paid_out')
     where t.id in (${placeholders(batch)})`,
    ...batch,
  );
  const known = new Map(rows.map((row) => [text('id')(row), row]));
  const given = batch.filter((id) => id !== null);
  return given.map((id) => {
    const row = known.get(id);
    const transaction = row && parseStatus(row);
    const booked = row && transaction?.channel === channel ? toBooked(row) : undefined;
    return { transactionId: id, transaction, booked, stated: stated.get(id) ?? [] };
  });
}

/** Decides whether the ledger and the statements of a channel differ, and describes how. */
function findDifference(channel: string, { transaction, booked, stated }: Compared): Described | undefined {
  const equals = (amount: number, currency: string | undefined) =>
    amount === 0
      ? stated.length === 0
      : stated.length === 1 && stated[0]?.currency === currency && stated[0]?.sum === BigInt(amount);
  if (equals(booked?.amount ?? 0, booked?.currency)) return undefined;
  const isOpen = transaction !== undefined && openExceptions(transaction).length > 0;
  // Operators have resolved a contradiction, and the statement confirms what the channel said last.
  if (transaction?.exceptions && !isOpen && equals(describeContradiction(transaction).claimed, transaction.currency)) {
    return undefined;
  }
  const there = stated.map(({ sum, currency, lines }) => `${sum} ${currency}${lines > 1 ? ` in ${lines} lines` : ''}`);
  const here = booked
    ? `the ledger has ${booked.amount} ${booked.currency}${there.length === 0 ? ` of ${timestamp(booked.at)}` : ''}`
    : transaction
      ? `is ${transaction.status} by the channel ${transaction.channel || channel}`
      : 'unknown here';
  const ending = isOpen ? '; its exception is open' : '';
  return {
    kind: !booked ? 'not_in_ledger' : there.length === 0 ? 'not_in_statement' : 'other_amount',
    difference: `${here}, the statement has ${there.join(' and ') || 'nothing'}${ending}`,
  };
}

/** Writes a difference. Reopens an accepted one if the facts have changed. */
async function recordDifference(
  db: Database,
  channel: string,
  { transactionId, transaction, kind, difference }: Compared & Described,
  { now, ids }: Written,
): Promise<void> {
  await db.run(
    `insert into differences (id, channel, transaction_id, merchant_id, method, kind, difference, state, found_at)
     values (?, ?, ?, ?, ?, ?, ?, 'open', ?)
     on conflict (channel, transaction_id) do update set
       merchant_id = excluded.merchant_id, method = excluded.method,
       kind = excluded.kind, difference = excluded.difference, state = 'open',
       found_at = case when differences.state = 'open' then differences.found_at else excluded.found_at end,
       closed_at = null, operator_id = null, reason = null
     where differences.state = 'matched' or differences.difference <> excluded.difference`,
    ...[ids.newId('dif', now, channel, transactionId), channel, transactionId],
    ...[transaction?.merchantId ?? null, transaction?.method ?? null, kind, difference, now],
  );
}

async function closeMatched(db: Database, channel: string, matched: readonly string[], now: number): Promise<void> {
  for (const batch of batches(matched)) {
    await db.run(
      `update differences set state = 'matched', closed_at = ?, operator_id = null, reason = null
       where channel = ? and state <> 'matched' and transaction_id in (${placeholders(batch)})`,
      ...[now, channel, ...batch],
    );
  }
}

export interface DifferenceFilter {
  readonly state?: DifferenceState | undefined;
  readonly channel?: string | undefined;
}

const DIFFERENCES = 'select d.*, o.name as operator from differences d left join operators o on o.id = d.operator_id';

/** The differences after one, oldest first. */
export async function listDifferences(
  db: Database,
  { state, channel }: DifferenceFilter,
  { after = '', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<Difference[]> {
  // A literal, as in the condition of the index.
  const ofState = state === undefined ? '' : `and d.state = '${state}'`;
  const { where, values } = whereAll({ 'd.id > ?': after, 'd.channel = ?': channel });
  const rows = await db.all(`${DIFFERENCES} where ${where} ${ofState} order by d.id limit ?`, ...values, limit);
  return rows.map(toDifference);
}

export async function differenceById(db: Database, id: string): Promise<Difference | undefined> {
  const row = await db.get(`${DIFFERENCES} where d.id = ?`, id);
  return row && toDifference(row);
}

/** Accepts an open difference. Returns false, with no changes, for any other. */
export async function acceptDifference(
  db: Database,
  id: string,
  { operatorId, reason, now }: { readonly operatorId: string; readonly reason: string; readonly now: number },
): Promise<boolean> {
  const accepted = await db.run(
    `update differences set state = 'accepted', closed_at = ?, operator_id = ?, reason = ?
     where id = ? and state = 'open'`,
    ...[now, operatorId, reason, id],
  );
  return accepted === 1;
}

/** More aren't counted. */
export const DIFFERENCE_COUNT_MAX = 10_000;

export interface DifferenceCount {
  readonly channel: string;
  readonly kind: DifferenceKind;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly oldest: number;
}

/** Counts the open differences of each channel and kind. */
export async function countDifferences(db: Database): Promise<DifferenceCount[]> {
  const rows = await db.all(
    `select channel, kind, count(*) as count, min(found_at) as oldest from
       (select channel, kind, found_at from differences where state = 'open' order by id limit ${DIFFERENCE_COUNT_MAX})
       as counted
     group by channel, kind order by channel, kind`,
  );
  return rows.map(toCount);
}

const toStatement = rowMapper<Statement>({
  id: text('id'),
  channel: text('channel'),
  hash: text('hash'),
  from: integer('period_from'),
  before: integer('period_before'),
  importedAt: integer('imported_at'),
  importedBy: text('operator'),
  lines: optional('lines', Number),
});

const toStated = rowMapper<Stated>({
  currency: text('currency'),
  sum: (row) => readSum(row, 'stated'),
  lines: integer('lines'),
});

function toBooked(row: Row): Booked | undefined {
  const amount = optional('amount', Number)(row);
  return amount === undefined ? undefined : { amount, currency: text('currency')(row), at: integer('created_at')(row) };
}

const toDifference = rowMapper<Difference>({
  id: text('id'),
  channel: text('channel'),
  transactionId: text('transaction_id'),
  merchantId: optional('merchant_id', Number),
  method: optional('method', String),
  kind: text('kind'),
  difference: text('difference'),
  state: text('state'),
  foundAt: integer('found_at'),
  closedAt: optional('closed_at', Number),
  acceptedBy: optional('operator', String),
  reason: optional('reason', String),
});

const toCount = rowMapper<DifferenceCount>({
  channel: text('channel'),
  kind: text('kind'),
  count: integer('count'),
  oldest: integer('oldest'),
});
