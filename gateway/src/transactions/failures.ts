/**
 * Transactions whose next step fails. They are retried forever, because money may be in transit, with exponential
 * backoff up to a limit, and stay visible with their count and last error. A failed channel call counts too, but is a
 * step of the transaction: see schedule.ts and updateTransaction.
 */

import { integer, rowMapper, text } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import type { Transaction } from '../domain/transaction.ts';
import { type ClaimedTransaction, parseTransaction } from './rows.ts';

/** Number of consecutive failures after which a transaction counts as failing, and an operator has to look at it. */
export const FAILING_FROM = 5;

/** Milliseconds. The longest pause is short enough that a transaction continues soon after a repair. */
const PAUSE_MS = { first: 5_000, max: 15 * 60_000 };

export interface Failure {
  /** For people, without secrets, see summarizeError. */
  readonly error: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface RecordedFailure {
  /** In a row, this one included. */
  readonly failures: number;
  /** Due time of the next attempt, in milliseconds since 1970. */
  readonly nextAttemptAt: number;
}

/**
 * Records a failed step of a claimed transaction and schedules the next attempt. Returns undefined, with no changes, if
 * the transaction has moved on or the claim was lost.
 */
export async function recordFailure(
  db: Database,
  { id, version, claimedUntil }: ClaimedTransaction,
  { error, now }: Failure,
): Promise<RecordedFailure | undefined> {
  const claim = [id, version, claimedUntil];
  const claimed = 'where id = ? and version = ? and next_attempt_at = ?';
  const row = await db.get(`select failures from transactions ${claimed} for update`, ...claim);
  if (!row) return undefined;
  const failures = integer('failures')(row) + 1;
  const nextAttemptAt = now + Math.min(PAUSE_MS.first * 2 ** (failures - 1), PAUSE_MS.max);
  await db.run(
    `update transactions set failures = ?, last_error = ?, next_attempt_at = ? ${claimed}`,
    failures,
    error,
    nextAttemptAt,
    ...claim,
  );
  return { failures, nextAttemptAt };
}

/** The failures of a transaction's next step. */
export interface StepFailures extends RecordedFailure {
  readonly error: string;
}

const COLUMNS = 'failures, last_error, next_attempt_at';

/** Without a next step, the failures belong to earlier steps. The comparison with 0 is the condition of the index. */
const FAILING = 'failures > 0 and next_attempt_at is not null';

/** Finds the failures of a transaction's next step; undefined if its last attempt succeeded. */
export async function findFailures(db: Database, id: string): Promise<StepFailures | undefined> {
  const row = await db.get(`select ${COLUMNS} from transactions where id = ? and ${FAILING}`, id);
  return row && toFailing(row);
}

/** A transaction that needs attention: it is failing or stuck. */
export interface UnhealthyTransaction {
  readonly transaction: Transaction;
  readonly failing: StepFailures | undefined;
}

/** Lists transactions whose last step has failed, most failures first, then open ones without a next step, oldest first. */
export async function listUnhealthyTransactions(db: Database, limit: number): Promise<UnhealthyTransaction[]> {
  const select = `select id, ${COLUMNS}, details, state, amount_paid from transactions`;
  const failing = await db.all(`${select} where ${FAILING} order by failures desc, id limit ?`, limit);
  const stuck = await db.all(
    `${select} where status not in ('SUCCESS', 'FAILED') and next_attempt_at is null order by id limit ?`,
    limit - failing.length,
  );
  return [
    ...failing.map((row) => ({ transaction: parseTransaction(row, db.keys), failing: toFailing(row) })),
    ...stuck.map((row) => ({ transaction: parseTransaction(row, db.keys), failing: undefined })),
  ];
}

const toFailing = rowMapper<StepFailures>({
  failures: integer('failures'),
  error: text('last_error'),
  nextAttemptAt: integer('next_attempt_at'),
});

/** Counts transactions with at least FAILING_FROM consecutive failures. */
export async function countFailingTransactions(db: Database): Promise<number> {
  return integer('count')(
    await db.get(`select count(*) as count from transactions where ${FAILING} and failures >= ${FAILING_FROM}`),
  );
}

// Transactions with an open exception: their channel contradicts their final status.

/** More aren't counted. */
export const EXCEPTION_COUNT_MAX = 1_000;

/** The place of a transaction in the list. */
export interface ExceptionCursor {
  /** Time of its oldest open exception, in milliseconds since 1970. */
  readonly at: number;
  readonly id: string;
}

/** The transactions with an open exception after one, the longest open first. */
export async function contradictedTransactions(
  db: Database,
  { after, limit }: { readonly after?: ExceptionCursor | undefined; readonly limit: number },
): Promise<Transaction[]> {
  const rows = await db.all(
    `select id, details, state, amount_paid from transactions
     where exception_at is not null and (exception_at, id) > (?, ?) order by exception_at, id limit ?`,
    ...[after?.at ?? 0, after?.id ?? '', limit],
  );
  return rows.map((row) => parseTransaction(row, db.keys));
}

/** Counts the transactions with an open exception. */
export async function countExceptions(db: Database): Promise<number> {
  const row = await db.get(
    `select count(*) as count from
       (select 1 from transactions where exception_at is not null limit ${EXCEPTION_COUNT_MAX}) as counted`,
  );
  return integer('count')(row);
}
