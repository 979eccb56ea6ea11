/**
 * Timeouts that a run learns. The first wait of a kind gets the whole timeout of the run. Once one has timed out, later ones get a
 * multiple of the slowest success so far.
 */
import type { Json } from '../../../contract/src/model.ts';
import { type ReceivedDelivery, readString } from '../service/exchange.ts';
import { type Pauses, poll } from '../time/awake.ts';
import { lastSeen, type TrackedTransaction } from './transactions.ts';

const BRIEF_MS = 1_500;
/** Multiple of the slowest success so far. */
const SLOWER = 3;
/** Number of waits for a webhook while the service still delivers earlier ones. */
const WAITS_MAX = 4;
/** Webhooks of events within this interval can arrive in any order. */
const CLOSE_MS = 2_000;

export class LearnedTimeouts {
  readonly #timeoutMs: number;
  readonly #slowestMs = new Map<string, number>();
  readonly #missed = new Set<string>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Milliseconds that a wait of the kind may take. */
  limitMs(kind: string): number {
    return this.#missed.has(kind) ? this.#briefMs(kind) : this.#timeoutMs;
  }

  /** Like `limitMs`, but shorter after the first success, for waits that can time out on a conforming service. */
  usualMs(kind: string): number {
    return this.#slowestMs.has(kind) ? this.#briefMs(kind) : this.limitMs(kind);
  }

  /** Milliseconds to allow for an invisible step, based on the duration of a visible one. */
  unseenMs(leastMs: number, seenMs: number): number {
    return Math.min(this.#timeoutMs, Math.max(leastMs, SLOWER * seenMs));
  }

  #briefMs(kind: string): number {
    return Math.min(this.#timeoutMs, Math.max(BRIEF_MS, SLOWER * (this.#slowestMs.get(kind) ?? 0)));
  }

  /** Notes a wait: how long it took, or that it timed out. */
  note(kind: string, tookMs: number | undefined): void {
    if (tookMs === undefined) this.#missed.add(kind);
    else this.#slowestMs.set(kind, Math.max(tookMs, this.#slowestMs.get(kind) ?? 0));
  }

  /** Polls for as long as a wait of the kind may take, and notes how long it took. */
  async poll<T>(
    kind: string,
    read: () => Promise<T>,
    fits: (value: T) => boolean,
    pauses: Pauses,
  ): Promise<{ value: T; isFit: boolean; limitMs: number }> {
    const limitMs = this.limitMs(kind);
    const startedAt = performance.now();
    const { value, isFit } = await poll(read, fits, { ...pauses, limitMs });
    this.note(kind, isFit ? performance.now() - startedAt : undefined);
    return { value, isFit, limitMs };
  }

  /** The first webhook of a transaction with the status, or undefined after the timeout. */
  async webhook(tracked: TrackedTransaction, status: string): Promise<ReceivedDelivery | undefined> {
    const { kind, endpoint } = tracked;
    const event = `webhook ${kind} ${status}`;
    const own = `${event} ${endpoint.token}`;
    const startedAt = performance.now();
    // Doesn't wait for this webhook a second time, but it may have arrived since.
    const limitMs = this.#missed.has(own) ? 0 : this.limitMs(event);
    const wait = () => endpoint.find((delivery) => readString(delivery.body, 'status') === status, limitMs);
    let found = await wait();
    for (let waits = 1; !found && limitMs > 0 && waits < WAITS_MAX && isBehind(tracked, limitMs); waits += 1) {
      found = await wait();
    }
    this.note(event, found && performance.now() - startedAt);
    if (!found) this.#missed.add(own);
    return found;
  }
}

/** Whether webhooks still arrive, all of them about earlier events: the service has a long queue. */
function isBehind(tracked: TrackedTransaction, limitMs: number): boolean {
  const { all } = tracked.endpoint;
  const since = Date.now() - limitMs;
  const latest = readTime(lastSeen(tracked)) + CLOSE_MS;
  return all.some(({ receivedAt }) => receivedAt > since) && !all.some(({ body }) => readTime(body) > latest);
}

/** The time of a transaction's last known change, by the service's clock. */
function readTime(body: Json | undefined): number {
  return Date.parse(readString(body, 'finalized_at') ?? readString(body, 'created_at') ?? '');
}
