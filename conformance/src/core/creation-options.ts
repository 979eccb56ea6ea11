/** Options of a creation, and the ways in which one fails. */
import type { Exchange } from '../service/exchange.ts';
import type { ReplyToStatus } from '../service/journal.ts';
import { NotReached } from './finding.ts';

/** Particulars of a creation that a check chooses itself. */
export interface CreationOptions {
  /** The receiver's reply to one of the webhooks. */
  readonly refusal?: ReplyToStatus;
  /** Defaults to a new order ID. */
  readonly order?: string;
  /** Query of the callback address, with its question mark. */
  readonly callbackQuery?: string;
  /** Nothing is paid for it, so that it doesn't count against the amount that the run may move. */
  readonly unpaid?: boolean;
}

/** The service refused a creation. */
export class CreationRefused extends NotReached {
  readonly creation: Exchange;
  constructor(creation: Exchange, found: string) {
    const { id } = creation.call.operation;
    super(`${id} returned ${found}`, `correct what replay/${id} reports`);
    this.creation = creation;
  }
}

/** A payout was declined since the wallet lacked the money. */
export class Unfunded extends NotReached {}
