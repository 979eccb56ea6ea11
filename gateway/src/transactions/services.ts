import { CALL_MS_MAX, type Channels } from '../channels/channels.ts';
import type { Pauses } from '../channels/pauses.ts';
import type { Store } from '../database/store.ts';
import type { Methods } from '../domain/methods.ts';
import type { Step } from '../domain/transaction.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { ReportFailure } from '../platform/log.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import type { Tracer } from '../platform/tracing.ts';
import type { WorkerPermit } from '../platform/worker.ts';
import type { Delivery } from '../webhooks/outbox.ts';
import type { ClaimedTransaction } from './rows.ts';

/** Services of operations, independent of HTTP. */
export interface Services {
  readonly store: Store;
  /** If absent, there are no traces. */
  readonly tracer?: Tracer | undefined;
  /** The time of the store: of leases, limits and keys. */
  readonly clock: Clock;
  /** The time of each merchant: of its transactions and webhooks. */
  readonly time: MerchantTime;
  readonly ids: Ids;
  readonly channels: Channels;
  /** If absent, channels are never paused. */
  readonly pauses?: Pauses | undefined;
  readonly methods: Methods;
  /** Address of the payment page of a token. */
  readonly checkoutUrl: (token: string) => string;
  /** This process's workers. If absent, due work waits for another process. */
  readonly workers?: Workers | undefined;
  /** Reports a failure that no response shows, such as a channel call that will be retried. */
  readonly report: ReportFailure;
  /** Called with each step once it is committed, and the id of the event that reports the change. */
  readonly onStep?: ((step: Step, eventId: string | undefined) => void) | undefined;
}

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
