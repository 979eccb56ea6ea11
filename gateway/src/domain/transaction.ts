/**
 * Transactions as the domain sees them: plain immutable data. Amounts are integers in minor units, times are
 * milliseconds since 1970. Everything that is shown of them is made in view.ts.
 */
import type {
  ClarifyPaymentRequest,
  CreatePaymentRequest,
  CreatePayoutRequest,
  Currency,
  PayData,
  Payment as PaymentView,
  Payout as PayoutView,
} from '../../../generated/types.ts';

export type PaymentStatus = PaymentView['status'];
export type PayoutStatus = PayoutView['status'];
export type Status = PaymentStatus | PayoutStatus;
export type Flow = 'h2h' | 'redirect';
export type Items = ClarifyPaymentRequest['clarify_data'];

/** A change: its cause, when, in milliseconds after the creation, and by whom, where that isn't the usual one. */
export type Remembered = readonly [cause: string, afterMs: number, by?: string];

interface Base {
  readonly id: string;
  readonly merchantId: number;
  readonly orderId: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly method: string;
  readonly callbackUrl: string;
  readonly createdAt: number;
  readonly finalizedAt?: number;
  readonly declineReason?: string;
  /** Name of the channel that carries it; empty when there is no such method. */
  readonly channel: string;
  /** When the gateway has to do something about it next; undefined when nothing is left to do. */
  readonly dueAt?: number;
  /**
   * What is counted against the customer's limits for it: the most that may be collected, and once that is known, what
   * was. Undefined until it is counted, which comes before the channel is called for the first time.
   */
  readonly counted?: number;
  /** Calls of the channel that have failed since it last responded; undefined when the last call succeeded, or there was none. */
  readonly attempts?: number;
  /** What has happened since the creation, see history.ts. */
  readonly history?: readonly Remembered[];
  /** Counts the changes, so that two writers cannot overwrite each other. */
  readonly version: number;
}

export interface Payment extends Base {
  readonly kind: 'payment';
  readonly status: PaymentStatus;
  readonly customer: CreatePaymentRequest['customer'];
  readonly flow: Flow;
  readonly returnUrl?: string;
  /** Unguessable part of the payment page's address, in the redirect flow. */
  readonly checkoutToken?: string;
  /** Status in the response to the creation; a repeated creation returns the same. */
  readonly openedAs: PaymentStatus;
  readonly expiresAt: number;
  readonly clarify?: readonly string[];
  readonly payData?: Required<PayData>;
  readonly confirm?: readonly string[];
  /** What the customer supplied by clarify and confirm. */
  readonly supplied: Items;
  /** Data that were accepted, and whose result from the channel is still missing. */
  readonly clarifying?: Items;
  /** Reason with which it is declined as soon as its channel has cancelled it. */
  readonly cancelReason?: string;
  readonly amountPaid?: number;
  readonly settledAt?: number;
}

export interface Payout extends Base {
  readonly kind: 'payout';
  readonly status: PayoutStatus;
  readonly customer: CreatePayoutRequest['customer'];
  /** Whether the amount is held in the wallet for it: `short` means insufficient funds, `absent` no wallet in the currency. */
  readonly cover: Cover;
}

export type Cover = 'held' | 'short' | 'absent' | 'released';

export type Transaction = Payment | Payout;

/** What the request said that never changes and is not shown again. */
export type Details = Pick<Payment, 'customer' | 'callbackUrl' | 'returnUrl'>;

/** A transaction without them. */
export type Shown<T extends Transaction> = Omit<T, keyof Details>;

/** Where money can be. `channel` and `bank` are the world outside; the others are the merchant's wallet. */
export type Account = 'channel' | 'bank' | 'pending' | 'available' | 'reserved';

/** A movement of money from one account to another: double entry, so that the sum of all accounts stays zero. */
export interface LedgerEntry {
  readonly from: Account;
  readonly to: Account;
  readonly amount: number;
  readonly reason: 'collected' | 'settled' | 'reserved' | 'paid_out' | 'released' | 'funded' | 'drained';
}

/** A change of what is counted for the customer in the day and the month of the creation. Only reservations have limits. */
export interface UsageChange {
  readonly amount: number;
  readonly limits?: UsageLimits;
}

export interface UsageLimits {
  readonly perDay: number;
  readonly perMonth: number;
}

/**
 * What a step changes, written as one unit of work: the transaction, the ledger, the customer's usage, and whether a
 * webhook reports it.
 */
export interface Step<T extends Transaction = Transaction> {
  readonly transaction: T;
  readonly entries: readonly LedgerEntry[];
  readonly notify: boolean;
  readonly usage?: UsageChange;
  /** The step that takes its place when the usage would exceed a limit. */
  readonly overLimit?: () => Step<T>;
  /** The error of the channel's call, which this step makes be repeated. It counts as a failure of the transaction. */
  readonly failure?: unknown;
}

/** True when the status is one that no other follows. */
export function isFinal(status: Status): boolean {
  return status === 'SUCCESS' || status === 'FAILED';
}
