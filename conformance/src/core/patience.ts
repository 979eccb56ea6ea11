/**
 * Timeouts that a run learns. The first wait of a kind gets the whole timeout of the run. Once one has timed out, later ones get a
 * multiple of the slowest success so far.
 */
import { textOf } from '../service/exchange.ts';
import type { Delivery } from '../service/journal.ts';
import type { Tracked } from './tracked.ts';

/** Shortest wait, in milliseconds. */
const BRIEF_MS = 1_500;
/** Multiple of the slowest success so far. */
const SLOWER = 3;

export class Patience {
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

  /** The same for a wait that never succeeds on some sound services: shorter as soon as one of the kind has succeeded. */
  usualMs(kind: string): number {
    return this.#slowestMs.has(kind) ? this.#briefMs(kind) : this.limitMs(kind);
  }

  /** Milliseconds for what the service does unseen, given how long it took to do what can be seen. */
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

  /** The first webhook of a transaction with the status; undefined if none comes in time. */
  async webhook({ kind, endpoint }: Tracked, status: string): Promise<Delivery | undefined> {
    const event = `webhook ${kind} ${status}`;
    const own = `${event} ${endpoint.token}`;
    const startedAt = performance.now();
    // A webhook that has timed out is not waited for again, but it may have arrived since.
    const limitMs = this.#missed.has(own) ? 0 : this.limitMs(event);
    const found = await endpoint.find((delivery) => textOf(delivery.body, 'status') === status, limitMs);
    this.note(event, found && performance.now() - startedAt);
    if (!found) this.#missed.add(own);
    return found;
  }
}
