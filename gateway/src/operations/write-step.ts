/**
 * Writes steps. What is due at once afterwards stays with the process that has written it, where it has room: it is written
 * as claimed, and handed to the worker after the commit. To look for it and to claim it would cost as much as the work
 * itself. If the process dies in between, the lease expires like any other, and another process takes over.
 */
import type { Step, Transaction } from '../domain/transaction.ts';
import type { Moment } from '../platform/merchant-time.ts';
import type { Delivery } from '../store/outbox.ts';
import type { CreationOptions } from '../store/record.ts';
import { type ContendedRow, type Database, Rejection } from '../store/store.ts';
import type { Services } from './operation.ts';
import { CLAIM_MS, DELIVERY_CLAIM_MS } from './workers.ts';

/** What is known before the unit of work. */
export interface Planned {
  readonly moment: Moment;
  /** When something is due about the transaction; undefined if never, or if the caller continues with it. */
  readonly dueAt: number | undefined;
  /** What a webhook reports. */
  readonly notifies?: Pick<Transaction, 'merchantId' | 'callbackUrl'> | undefined;
  /** What it changes that others change too. */
  readonly rows: readonly ContendedRow[];
}

/** A transaction as it was written. */
export interface Recorded<T extends Transaction> {
  readonly transaction: T;
  /** When it is due in the store's time: the end of the lease, if its channel is to be called. */
  readonly due: number | undefined;
}

type Writing = Pick<Services, 'store' | 'clock' | 'ids' | 'onStep' | 'workers'>;
/** What the functions of store/record.ts get. */
export type Options = Omit<CreationOptions, 'webhook'>;

/** Runs a unit of work that writes a step or rejects it. Returns what was written, or the rejection. */
export async function writeStep<T extends Transaction, R extends Rejection>(
  services: Writing,
  { moment: { stored }, dueAt, notifies, rows }: Planned,
  work: (db: Database, options: Options) => Promise<Step<T> | R>,
): Promise<Recorded<T> | R> {
  const { store, clock, ids, onStep, workers } = services;
  const due = dueAt !== undefined && stored(dueAt) <= clock.now();
  const place = due ? workers?.reserveTransaction() : undefined;
  const slot = notifies && workers?.reserveDelivery(notifies.merchantId, notifies.callbackUrl);
  let claimedUntil = 0;
  let event: Delivery | undefined;
  const options: Options = {
    ids,
    stored,
    leases: {
      transaction: place && (() => (claimedUntil = clock.now() + CLAIM_MS)),
      event: slot && (() => clock.now() + DELIVERY_CLAIM_MS),
    },
    onEvent: (written) => {
      event = written;
    },
  };
  let result: Step<T> | R | undefined;
  try {
    result = await store.unit((db) => work(db, options), { together: rows });
  } finally {
    if (!result || result instanceof Rejection) {
      place?.release();
      slot?.release();
    }
  }
  if (result instanceof Rejection) return result;
  const { transaction } = result;
  const { id, version } = transaction;
  if (place) place.start({ id, version, claimedUntil, read: () => transaction });
  else if (transaction.dueAt !== undefined) workers?.expectTransaction(stored(transaction.dueAt));
  if (event && slot) slot.start(event);
  else if (event) workers?.expectDelivery();
  else slot?.release();
  onStep?.(transaction, event?.id);
  return { transaction, due: transaction.dueAt === undefined ? undefined : stored(transaction.dueAt) };
}
