/** Writes a step of the domain: the transaction, its ledger entries and its webhook, in one unit of work. */
import type { Step, Transaction } from '../domain/transaction.ts';
import { summarizeError } from '../platform/error-summary.ts';
import type { Ids } from '../platform/ids.ts';
import { sameTime } from '../platform/merchant-time.ts';
import { addUsage, subtractUsage, usageRows } from './customer-usage.ts';
import { appendEvent, type Delivery } from './outbox.ts';
import { marksOf } from './row-statement.ts';
import { type Condition, type ContendedRow, type Database, Rejection } from './store.ts';
import { canInsert, canUpdate, insertTransaction, updateTransaction } from './transactions.ts';
import { postEntry, walletRow } from './wallets.ts';

/** The order id is taken, another writer was faster, or the customer would exceed a limit. */
export type CreationRejection = Rejection<'order_id_taken' | 'limit_exceeded'>;
export type ChangeRejection = Rejection<'version_conflict' | 'limit_exceeded'>;

export interface CreationOptions {
  /** The body of the webhook, for a step that notifies. */
  readonly webhook: string | undefined;
  /** Of the ledger entries and of the event. */
  readonly ids: Ids;
  /** The store's time at which a time of the merchant comes. Defaults to the same time. */
  readonly stored?: (time: number) => number;
  /** Called with the webhook as it is written, again if the unit of work runs again. */
  readonly onEvent?: (event: Delivery) => void;
  readonly leases?: Leases;
}

/**
 * What the writer claims as it writes, since it will do it itself: the ends of the leases, called when they are written.
 * What isn't claimed is left to the next worker that looks for it.
 */
export interface Leases {
  readonly transaction?: (() => number) | undefined;
  readonly event?: (() => number) | undefined;
}

export interface ChangeOptions extends CreationOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The end of the lease under which a worker writes: the change is rejected if the claim has passed to another. */
  readonly claimedUntil?: number | undefined;
}

/** What a step changes that others change too. */
export function contendedRows({ transaction, entries, usage }: Step): ContendedRow[] {
  const { merchantId, currency } = transaction;
  return [...(usage ? usageRows(transaction) : []), ...(entries.length > 0 ? [walletRow(merchantId, currency)] : [])];
}

/** Records a creation. Returns undefined, or why nothing was written. */
export async function recordCreation(
  db: Database,
  step: Step,
  { webhook, ids, stored = sameTime, onEvent, leases = {} }: CreationOptions,
): Promise<CreationRejection | undefined> {
  const { transaction } = step;
  const free = canInsert(transaction);
  if (!(await countUsage(db, step, free))) {
    return new Rejection((await holds(db, free)) ? 'limit_exceeded' : 'order_id_taken');
  }
  const leaseUntil = leases.transaction?.();
  if (!(await insertTransaction(db, transaction, { stored, leaseUntil }))) return new Rejection('order_id_taken');
  await recordEffects(db, step, { webhook, ids, now: transaction.createdAt, stored, onEvent, leases });
  return undefined;
}

/** Records a change. Returns undefined, or why it is rejected; the unit must be rejected then, so that nothing of it stays. */
export async function recordChange(
  db: Database,
  step: Step,
  { webhook, ids, now, claimedUntil, stored = sameTime, onEvent, leases = {} }: ChangeOptions,
): Promise<ChangeRejection | undefined> {
  const unchanged = canUpdate(step.transaction, claimedUntil);
  if (!(await countUsage(db, step, unchanged))) {
    return new Rejection((await holds(db, unchanged)) ? 'limit_exceeded' : 'version_conflict');
  }
  const error = step.failure === undefined ? null : summarizeError(step.failure);
  const leaseUntil = leases.transaction?.();
  // Sent together, as one round trip to the database. After a conflict, which is rare, the effects are undone with the unit.
  const [updated, recorded] = await Promise.allSettled([
    updateTransaction(db, step.transaction, { claimedUntil, error, stored, leaseUntil }),
    recordEffects(db, step, { webhook, ids, now, stored, onEvent, leases }),
  ]);
  if (updated.status === 'rejected') throw updated.reason;
  if (!updated.value) return new Rejection('version_conflict');
  if (recorded.status === 'rejected') throw recorded.reason;
  return undefined;
}

/**
 * Counts a step that has limits, before anything is written. Returns false, with nothing counted, when a limit or the
 * condition, under which the transaction itself can be written, forbids it.
 */
async function countUsage(db: Database, { transaction, usage }: Step, condition: Condition): Promise<boolean> {
  return !usage?.limits || addUsage(db, transaction, usage.amount, usage.limits, condition);
}

async function holds(db: Database, { rule, values }: Condition): Promise<boolean> {
  return (await db.get(`select 1 as one where ${rule.sql(marksOf(rule.columns))}`, ...values)) !== undefined;
}

type Effects = Required<Pick<ChangeOptions, 'webhook' | 'ids' | 'now' | 'stored' | 'leases'>> & {
  readonly onEvent: ChangeOptions['onEvent'] | undefined;
};

async function recordEffects(
  db: Database,
  { transaction, entries, notify, usage }: Step,
  { webhook, ids, now, stored, onEvent, leases }: Effects,
): Promise<void> {
  await Promise.all([
    usage && !usage.limits && subtractUsage(db, transaction, -usage.amount),
    postEntries(db, { transaction, entries }, { ids, now }),
    notify && appendWebhook(db, transaction, { webhook, ids, now, stored, onEvent, leases }),
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
  { webhook, ids, now, stored, onEvent, leases }: Effects,
): Promise<void> {
  const { id, version } = transaction;
  if (webhook === undefined) throw new Error(`the step of ${id} notifies, but has no webhook body`);
  const leaseUntil = leases.event?.();
  const eventId = ids.newId('evt', now, id, version);
  const event = await appendEvent(db, { id: eventId, transaction, body: webhook, now, stored, leaseUntil });
  onEvent?.(event);
}
