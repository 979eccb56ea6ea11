/** Writes a step of the domain: the transaction, its ledger entries and its webhook, in one unit of work. */

import { boundParameters } from '../database/row-statement.ts';
import { type ContendedRow, type Database, Rejection, type WriteCondition } from '../database/store.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import { postEntry, walletRow } from '../ledger/wallets.ts';
import { summarizeError } from '../platform/error-summary.ts';
import type { Ids } from '../platform/ids.ts';
import { sameTime } from '../platform/merchant-time.ts';
import { appendEvent, type Delivery } from '../webhooks/outbox.ts';
import { addUsage, subtractUsage, usageRows } from './customer-usage.ts';
import { canInsert, canUpdate, insertTransaction, updateTransaction } from './rows.ts';

/** The order id is taken, another writer was faster, or the customer would exceed a limit. */
export type StepRejection = Rejection<'order_id_taken' | 'version_conflict' | 'limit_exceeded'>;

export interface RecordOptions {
  /** The body of the webhook, for a step that notifies. */
  readonly webhook: string | undefined;
  /** Of the ledger entries and of the event. */
  readonly ids: Ids;
  /** Converts a merchant's time to the store's time at which it comes. Defaults to the same time. */
  readonly toStoreTime?: (time: number) => number;
  /** Called with the webhook as it is written, again if the unit of work runs again. */
  readonly onEvent?: (event: Delivery) => void;
  readonly leases?: Leases;
  /** The time of a change, in milliseconds since 1970. A creation uses its transaction's. */
  readonly now?: number;
  /** The end of the lease under which a worker writes: the change is rejected if the claim has passed to another. */
  readonly claimedUntil?: number | undefined;
  /** The `traceparent` that the webhook continues. */
  readonly trace?: string | undefined;
}

/**
 * Leases under which the writer claims work as it writes, to do it itself. Each function returns the end of the lease,
 * and is called when the row is written. Work without a lease is left to the next worker that looks for it.
 */
export interface Leases {
  readonly transaction?: (() => number) | undefined;
  readonly event?: (() => number) | undefined;
  /** The store's time at which an event that isn't claimed is due. */
  readonly eventDue?: (() => number) | undefined;
}

/** Rows of a step that other units of work change too. */
export function contendedRows({ transaction, entries, usage }: Step): ContendedRow[] {
  const { merchantId, currency } = transaction;
  return [...(usage ? usageRows(transaction) : []), ...(entries.length > 0 ? [walletRow(merchantId, currency)] : [])];
}

/**
 * Records a step: version 1 of a transaction creates it, later versions change it. Returns undefined, or the rejection.
 * A rejected unit must be rolled back.
 */
export async function recordStep(
  db: Database,
  step: Step,
  { webhook, ids, toStoreTime = sameTime, onEvent, leases = {}, now, claimedUntil, trace }: RecordOptions,
): Promise<StepRejection | undefined> {
  const { transaction, failure } = step;
  const { version, createdAt } = transaction;
  const creates = version === 1;
  const conflict = () => new Rejection(creates ? 'order_id_taken' : 'version_conflict');
  const writable = createCondition(transaction, claimedUntil);
  if (!(await countUsage(db, step, writable))) {
    return (await holds(db, writable)) ? new Rejection('limit_exceeded') : conflict();
  }
  const leaseUntil = leases.transaction?.();
  const at = creates ? createdAt : (now ?? createdAt);
  const recordAll = () => recordEffects(db, step, { webhook, ids, now: at, toStoreTime, onEvent, leases, trace });
  if (creates) {
    if (!(await insertTransaction(db, transaction, { toStoreTime, leaseUntil }))) return conflict();
    await recordAll();
    return undefined;
  }
  const error = failure === undefined ? null : summarizeError(failure);
  // Sent together, as one round trip to the database. After a conflict, which is rare, the effects are undone with the unit.
  const [updated, recorded] = await Promise.allSettled([
    updateTransaction(db, transaction, { claimedUntil, error, toStoreTime, leaseUntil }),
    recordAll(),
  ]);
  if (updated.status === 'rejected') throw updated.reason;
  if (!updated.value) return conflict();
  if (recorded.status === 'rejected') throw recorded.reason;
  return undefined;
}

/** Whether the transaction can be written: no other writer was faster, and the claim has not passed to another. */
export function isWritable(db: Database, transaction: Transaction, claimedUntil?: number): Promise<boolean> {
  return holds(db, createCondition(transaction, claimedUntil));
}

function createCondition(transaction: Transaction, claimedUntil?: number): WriteCondition {
  return transaction.version === 1 ? canInsert(transaction) : canUpdate(transaction, claimedUntil);
}

/**
 * Reserves usage for a step with limits before any other write. Returns false, with no changes, if a limit or the
 * condition for writing the transaction fails.
 */
async function countUsage(db: Database, { transaction, usage }: Step, condition: WriteCondition): Promise<boolean> {
  return !usage?.limits || addUsage(db, transaction, usage.amount, usage.limits, condition);
}

async function holds(db: Database, { rule, values }: WriteCondition): Promise<boolean> {
  return (await db.get(`select 1 as one where ${rule.sql(boundParameters(rule.columns))}`, ...values)) !== undefined;
}

type Effects = Required<Pick<RecordOptions, 'webhook' | 'ids' | 'now' | 'toStoreTime' | 'leases'>> &
  Pick<RecordOptions, 'trace'> & {
    readonly onEvent: RecordOptions['onEvent'] | undefined;
  };

async function recordEffects(
  db: Database,
  { transaction, entries, notify, usage }: Step,
  { webhook, ids, now, toStoreTime, onEvent, leases, trace }: Effects,
): Promise<void> {
  await Promise.all([
    usage && !usage.limits && subtractUsage(db, transaction, -usage.amount),
    postEntries(db, { transaction, entries }, { ids, now }),
    notify && appendWebhook(db, transaction, { webhook, ids, now, toStoreTime, onEvent, leases, trace }),
  ]);
}

async function postEntries(
  db: Database,
  { transaction, entries }: Pick<Step, 'transaction' | 'entries'>,
  { ids, now }: Pick<Effects, 'ids' | 'now'>,
): Promise<void> {
  const { id, version, merchantId, currency } = transaction;
  for (const [index, entry] of entries.entries()) {
    const entryId = ids.newId('led', now, id, version, index);
    await postEntry(db, entry, { id: entryId, merchantId, currency, transactionId: id, now });
  }
}

async function appendWebhook(
  db: Database,
  transaction: Transaction,
  { webhook, ids, now, toStoreTime, onEvent, leases, trace }: Effects,
): Promise<void> {
  const { id, version } = transaction;
  if (webhook === undefined) throw new Error(`the step of ${id} notifies, but has no webhook body`);
  const { event: lease, eventDue } = leases;
  const eventId = ids.newId('evt', now, id, version);
  const due = { leaseUntil: lease?.(), dueAt: eventDue?.() };
  const event = await appendEvent(db, { id: eventId, transaction, body: webhook, now, toStoreTime, trace, ...due });
  onEvent?.(event);
}
