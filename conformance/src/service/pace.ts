/**
 * Slows a run down to the rate that the service accepts, learned from 429 with Retry-After. A service that refuses a
 * small share of requests at any rate doesn't slow it down.
 */
import { setTimeout as pause } from 'node:timers/promises';

/** Share of the last accepted rate. */
const SLOWER = 0.9;
/** Growth in each second without a refusal. */
const FASTER = 1.1;
const SECOND_MS = 1_000;
const RATE_MIN = 1;
/** The rate is too high if this many of the recent responses are refusals. */
const RECENT = 30;
const REFUSALS_MIN = 6;
/** After a pause, the requests of this interval go out at once. */
const BURST_MS = 350;

export interface PaceClock {
  /** Milliseconds since an arbitrary time. */
  now(): number;
  pause(ms: number): Promise<unknown>;
}

const CLOCK: PaceClock = { now: () => performance.now(), pause };

export class Pace {
  readonly #clock: PaceClock;
  /** Requests per second; undefined before the first slowdown. */
  #rate: number | undefined;
  #nextAt = 0;
  #refusedAt = 0;
  #loweredAt = 0;
  #raisedAt = 0;
  /** Times of accepted requests within the last second. */
  #taken: number[] = [];
  /** Whether each of the latest responses was a refusal. */
  #recent: boolean[] = [];

  constructor(clock: PaceClock = CLOCK) {
    this.#clock = clock;
  }

  /** Resolves when the next request may be sent. */
  async turn(): Promise<void> {
    if (this.#rate === undefined) return;
    const now = this.#clock.now();
    if (now - Math.max(this.#refusedAt, this.#raisedAt) > SECOND_MS) {
      this.#rate *= FASTER;
      this.#raisedAt = now;
    }
    this.#nextAt = Math.max(this.#nextAt, now - BURST_MS) + SECOND_MS / this.#rate;
    const waitMs = this.#nextAt - now;
    if (waitMs > 0) await this.#clock.pause(waitMs);
  }

  /** Records a response, and whether it refused the request for the rate. */
  note(isRefusal: boolean): void {
    const now = this.#clock.now();
    this.#taken = this.#taken.filter((at) => at > now - SECOND_MS);
    this.#recent = [...this.#recent, isRefusal].slice(-RECENT);
    if (!isRefusal) {
      this.#taken.push(now);
      return;
    }
    if (this.#recent.filter(Boolean).length < REFUSALS_MIN) return;
    this.#refusedAt = now;
    // Requests in flight are refused together.
    if (this.#rate !== undefined && now - this.#loweredAt < SECOND_MS) return;
    this.#rate = Math.max(RATE_MIN, SLOWER * this.#taken.length);
    this.#loweredAt = now;
  }
}

/** For a response without a valid Retry-After. */
const DEFAULT_MS = 1_000;

/** Retry-After in milliseconds: seconds, or a date by the clock of the service, which Date shows. */
export function retryAfterMs(headers: Headers): number {
  const value = headers.get('retry-after') ?? '';
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - sentAt;
  return Number.isNaN(ms) ? DEFAULT_MS : Math.max(0, ms);
}

const MAX = 40;
const MIN = 4;

export class InFlight {
  readonly #slowMs: number;
  #max = MAX;
  #running = 0;
  #loweredAt = 0;
  readonly #waiting: (() => void)[] = [];

  /** Slower responses than this, in milliseconds, lower the limit. */
  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  async run<T>(send: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#max) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    const startedAt = performance.now();
    try {
      return await send();
    } finally {
      this.#learn(startedAt);
      this.#running -= 1;
      this.#wake();
    }
  }

  #learn(startedAt: number): void {
    const now = performance.now();
    if (now - startedAt <= this.#slowMs) this.#max = Math.min(MAX, this.#max + 1);
    // Requests sent together are slow together.
    else if (startedAt >= this.#loweredAt) {
      this.#max = Math.max(MIN, Math.floor(this.#max / 2));
      this.#loweredAt = now;
    }
  }

  #wake(): void {
    while (this.#running < this.#max) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running += 1;
      next();
    }
  }
}
