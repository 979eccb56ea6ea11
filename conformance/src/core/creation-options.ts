/** Options of a creation, and the ways in which one fails. */

import type { Clause } from '../document/basis.ts';
import { findSuccess } from '../document/contract.ts';
import type { Exchange } from '../service/exchange.ts';
import type { ReplyToStatus } from '../service/journal.ts';
import { type Finding, NotReached } from './finding.ts';

/** Particulars of a creation that a check chooses itself. */
export interface CreationOptions {
  /** The receiver's reply to one of the webhooks. */
  readonly refusal?: ReplyToStatus;
  /** Defaults to a new order ID. */
  readonly order?: string;
  /** Query of the callback address, with its question mark. */
  readonly callbackQuery?: string;
  /** Leaves the amount out of the run's budget, because the transaction is never paid. */
  readonly unpaid?: boolean;
}

const SERVER_ERROR = 500;

/** The service refused a creation. A 5xx violates the contract, whatever the request was. */
export class CreationRefused extends NotReached {
  readonly creation: Exchange;
  constructor(creation: Exchange, found: string, clause: Clause) {
    const { operation } = creation.call;
    const failure: Finding = {
      at: 'status',
      expected: findSuccess(operation).status,
      found,
      clause,
      exchange: creation,
    };
    const findings = creation.status >= SERVER_ERROR ? [failure] : [];
    super(`${operation.id} returned ${found}`, `correct what replay/${operation.id} reports`, undefined, findings);
    this.creation = creation;
  }
}

/** A payout was declined for lack of funds. */
export class InsufficientFunds extends NotReached {}
