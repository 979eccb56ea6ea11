/**
 * Lifecycle: serving, draining, closing. A draining gateway reports unready, so that load balancers remove it, and
 * serves the remaining requests. Each response closes its connection, so that clients reconnect elsewhere. A closing
 * gateway finishes requests that have arrived and responds to others with 503.
 */

import { StoreUnavailable } from '../database/store.ts';
import type { Clock } from '../platform/clock.ts';
import { ProblemError } from './problems.ts';

export class Lifecycle {
  readonly #clock: Clock;
  readonly #onDrain: (() => void) | undefined;
  #phase: 'serving' | 'draining' | 'closing' = 'serving';
  #inFlight = 0;
  readonly #whenIdle: (() => void)[] = [];

  constructor(clock: Clock, onDrain?: () => void) {
    this.#clock = clock;
    this.#onDrain = onDrain;
  }

  get phase(): 'serving' | 'draining' | 'closing' {
    return this.#phase;
  }

  /** Starts to drain. Resolves after this many milliseconds, or when the signal is aborted. */
  drain(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#phase === 'serving') this.#phase = 'draining';
    this.#onDrain?.();
    return this.#clock.until(this.#clock.now() + ms, signal);
  }

  /** Refuses further requests. */
  close(): void {
    this.#phase = 'closing';
    this.#onDrain?.();
  }

  /** Counts a request that begins. */
  began(): void {
    this.#inFlight += 1;
  }

  /** Counts a request whose response is ready. */
  ended(): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Resolves when no request is in flight, or when the signal is aborted. */
  idle(signal: AbortSignal): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Throws once the gateway closes. */
  requireOpen(): void {
    if (this.#phase !== 'closing') return;
    const detail = 'The service is restarting. Send the request again after the number of seconds in `Retry-After`.';
    const cause = new StoreUnavailable('the gateway is closing', { reason: 'closed' });
    throw new ProblemError('unavailable', detail, { cause });
  }
}
