/** Writes a step of the domain: the transaction, its ledger entries and its webhook, in one unit of work. */

import { boundParameters } from '../database/row-statement.ts';
import { type ContendedRow, type Database, Rejection, type WriteCondition } from '../database/store.ts';
import { withBegunCall } from '../domain/channel-calls.ts';
import { CALL_LEASE_MS } from '../domain/schedule.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import { postEntry, walletRow } from '../ledger/wallets.ts';
import type { Ids } from '../platform/ids.ts';
import { summarizeError } from '../platform/log.ts';
import { type Conversion, sameTime } from '../platform/merchant-time.ts';
import { appendEvent, type Delivery, type NewEvent } from '../webhooks/outbox.ts';
import { addUsage, subtractUsage, usageRows } from './customer-usage.ts';
import { canInsert, canUpdate, insertTransaction, updateTransaction } from './rows.ts';
import { writeSearchKeys } from './search-keys.ts';

/** The order id is taken, another writer was faster, or the customer would exceed a limit. */
export type StepRejection = Rejection<'order_id_taken' | 'version_conflict' | 'limit_exceeded'>;

export interface WriteOptions {
  /** Makes the ids of the ledger entries and of the webhook. */
  readonly ids: Ids;
  /** Body of the webhook, for a step that notifies. */
  readonly webhook: string | undefined;
  /** Converts a merchant's time to the store's time at which it comes. Defaults to the same time. */
  readonly toStoreTime?: Conversion;
  /** Time of a change, in milliseconds since 1970. A creation uses its transaction's. */
  readonly now?: number;
  /** The merchant's time, see `Posting`. */
  readonly present?: number;
  /** End of the lease under which a worker writes: the change is rejected if another worker has claimed the transaction. */
  readonly claimedUntil?: number | undefined;
  /** End of the writer's lease for the next action, in the store's time. Without it, any worker can claim the transaction. */
  readonly leaseUntil?: number | undefined;
  /** Lease or due time of the webhook. Without them, the webhook is due at the time of the change. */
  readonly delivery?: Pick<NewEvent, 'leaseUntil' | 'dueAt'>;
  /** The `traceparent` that the webhook continues. */
  readonly trace?: string | undefined;
}

/** A step as it was written. */
export interface WrittenStep<T extends Transaction = Transaction> {
  readonly step: Step<T>;
  /** The store's time from which any worker can claim the transaction; null for never. */
  readonly attemptAt: number | null;
  /** The webhook that reports the change. */
  readonly event: Delivery | undefined;
}

/** Rows of a step that other units of work change too. */
export function contendedRows({ transaction, entries, usage }: Step): ContendedRow[] {
  const { merchantId, currency } = transaction;
  return [...(usage ? usageRows(transaction) : []), ...(entries.length > 0 ? [walletRow(merchantId, currency)] : [])];
}

/**
 * Writes a step: version 1 of a transaction creates it, later versions change it. A unit of work that gets a rejection
 * must be rolled back.
 */
export async function writeStep<T extends Transaction>(
  db: Database,
  step: Step<T>,
  options: WriteOptions,
): Promise<WrittenStep<T> | StepRejection> {
  const transaction = withCallLogged(step);
  const { version, createdAt } = transaction;
  const { toStoreTime = sameTime, claimedUntil, leaseUntil, now = createdAt } = options;
  const creates = version === 1;
  const conflict = () => new Rejection(creates ? 'order_id_taken' : 'version_conflict');
  const writable = writeCondition(transaction, claimedUntil);
  if (!(await reserveUsage(db, step, writable))) {
    return (await holds(db, writable)) ? new Rejection('limit_exceeded') : conflict();
  }
  const attemptAt = leaseUntil ?? (transaction.dueAt === undefined ? null : toStoreTime(transaction.dueAt));
  if (creates) {
    // Sent together, as one round trip.
    const [inserted] = await Promise.all([insertTransaction(db, transaction, attemptAt), writeSearchKeys(db, step)]);
    if (!inserted) return conflict();
    return { step, attemptAt, event: await writeEffects(db, step, createdAt, options) };
  }
  const error = step.failure === undefined ? null : summarizeError(step.failure);
  // Sent together, as one round trip to the database. After a conflict, which is rare, the effects are undone with the unit.
  const [updated, effects] = await Promise.allSettled([
    updateTransaction(db, transaction, { attemptAt, claimedUntil, error }),
    Promise.all([writeEffects(db, step, now, options), writeSearchKeys(db, step)]),
  ]);
  if (updated.status === 'rejected') throw updated.reason;
  if (!updated.value) return conflict();
  if (effects.status === 'rejected') throw effects.reason;
  return { step, attemptAt, event: effects.value[0] };
}

/** Whether the transaction can be written: no other writer was faster, and the claim has not passed to another. */
export function isWritable(db: Database, transaction: Transaction, claimedUntil?: number): Promise<boolean> {
  return holds(db, writeCondition(transaction, claimedUntil));
}

function writeCondition(transaction: Transaction, claimedUntil?: number): WriteCondition {
  return transaction.version === 1 ? canInsert(transaction) : canUpdate(transaction, claimedUntil);
}

async function holds(db: Database, { rule, values }: WriteCondition): Promise<boolean> {
  return (await db.get(`select 1 as one where ${rule.sql(boundParameters(rule.columns))}`, ...values)) !== undefined;
}

/** The row also has the call that is about to be made, for the process that takes over if this one dies. */
function withCallLogged({ transaction, next }: Step): Transaction {
  if (next.type !== 'call') return transaction;
  return { ...transaction, calls: withBegunCall(transaction, next.at - CALL_LEASE_MS) };
}

/**
 * Reserves usage for a step with limits before any other write. Returns false, with no changes, if a limit or the
 * condition for writing the transaction fails.
 */
async function reserveUsage(db: Database, { transaction, usage }: Step, condition: WriteCondition): Promise<boolean> {
  return !usage?.limits || addUsage(db, transaction, usage.amount, usage.limits, condition);
}

/** Writes everything but the transaction. Returns the webhook, if the step notifies. */
async function writeEffects(
  db: Database,
  step: Step,
  now: number,
  options: WriteOptions,
): Promise<Delivery | undefined> {
  const { transaction, entries, notify, usage } = step;
  const [event] = await Promise.all([
    notify ? appendWebhook(db, transaction, now, options) : undefined,
    usage && !usage.limits && subtractUsage(db, transaction, -usage.amount),
    postEntries(db, { transaction, entries }, now, options),
  ]);
  return event;
}

async function postEntries(
  db: Database,
  { transaction, entries }: Pick<Step, 'transaction' | 'entries'>,
  now: number,
  { ids, present }: WriteOptions,
): Promise<void> {
  const { id, version, merchantId, currency } = transaction;
  for (const [index, entry] of entries.entries()) {
    const entryId = ids.newId('led', now, id, version, index);
    await postEntry(db, entry, { id: entryId, merchantId, currency, transactionId: id, now, present });
  }
}

function appendWebhook(
  db: Database,
  transaction: Transaction,
  now: number,
  { webhook: body, ids, toStoreTime, delivery, trace }: WriteOptions,
): Promise<Delivery> {
  const { id, version } = transaction;
  if (body === undefined) throw new Error(`the step of ${id} notifies, but has no webhook body`);
  const eventId = ids.newId('evt', now, id, version);
  return appendEvent(db, { id: eventId, transaction, body, now, toStoreTime, trace, ...delivery });
}
