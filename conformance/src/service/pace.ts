/** Slows a run down to the rate that the service takes, which it learns from 429 with Retry-After. */
import { setTimeout as pause } from 'node:timers/promises';

/** Share of the rate that the service took last. */
const SLOWER = 0.9;
/** Growth in each second without a refusal. */
const FASTER = 1.1;
const SECOND_MS = 1_000;
const RATE_MIN = 5;
/** After a quiet time, as many requests go out at once as this time would have allowed. */
const BURST_MS = 350;

export class Pace {
  /** Requests per second; undefined until the service refuses one. */
  #rate: number | undefined;
  #nextAt = 0;
  #adjustedAt = 0;
  /** Times of the responses of the last second that refused nothing. */
  #taken: number[] = [];

  /** Resolves when the next request may be sent. */
  async turn(): Promise<void> {
    const now = performance.now();
    if (this.#rate === undefined) return;
    if (now - this.#adjustedAt > SECOND_MS) this.#adjust(this.#rate * FASTER, now);
    this.#nextAt = Math.max(this.#nextAt, now - BURST_MS) + SECOND_MS / this.#rate;
    const waitMs = this.#nextAt - now;
    if (waitMs > 0) await pause(waitMs);
  }

  /** Notes a response: whether it refused the request since there were too many. */
  note(isRefusal: boolean): void {
    const now = performance.now();
    this.#taken = this.#taken.filter((at) => at > now - SECOND_MS);
    if (!isRefusal) this.#taken.push(now);
    // Those that are under way are refused together.
    else if (this.#rate === undefined || now - this.#adjustedAt > SECOND_MS) {
      this.#adjust(SLOWER * this.#taken.length, now);
    }
  }

  #adjust(rate: number, now: number): void {
    this.#rate = Math.max(RATE_MIN, rate);
    this.#adjustedAt = now;
  }
}
