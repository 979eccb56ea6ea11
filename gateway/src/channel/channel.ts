/**
 * A channel carries payments and payouts to the world: a bank, a wallet, a provider. The gateway asks it for the next
 * step and tells it what the customer did. Every call can come more than once for the same transaction, after a crash
 * or a time-out, and must then have the same effect: the transaction's id is the key.
 */
import type { PaymentEvent, PayoutEvent } from '../domain/events.ts';
import type { Items, Payment, Payout } from '../domain/transaction.ts';

/** Something has happened, or the channel wants to be asked again later (milliseconds since 1970; never when undefined). */
export type ChannelAnswer<E> = { readonly event: E } | { readonly askAgainAt: number | undefined };

/**
 * Thrown by a channel that has not done what it was asked, and will not: then the transaction is declined. Anything else
 * that it throws leaves open whether something happened; it is asked again, with the same transaction.
 */
export class ChannelUnavailable extends Error {
  readonly reason: 'CHANNEL_DOWN' | 'CHANNEL_OVERLOADED';
  constructor(reason: ChannelUnavailable['reason'], options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

export interface Channel {
  /** Whether it only plays: then no money moves, and the payment page says so. */
  readonly sandbox: boolean;
  /** Starts a payment in CREATED. By redirect it only checks it: the customer acts on the payment page. */
  initiate(payment: Payment, now: number): Promise<ChannelAnswer<PaymentEvent>>;
  /** Takes the data that a payment in EXTRA_DATA_NEEDED waited for. */
  clarify(payment: Payment, items: Items, now: number): Promise<PaymentEvent>;
  /**
   * Asks whether a payment in VERIFYING is settled. It is the channel that knows whether the transfer of that reference
   * came, and whether it has been counted for another payment: the gateway compares no references (contract:
   * `transfer-reference`).
   */
  verify(payment: Payment, now: number): Promise<ChannelAnswer<PaymentEvent>>;
  /** Sends a payout, or asks how it stands. */
  payOut(payout: Payout, now: number): Promise<ChannelAnswer<PayoutEvent>>;
}
