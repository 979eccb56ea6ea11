/** Drivers bring a service into a state: they know which requests lead where, and play the customer. */
import type { Json, JsonObject } from '../../../contract/src/model.ts';

/** The state that a payment is driven to. It stays there, unless the state is final. */
export interface PaymentGoal {
  readonly flow: 'h2h' | 'redirect';
  readonly until: string;
  /** The decline reason, if it is to fail. */
  readonly reason?: string;
  /** The status from which it goes there, if that is what the check is about. */
  readonly from?: string;
  /** The status in the response to its creation, if that is what the check is about: it must not get there only later. */
  readonly opensIn?: string;
  /** Whether the service asks for data on the way. */
  readonly asks?: boolean;
  /** Currency of the wallet that it is paid into, if that is what the check is about. */
  readonly currency?: string;
  /** Amount that the customer pays instead of the requested one, in minor units, if that is what the check is about. */
  readonly paid?: number;
}

export interface PayoutGoal {
  readonly until: string;
  readonly from?: string;
  readonly reason?: string;
  /** Currency of the wallet that it is paid from, if that is what the check is about. */
  readonly currency?: string;
}

/** Address and key of the service, for requests that the driver sends itself. */
export interface ServiceAccess {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  /** The global `fetch`, but it waits out 429, and 503 with Retry-After. */
  readonly fetch: typeof fetch;
}

/**
 * A driver. The kit adds `merchant_order_id` and `callback_url` to the bodies, and itself sends clarify and
 * confirm. What the driver can't do is reported as not reached.
 */
export interface Driver {
  readonly name: string;
  /** The service returns the example that `Prefer` names and keeps no state, as a mock does. */
  readonly followsPrefer?: boolean;
  /** Body of a createPayment that leads to the goal; undefined if none does. */
  payment(goal: PaymentGoal): JsonObject | undefined;
  /** Body of a createPayout that leads to the goal; undefined if none does. */
  payout(goal: PayoutGoal): JsonObject | undefined;
  /**
   * Values for the items that `clarify` or `confirm` of the payment names. `payment` is the last response about it: an
   * `amount` has to be one that it offers.
   */
  items(names: readonly string[], payment: Json): Record<string, string>;
  /** Plays the customer, who pays on the page. Rejects if the page can't be used. */
  pay?(redirectUrl: string, access: ServiceAccess): Promise<void>;
  /** Plays the customer, who cancels on the page. Rejects if the page can't be used. */
  cancel?(redirectUrl: string, access: ServiceAccess): Promise<void>;
  /** The address to which the page sends the customer back, once the payment is final. */
  returnAddress?(redirectUrl: string, access: ServiceAccess): Promise<string>;
  /**
   * Moves a created transaction to the goal by other means, such as a call of a simulation API. It is called for every
   * transaction, also for one that needs no help; for a goal with `from`, it is called with that status first.
   */
  move?(
    kind: 'payment' | 'payout',
    transactionId: string,
    goal: PaymentGoal | PayoutGoal,
    access: ServiceAccess,
  ): Promise<void>;
  /**
   * Lets the next request to an operation get a status that no request causes, such as 429 or 503. Returns the key to send
   * it with, so that other requests are not affected.
   */
  disturb?(operationId: string, status: number, access: ServiceAccess): Promise<string>;
  /**
   * Body of a createPayout in a currency in which `payout` pays out nothing. The kit sends it with as much more as that wallet
   * has, which has to fail with INSUFFICIENT_BALANCE. Without it, the kit tries the body of `payout`.
   */
  readonly emptyWallet?: JsonObject;
  /**
   * Takes what is available in a currency out of the wallet, so that it holds less than the smallest payout. Resolves with
   * what puts it back. Called with the currency of `emptyWallet`, and with that of a wallet that is too full to be paid out.
   */
  drainWallet?(currency: string, access: ServiceAccess): Promise<() => Promise<unknown>>;
}
