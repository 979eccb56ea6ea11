/** How a service is brought into a state: which requests lead where, and who plays the customer. */
import type { Json, JsonObject } from '../../../contract/src/model.ts';

/** Where a payment is to go. It stays there, unless the state is final. */
export interface PaymentGoal {
  readonly flow: 'h2h' | 'redirect';
  readonly until: string;
  /** The decline reason, if it is to fail. */
  readonly reason?: string;
  /** When it is declined: as soon as it is created, which is the default, or after the customer has paid. */
  readonly declined?: 'at once' | 'late';
  /** Whether the service asks for data on the way. */
  readonly asks?: boolean;
}

export interface PayoutGoal {
  readonly until: string;
  readonly reason?: string;
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
  /** Values for the items that `clarify` or `confirm` of the payment names. */
  items(names: readonly string[], payment: Json): Record<string, string>;
  /** Plays the customer, who pays on the page. Rejects if the page can't be used. */
  pay?(redirectUrl: string): Promise<void>;
  /** Moves a created transaction to the goal by other means, such as a call of a simulation API. */
  move?(kind: 'payment' | 'payout', transactionId: string, goal: PaymentGoal | PayoutGoal): Promise<void>;
  /** An amount that payouts of an unfunded wallet exceed, in a currency in which nothing else is paid out. */
  readonly emptyWallet?: JsonObject;
}
