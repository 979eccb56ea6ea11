/**
 * Sends a merchant's changes in this process to the clients that follow it. Without followers a change costs one look-up.
 * What a follower doesn't read in time is not kept for it: it is disconnected, and reads again what it shows.
 */

import type { Transaction } from '../domain/transaction.ts';
import type { EventStream } from '../http/event-stream.ts';
import { viewEvent } from '../management/handlers/events.ts';
import { summarizeTransaction } from '../management/transactions.ts';
import { timestamp } from '../transactions/view.ts';
import type { StoredEvent } from '../webhooks/merchant-events.ts';
import type { Follower, Followers } from './followers.ts';
import { type LoggedExchange, summarizeExchange } from './request-log/exchange.ts';
import type { SandboxState } from './sandbox-state.ts';

export type ChangeType = 'open' | 'transaction' | 'event' | 'attempt' | 'request' | 'settings';

/** A completed delivery attempt. */
export interface EndedAttempt {
  readonly eventId: string;
  readonly merchantId: number;
  readonly transactionId: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly outcome: string;
  readonly ms: number;
}

export class Changes {
  readonly #sandboxState: SandboxState;
  readonly #followers: Followers;

  constructor(sandboxState: SandboxState, followers: Followers) {
    this.#sandboxState = sandboxState;
    this.#followers = followers;
  }

  /** A stream of a merchant's changes, as server-sent events. Returns undefined if there are too many, or at the end. */
  follow(follower: Follower): EventStream | undefined {
    const stream = this.#followers.add(follower);
    stream?.push(message('open', {}));
    return stream;
  }

  /** A transaction has changed; the event reports it, if there is one. */
  onStep(transaction: Transaction, eventId: string | undefined): void {
    const { id, merchantId, callbackUrl, status } = transaction;
    if (!this.#followers.has(merchantId)) return;
    this.#publish(merchantId, 'transaction', () => summarizeTransaction(transaction));
    if (eventId === undefined) return;
    this.#publish(merchantId, 'event', () => {
      const untried = { attempts: 0, log: [], deliveredAt: undefined, lastResult: undefined };
      const waiting = { ...untried, state: 'waiting', nextAt: 0 } as const;
      const createdAt = this.#sandboxState.at(merchantId).now;
      const about = { merchantId, transactionId: id, url: callbackUrl, body: JSON.stringify({ status }), createdAt };
      return this.#viewEvent({ id: eventId, ...about, ...waiting });
    });
  }

  /** An event is sent again. */
  onResend(event: StoredEvent): void {
    this.#publish(event.merchantId, 'event', () => this.#viewEvent(event));
  }

  onAttempt({ merchantId, eventId, transactionId, attempt, outcome, ms }: EndedAttempt): void {
    this.#publish(merchantId, 'attempt', () => ({
      ...{ event_id: eventId, transaction_id: transactionId, number: attempt, outcome, duration_ms: ms },
      at: timestamp(this.#sandboxState.at(merchantId).now),
    }));
  }

  onRequest(exchange: LoggedExchange): void {
    this.#publish(exchange.merchantId, 'request', () => summarizeExchange(exchange));
  }

  onSettings(merchantId: number): void {
    this.#publish(merchantId, 'settings', () => ({}));
  }

  #viewEvent(event: StoredEvent) {
    const { merchantId, nextAt } = event;
    return viewEvent(event, nextAt && this.#sandboxState.toMerchantTime(merchantId, nextAt));
  }

  #publish(merchantId: number, type: ChangeType, data: () => object): void {
    if (this.#followers.has(merchantId)) this.#followers.send(merchantId, message(type, data()));
  }
}

function message(type: ChangeType, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
