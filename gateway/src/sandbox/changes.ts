/**
 * Streams a merchant's changes in this process to its followers. Without followers, a change costs one lookup. A slow
 * follower is disconnected, and has to reload its data.
 */
import type { Transaction } from '../domain/transaction.ts';
import { EventStream } from '../http/event-stream.ts';
import { summarizeTransaction, viewEvent } from '../management/views.ts';
import type { Clock } from '../platform/clock.ts';
import { timestamp } from '../transactions/view.ts';
import type { StoredEvent } from '../webhooks/merchant-events.ts';
import { type LoggedExchange, summarizeExchange } from './request-log/exchange.ts';
import type { SandboxState } from './sandbox-state.ts';

type ChangeType = 'open' | 'transaction' | 'event' | 'attempt' | 'request' | 'settings';

interface EndedAttempt {
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

// Streams of merchants' changes. A stream ends at the next heartbeat after its key or session has ended, and with its
// merchant.

interface Follower {
  readonly merchantId: number;
  /** Stands for the client, as in `networkOf`. */
  readonly network: string;
  /** Whether the client would be let in again. */
  readonly isAdmitted: () => Promise<boolean>;
}

interface Open extends Follower {
  /** Counts until its client has read the rest, or has gone. */
  readonly stream: EventStream;
}

/** Streams of one merchant, and all. */
const PER_MERCHANT_MAX = 20;
const TOTAL_MAX = 500;
/** Characters that wait for a follower; with more it is disconnected. */
const WAITING_MAX = 256 * 1024;
/** Shorter than idle connections are kept open by the server, and by proxies. */
const HEARTBEAT_MS = 10_000;
/** Heartbeats in an hour. After this many, it has to connect again. */
const HEARTBEATS_MAX = 360;

const HEARTBEAT = ': still here\n\n';

export class Followers {
  readonly #clock: Clock;
  readonly #open = new Map<number, Set<Open>>();
  #count = 0;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Opens a stream. Returns undefined if there are too many, or at the end. */
  add(follower: Follower): EventStream | undefined {
    const { merchantId } = follower;
    const ofMerchant = this.#open.get(merchantId) ?? new Set();
    if (this.#closed || ofMerchant.size >= PER_MERCHANT_MAX) return undefined;
    if (this.#count >= TOTAL_MAX && !this.#makeRoom(follower)) return undefined;
    const stream = new EventStream(WAITING_MAX);
    const added = { ...follower, stream };
    this.#open.set(merchantId, ofMerchant.add(added));
    this.#count += 1;
    const gone = new AbortController();
    stream.onClose(() => {
      gone.abort();
      this.#forget(added);
    });
    this.#keepUp(added, gone.signal);
    return stream;
  }

  has(merchantId: number): boolean {
    return this.#open.has(merchantId);
  }

  send(merchantId: number, text: string): void {
    for (const follower of this.#open.get(merchantId) ?? []) follower.stream.push(text);
  }

  endMerchant(merchantId: number): void {
    for (const { stream } of [...(this.#open.get(merchantId) ?? [])]) stream.end();
  }

  endAll(): void {
    for (const { stream } of this.#all()) stream.end();
  }

  /** Ends all streams, and takes no more. */
  close(): void {
    this.#closed = true;
    this.endAll();
  }

  #all(): Open[] {
    return [...this.#open.values()].flatMap((ofMerchant) => [...ofMerchant]);
  }

  #forget(follower: Open): void {
    const ofMerchant = this.#open.get(follower.merchantId);
    if (!ofMerchant?.delete(follower)) return;
    this.#count -= 1;
    if (ofMerchant.size === 0) this.#open.delete(follower.merchantId);
  }

  async #keepUp(follower: Open, gone: AbortSignal): Promise<void> {
    for (let beats = 0; beats < HEARTBEATS_MAX; beats++) {
      await this.#clock.until(this.#clock.now() + HEARTBEAT_MS, gone);
      // An unreachable database must not end the stream.
      if (gone.aborted || !(await follower.isAdmitted().catch(() => true))) break;
      follower.stream.push(HEARTBEAT);
    }
    follower.stream.end();
  }

  /**
   * Evicts the oldest stream of the address with the most, and within the address of the merchant with the most. Never
   * evicts a stream for one that would then have as many. Returns whether there is capacity.
   */
  #makeRoom({ merchantId, network }: Follower): boolean {
    const byNetwork = Map.groupBy(this.#all(), (follower) => follower.network);
    const own = byNetwork.get(network) ?? [];
    const largest = longest(byNetwork.values());
    const giving = largest.length > own.length + 1 ? largest : own;
    const byMerchant = Map.groupBy(giving, (follower) => follower.merchantId);
    const most = longest(byMerchant.values());
    const ownMerchant = giving === own ? (byMerchant.get(merchantId) ?? []) : [];
    if (giving === own && most.length <= ownMerchant.length + 1) return false;
    const [oldest] = most;
    if (!oldest) return false;
    // Its client might never read the rest.
    oldest.stream.cut();
    return true;
  }
}

function longest<T>(lists: Iterable<readonly T[]>): readonly T[] {
  return [...lists].reduce<readonly T[]>((longer, list) => (list.length > longer.length ? list : longer), []);
}
