/** Drivers move transactions into a status: they know the request for each goal, and act as the customer. */
import type { Json, JsonObject } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import { timeoutWhileAwake } from '../time/awake.ts';

/** The status to which a payment is driven, and in which it stays. */
export interface PaymentGoal {
  readonly flow: 'h2h' | 'redirect';
  readonly until: string;
  /** The decline reason, if it is to fail. */
  readonly reason?: string;
  /** Status to go through on the way, if the check needs one. */
  readonly from?: string;
  /** Status that the creation itself has to return, if the check needs one. */
  readonly opensIn?: string;
  /** Whether the service asks for data on the way. */
  readonly asks?: boolean;
  /** Currency of the payment, if the check needs one. */
  readonly currency?: string;
  /** Amount to pay instead of the requested one, in minor units, if the check needs one. */
  readonly paid?: number;
}

export interface PayoutGoal {
  readonly until: string;
  readonly from?: string;
  readonly reason?: string;
  /** Currency of the payout, if the check needs one. */
  readonly currency?: string;
}

/** A goal with a flow is a payment's. */
export type Goal = PaymentGoal | PayoutGoal;

/** The driver's body of a creation that leads to the goal; undefined if none does. */
export function goalBody(driver: Driver, goal: Goal): JsonObject | undefined {
  return 'flow' in goal ? driver.payment(goal) : driver.payout(goal);
}

export function goalKind(goal: Goal): TransactionKind {
  return 'flow' in goal ? 'payment' : 'payout';
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
 * Knows how to bring a service into a state. The kit adds `merchant_order_id` and `callback_url` to the bodies, and calls
 * clarify and confirm itself. It reports missing abilities of the driver as not reached.
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
   * Values for the items that `clarify` or `confirm` of the payment asks for. `payment` is the last response about it; an
   * `amount` has to be one of its offers.
   */
  items(names: readonly string[], payment: Json): Record<string, string>;
  /** Pays on the payment page, as the customer. Rejects if the page can't be used. */
  pay?(redirectUrl: string, access: ServiceAccess): Promise<void>;
  /** Cancels on the payment page, as the customer. Rejects if the page can't be used. */
  cancel?(redirectUrl: string, access: ServiceAccess): Promise<void>;
  /** Reads the return address from the page of a final payment. */
  returnAddress?(redirectUrl: string, access: ServiceAccess): Promise<string>;
  /**
   * Moves a created transaction to the goal by other means, such as a simulation API. It is called for every transaction,
   * even for one that gets there on its own. For a goal with `from`, it is first called with that status.
   */
  move?(kind: 'payment' | 'payout', transactionId: string, goal: Goal, access: ServiceAccess): Promise<void>;
  /**
   * Makes the next request to an operation fail with a status such as 429 or 503. Returns the key to send that request
   * with, which leaves other requests unaffected.
   */
  disturb?(operationId: string, status: number, access: ServiceAccess): Promise<string>;
  /**
   * Body of a createPayout in a currency that `payout` doesn't use. The kit adds that wallet's balance to its amount, and
   * expects INSUFFICIENT_BALANCE. Defaults to the body of `payout`.
   */
  readonly emptyWallet?: JsonObject;
  /**
   * Takes the available balance of a currency out of the wallet, and resolves with a function that returns it. The kit
   * calls it for the currency of `emptyWallet`, and for wallets that are too full to pay out.
   */
  drainWallet?(currency: string, access: ServiceAccess): Promise<() => Promise<unknown>>;
}

const SENDING = new Set<string | symbol>([
  'pay',
  'cancel',
  'returnAddress',
  'move',
  'disturb',
  'drainWallet',
] satisfies (keyof Driver)[]);
/** A payment page in a browser takes longer than a request. */
const LONGER = 6;

/** Wraps the driver: its requests reject after a multiple of the response timeout. */
export function boundedDriver(driver: Driver, timeoutMs: number): Driver {
  return new Proxy(driver, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (!SENDING.has(name)) return member.bind(target);
      return async (...given: unknown[]) => endInTime(String(name), member.apply(target, given), timeoutMs * LONGER);
    },
  });
}

async function endInTime<T>(name: string, call: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = timeoutWhileAwake(limitMs, () =>
    late.reject(new Error(`\`${name}\` didn't end within ${limitMs / 1_000} s`)),
  );
  try {
    return await Promise.race([call, late.promise]);
  } finally {
    cancel();
  }
}
