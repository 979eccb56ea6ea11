/**
 * The domain's transactions: plain immutable data. Amounts are integers in minor units, times are milliseconds since
 * 1970. view.ts converts them to responses. Customers and payment data keep the contract's names, because they are
 * stored and passed to channels in that form.
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
import type { LedgerEntry } from './ledger.ts';

export type PaymentStatus = PaymentView['status'];
export type PayoutStatus = PayoutView['status'];
export type Status = PaymentStatus | PayoutStatus;
export type Flow = 'h2h' | 'redirect';
export type Items = ClarifyPaymentRequest['clarify_data'];

/** A change: its cause, its time in milliseconds after the creation, and its actor, if unusual. */
export type HistoryEntry = readonly [cause: string, afterMs: number, by?: string];

export type ChannelCallName = 'initiate' | 'clarify' | 'verify' | 'cancel' | 'payOut' | 'verifyPayout';

/**
 * A channel call, see channel-calls.ts: its start in milliseconds after the creation, and once it has ended its
 * duration in milliseconds and its result. For several identical ones, their number and the start of the last.
 */
export type CallEntry = readonly [
  call: ChannelCallName,
  afterMs: number,
  tookMs?: number,
  result?: string,
  error?: string | null,
  times?: number,
  lastAfterMs?: number,
];

/** A definite result that contradicts the transaction's outcome, see exceptions.ts. */
export interface Exception {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly call: ChannelCallName;
  readonly result: 'succeeded' | 'declined';
  /** The amount moved by this result, in minor units, or 0 for a decline. */
  readonly amount: number;
  readonly reason?: string;
  /** The operators' resolution: the difference was booked in the wallet, or settled elsewhere. */
  readonly resolved?: 'booked' | 'outside';
}

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
  /** Name of its channel. Empty for a method that doesn't exist, or that its merchant may not use. */
  readonly channel: string;
  /** Time of the gateway's next action, or undefined if there is none. */
  readonly dueAt?: number | undefined;
  /**
   * The amount that counts against the customer's limits: the maximum to collect, and then the collected amount. Undefined
   * until it is reserved, which precedes the first channel call.
   */
  readonly usageAmount?: number;
  /** The merchant's limits at the creation. Undefined if they are the method's. */
  readonly limits?: MethodLimits;
  /** The customer is shared test data and has no limits. */
  readonly unlimited?: true;
  /** Failed calls since the channel's last response, or undefined if no response is pending, see schedule.ts. */
  readonly attempts?: number | undefined;
  /** The `traceparent` of its creation, which later work on it continues; undefined without traces. */
  readonly trace?: string | undefined;
  /** The changes since the creation, see history.ts. */
  readonly history?: readonly HistoryEntry[];
  /** The calls of the channel, see channel-calls.ts. */
  readonly calls?: readonly CallEntry[];
  /** Oldest first. Only a final transaction has exceptions. */
  readonly exceptions?: readonly Exception[];
  /** Counts the steps, so that two writers cannot overwrite each other; 0 before the first. */
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
  /** Status in the response to the creation, which a repeated creation returns as well. */
  readonly openedAs: PaymentStatus;
  readonly expiresAt: number;
  readonly clarify?: readonly string[];
  readonly payData?: Required<PayData>;
  readonly confirm?: readonly string[];
  /** The items that the customer supplied by clarify and confirm. */
  readonly supplied: Items;
  /** Accepted data whose channel result is pending. */
  readonly clarifying?: Items | undefined;
  /** Reason for its decline once its channel has cancelled it. */
  readonly cancelReason?: string | undefined;
  readonly amountPaid?: number;
}

export interface Payout extends Base {
  readonly kind: 'payout';
  readonly status: PayoutStatus;
  readonly customer: CreatePayoutRequest['customer'];
  readonly fundsHold: FundsHold;
}

/** The hold on the wallet at the creation: `short` means insufficient funds, `absent` no wallet in the currency. */
export type FundsHold = 'held' | 'short' | 'absent';

export type Transaction = Payment | Payout;

type Ordered = 'orderId' | 'amount' | 'currency' | 'method' | 'callbackUrl' | 'returnUrl' | 'customer';

/** A merchant's request for a transaction, which keeps all of it. */
export type Order<T extends Transaction> = Pick<T, Extract<keyof T, Ordered>>;

/** Parts of the order that aren't shown again. */
export type Details = Pick<Payment, 'customer' | 'callbackUrl' | 'returnUrl' | 'trace'>;

/** A transaction without them and without other personal data. */
export type StatusData<T extends Transaction> = T extends Transaction
  ? Omit<T, keyof Details | 'supplied' | 'clarifying'>
  : never;

/** A change of the customer's usage in the day and month of the creation. Only reservations have limits. */
export interface UsageChange {
  readonly amount: number;
  readonly limits?: UsageLimits;
}

/** Amounts of one customer in a day and in a month (UTC), in minor units. */
export interface UsageLimits {
  readonly perDay: number;
  readonly perMonth: number;
}

/** The limits of a method, with the least and the most of one transaction. */
export interface MethodLimits extends UsageLimits {
  readonly min: number;
  readonly max: number;
}

/**
 * The gateway's next action on a transaction, at a time of its merchant. A call is made by the process that writes the
 * step; from that time on, if it has died, by another one.
 */
export type Next = { readonly type: 'call' | 'due'; readonly at: number } | { readonly type: 'none' };

/** A channel's definite result of a transaction, and the call that returned it. */
export interface DefiniteResult {
  readonly call: ChannelCallName;
  /** Beginning of the call, in milliseconds since 1970, and its duration in milliseconds. */
  readonly at: number;
  readonly took: number;
  readonly event:
    | { readonly type: 'succeeded'; readonly amountPaid?: number }
    | { readonly type: 'declined'; readonly reason: string };
}

/**
 * The changes of a step, written as one unit of work: the transaction, the ledger, the customer's usage, and whether a
 * webhook reports it.
 */
export interface Step<T extends Transaction = Transaction> {
  readonly transaction: T;
  readonly next: Next;
  readonly entries: readonly LedgerEntry[];
  readonly notify: boolean;
  /** The items that the customer supplied. The transaction has them too, with earlier ones. */
  readonly supplied?: Items;
  readonly usage?: UsageChange;
  /** The step to write instead if the usage would exceed a limit. */
  readonly overLimit?: () => Step<T>;
  /** The error of the channel call that this step retries. It counts as a failure of the transaction. */
  readonly failure?: unknown;
  /** The definite result that leads to this step. It counts even if another writer was faster. */
  readonly result?: DefiniteResult;
}

export function isFinal(status: Status): boolean {
  return status === 'SUCCESS' || status === 'FAILED';
}

/** Prefixes of transactions' ids. */
export const ID_PREFIXES = { payment: 'pay', payout: 'out' } as const;

/** Reads the kind from the prefix of a transaction's id. */
export function readKind(transactionId: string): Transaction['kind'] {
  return transactionId.startsWith(`${ID_PREFIXES.payout}_`) ? 'payout' : 'payment';
}
