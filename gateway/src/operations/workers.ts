/** The background work of this process, as it looks to those who write what it has to do. */
import { CALL_MS_MAX } from '../channel/time-limit.ts';
import type { ClaimedTransaction } from '../store/books/transactions.ts';
import type { Delivery } from '../store/outbox/outbox.ts';

/**
 * A claim of a transaction expires after this long, so that another process takes over the work of one that died. A
 * channel's call times out at half of it, so that there is time to record the result. A process that was paused for longer
 * finds that another has the claim, and writes nothing.
 */
export const CLAIM_MS = 2 * CALL_MS_MAX;
/** The job that works on transactions, and repeats what has failed. */
export const TRANSACTION_JOB = 'transactions';
/** A webhook's claim, which is renewed while the webhook is attempted. */
export const DELIVERY_CLAIM_MS = 5_000;

/** Room for a thing that is about to be written as claimed. */
export interface WorkerPermit<T> {
  /** Begins the work on it. */
  start(item: T): void;
  /** It was not written. */
  release(): void;
}

export interface Workers {
  /** Room for a transaction, if there is any. */
  reserveTransaction(): WorkerPermit<ClaimedTransaction> | undefined;
  /** Room for a webhook of the merchant to a URL, if there is any. */
  reserveDelivery(merchantId: number, url: string): WorkerPermit<Delivery> | undefined;
  /** A transaction that nobody has claimed is due at this time of the store. */
  expectTransaction(time: number): void;
  /** A webhook that nobody has claimed is due. */
  expectDelivery(): void;
}
