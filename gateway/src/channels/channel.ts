/**
 * A channel connects the gateway to a bank, a wallet or a provider. The gateway asks it for the next event and reports
 * the customer's actions. After a crash or a time-out, any call can be repeated for the same transaction and must then
 * have the same effect. The transaction's id is the idempotency key.
 */
import type { CancelEvent, PaymentEvent, PayoutEvent } from '../domain/events.ts';
import type { Plan } from '../domain/rules.ts';
import type { Flow, Items, Payment, Payout, Transaction } from '../domain/transaction.ts';

/**
 * An event, or the time of the next call (milliseconds since 1970). With undefined, the channel sends a notification when
 * it has news.
 */
export type ChannelResponse<E> = { readonly event: E } | { readonly askAgainAt: number | undefined };

/**
 * Thrown by a channel that has not done the requested operation and never will. On the first call, the transaction is
 * declined. Any other error leaves the outcome open: the gateway calls again with the same transaction and increasing
 * delays.
 */
export class ChannelUnavailable extends Error {
  override readonly name = 'ChannelUnavailable';
  readonly reason: 'CHANNEL_DOWN' | 'CHANNEL_OVERLOADED';
  constructor(reason: ChannelUnavailable['reason'], options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }

  /** A channel may have been loaded with another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ChannelUnavailable';
  }
}

/** Context to propagate to the provider. */
export interface CallContext {
  /** W3C `traceparent` of the call, to send along as a header. Undefined without traces. */
  readonly traceparent?: string | undefined;
}

/** A request that arrived as a channel's notification. */
export interface InboundNotification {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Byte for byte, since signatures cover it. */
  readonly body: Uint8Array;
}

/** A movement of money in a channel's statement. */
export interface StatementEntry {
  readonly transactionId: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  /**
   * The provider's own id of the movement, such as a UTR. With it, a line that comes again in a later statement is
   * recognized.
   */
  readonly reference?: string | undefined;
}

/** Customers and accounts that decide what a sandbox channel does. */
export interface TestData {
  /** The decision before the transaction is opened; undefined for a transaction without test data. */
  plan(transaction: Pick<Transaction, 'kind' | 'customer'>): Plan | undefined;
  /** The field whose test data declined the transaction, if any did. */
  decliner(transaction: Transaction): { readonly field: string; readonly value: string } | undefined;
  /** The reason why they can't have their effect, with their place in the request; undefined if they can. */
  mistake(
    request: Pick<Transaction, 'kind' | 'customer'>,
    flow: Flow,
  ): { readonly pointer: string; readonly message: string } | undefined;
}

type SharedFields =
  | 'kind'
  | 'id'
  | 'merchantId'
  | 'orderId'
  | 'amount'
  | 'currency'
  | 'method'
  | 'channel'
  | 'customer'
  | 'status'
  | 'createdAt'
  | 'attempts';

/**
 * A payment as its channel sees it. Amounts are in minor units, times in milliseconds since 1970. `attempts` counts the
 * failed calls since the channel's last response.
 */
export type ChannelPayment = Pick<
  Payment,
  SharedFields | 'flow' | 'returnUrl' | 'expiresAt' | 'payData' | 'confirm' | 'supplied'
>;

/** A payout as its channel sees it. */
export type ChannelPayout = Pick<Payout, SharedFields>;

export interface Channel {
  /** The methods name it, and each of its transactions keeps this name. */
  readonly name: string;
  /** Whether it is simulated. Then no money moves, and the payment page says so. */
  readonly sandbox: boolean;
  readonly testData?: TestData;
  /** Decline reasons of this channel in addition to the contract's. */
  readonly declineReasons?: readonly string[];
  /**
   * Starts a payment in CREATED. In the redirect flow, it only checks the payment, since the customer acts on the
   * payment page.
   */
  initiate(payment: ChannelPayment, now: number, context?: CallContext): Promise<ChannelResponse<PaymentEvent>>;
  /** Takes the data requested from a payment in EXTRA_DATA_NEEDED. */
  clarify(
    payment: ChannelPayment,
    items: Items,
    now: number,
    context?: CallContext,
  ): Promise<ChannelResponse<PaymentEvent>>;
  /**
   * Asks whether a payment is paid: in VERIFYING, and after a notification in PAY_CONFIRMATION_NEEDED, SUCCESS and FAILED.
   * The channel decides whether the transfer of that reference has arrived, and whether it counts for another payment:
   * the gateway compares no references (contract: `transfer-reference`).
   */
  verify(payment: ChannelPayment, now: number, context?: CallContext): Promise<ChannelResponse<PaymentEvent>>;
  /**
   * Ensures that a payment can no longer be paid before the gateway declines it: it has expired, its customer cancelled
   * it, or it would exceed a limit. `found_paid` means that it is too late, and verify then returns the amount. A
   * payment that the channel has never seen is cancelled, too.
   */
  cancel(payment: ChannelPayment, now: number, context?: CallContext): Promise<ChannelResponse<CancelEvent>>;
  /** Sends a payout, or asks for its state. */
  payOut(payout: ChannelPayout, now: number, context?: CallContext): Promise<ChannelResponse<PayoutEvent>>;
  /** Asks for the state of a final payout, after a notification. Must not send money. */
  verifyPayout(payout: ChannelPayout, now: number, context?: CallContext): Promise<ChannelResponse<PayoutEvent>>;
  /**
   * Returns the account that a redirect payment's customer can transfer to, such as a UPI address. The payment page
   * then shows a QR code and an app link with the transaction's id as the reference. Must not do I/O.
   */
  receiver?(payment: ChannelPayment): string | undefined;
  /**
   * Returns the id of the transaction that a notification is about, or undefined if this channel did not send it. The
   * gateway trusts only the id and then calls the channel, so a channel must not send notifications about its own
   * responses. Omit it if the channel sends no notifications.
   */
  notification?(request: InboundNotification): string | undefined;
  /**
   * Parses a statement file of the channel into collected payments and sent payouts, for `payments-gateway reconcile`.
   * Throws an error with a message for the operator if the file isn't a statement.
   */
  statement?(file: Buffer): readonly StatementEntry[];
}
