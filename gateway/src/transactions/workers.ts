/** The interface of this process's workers for code that produces work. */
import { CALL_MS_MAX } from '../channels/channels.ts';
import type { WorkerPermit } from '../platform/worker.ts';
import type { Delivery } from '../webhooks/outbox.ts';
import type { ClaimedTransaction } from './rows.ts';

/**
 * Lease of a transaction, after which another process takes over. A channel call times out at half of it, which leaves
 * time to record the result. A process that was paused for longer finds the lease lost and writes nothing.
 */
export const CLAIM_MS = 2 * CALL_MS_MAX;
/** The job that works on transactions, and repeats what has failed. */
export const TRANSACTION_JOB = 'transactions';

export interface Workers {
  /** Room for a transaction, if there is any. */
  reserveTransaction(): WorkerPermit<ClaimedTransaction> | undefined;
  /** Room for a webhook of the merchant to a URL, if there is any. */
  reserveDelivery(merchantId: number, url: string): WorkerPermit<Delivery> | undefined;
  /** Announces an unclaimed transaction that is due at this time of the store. */
  expectTransaction(time: number): void;
  /** Announces an unclaimed webhook that is due. */
  expectDelivery(): void;
}
