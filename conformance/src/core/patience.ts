/**
 * Time limits of a run's waits. The first wait of a kind may take as long as the run may wait; once one had no success, later
 * ones end as soon as what they wait for is late by the service's own pace.
 */
import { textOf } from '../service/exchange.ts';
import type { Delivery } from '../service/journal.ts';
import type { Tracked } from './tracked.ts';

const BRIEF_MS = 1_500;
/** Later successes may take this many times as long as the slowest so far. */
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
    if (!this.#missed.has(kind)) return this.#timeoutMs;
    return Math.min(this.#timeoutMs, Math.max(BRIEF_MS, SLOWER * (this.#slowestMs.get(kind) ?? 0)));
  }

  /** Notes a wait: how long it took, or that it had no success. */
  note(kind: string, tookMs: number | undefined): void {
    if (tookMs === undefined) this.#missed.add(kind);
    else this.#slowestMs.set(kind, Math.max(tookMs, this.#slowestMs.get(kind) ?? 0));
  }

  /** The first webhook of a transaction with the status; undefined if none comes in time. */
  async webhook({ kind, endpoint }: Tracked, status: string): Promise<Delivery | undefined> {
    const event = `webhook ${kind} ${status}`;
    const own = `${event} ${endpoint.token}`;
    const startedAt = performance.now();
    // One that was waited for is not waited for again, though it can still have come.
    const limitMs = this.#missed.has(own) ? 0 : this.limitMs(event);
    const found = await endpoint.find((delivery) => textOf(delivery.body, 'status') === status, limitMs);
    this.note(event, found && performance.now() - startedAt);
    if (!found) this.#missed.add(own);
    return found;
  }
}
