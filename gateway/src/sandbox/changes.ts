/**
 * Sends a merchant's changes in this process to the clients that follow it. Without followers a change costs one look-up.
 * What a follower doesn't read in time is not kept for it: it is disconnected, and reads again what it shows.
 */
import { Readable } from 'node:stream';
import { timestamp } from '../contract/view.ts';
import type { Transaction } from '../domain/transaction.ts';
import { summarizeEvent } from './events.ts';
import { type Exchange, summarizeExchange } from './request-log/exchange.ts';
import { summarizeTransaction } from './transactions.ts';
import type { World } from './world.ts';

export type ChangeType = 'open' | 'transaction' | 'event' | 'attempt' | 'request' | 'settings';

/** An attempt to deliver a webhook that has ended. */
export interface EndedAttempt {
  readonly eventId: string;
  readonly merchantId: number;
  readonly transactionId: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly outcome: string;
  readonly ms: number;
}

/** Connections that follow one merchant, and all. */
const PER_MERCHANT_MAX = 20;
const TOTAL_MAX = 500;
/** Bytes that wait for a follower; with more it is disconnected. */
const WAITING_BYTES_MAX = 256 * 1024;
/** Shorter than idle connections are kept open by the server, and by proxies. */
const HEARTBEAT_MS = 10_000;
/** After this it has to connect again, with a key that is still valid. */
const CONNECTED_MS_MAX = 60 * 60_000;

const HEARTBEAT = ': still here\n\n';

export class Changes {
  readonly #world: World;
  readonly #followers = new Map<number, Set<Readable>>();
  #count = 0;
  #closed = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** A stream of the merchant's changes, as server-sent events. Returns undefined if there are too many, or at the end. */
  follow(merchantId: number): Readable | undefined {
    const followers = this.#followers.get(merchantId) ?? new Set();
    if (this.#closed || this.#count >= TOTAL_MAX || followers.size >= PER_MERCHANT_MAX) return undefined;
    const stream = new Readable({ highWaterMark: WAITING_BYTES_MAX, read: () => undefined });
    this.#followers.set(merchantId, followers.add(stream));
    this.#count += 1;
    const heartbeat = setInterval(() => send(stream, HEARTBEAT), HEARTBEAT_MS);
    const late = setTimeout(() => stream.push(null), CONNECTED_MS_MAX);
    stream.once('close', () => {
      clearInterval(heartbeat);
      clearTimeout(late);
      this.#count -= 1;
      followers.delete(stream);
      if (followers.size === 0) this.#followers.delete(merchantId);
    });
    send(stream, message('open', {}));
    return stream;
  }

  /** A transaction has changed; the event reports it, if there is one. */
  onStep(transaction: Transaction, eventId: string | undefined): void {
    const { id, merchantId, callbackUrl, status } = transaction;
    if (!this.#followers.has(merchantId)) return;
    this.#publish(merchantId, 'transaction', () => summarizeTransaction(transaction));
    if (eventId === undefined) return;
    this.#publish(merchantId, 'event', () => {
      const waiting = { attempts: 0, nextAt: 0, deliveredAt: undefined, lastResult: undefined };
      const createdAt = this.#world.at(merchantId).now;
      const event = { id: eventId, transactionId: id, url: callbackUrl, body: JSON.stringify({ status }), createdAt };
      return summarizeEvent({ ...event, ...waiting }, this.#world, merchantId);
    });
  }

  onAttempt({ merchantId, eventId, transactionId, attempt, outcome, ms }: EndedAttempt): void {
    this.#publish(merchantId, 'attempt', () => ({
      ...{ event_id: eventId, transaction_id: transactionId, number: attempt, outcome, duration_ms: ms },
      at: timestamp(this.#world.at(merchantId).now),
    }));
  }

  onRequest(exchange: Exchange): void {
    this.#publish(exchange.merchantId, 'request', () => summarizeExchange(exchange));
  }

  onSettings(merchantId: number): void {
    this.#publish(merchantId, 'settings', () => ({}));
  }

  /** Disconnects the followers of a merchant that is gone. */
  end(merchantId: number): void {
    for (const stream of this.#followers.get(merchantId) ?? []) stream.push(null);
  }

  /** Disconnects everybody, and takes no more. */
  close(): void {
    this.#closed = true;
    for (const merchantId of this.#followers.keys()) this.end(merchantId);
  }

  #publish(merchantId: number, type: ChangeType, data: () => object): void {
    const followers = this.#followers.get(merchantId);
    if (!followers) return;
    const text = message(type, data());
    for (const stream of followers) send(stream, text);
  }
}

function message(type: ChangeType, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function send(stream: Readable, text: string): void {
  if (stream.readableEnded || stream.destroyed) return;
  if (stream.readableLength + text.length > WAITING_BYTES_MAX) stream.destroy();
  else stream.push(text);
}
