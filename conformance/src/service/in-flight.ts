/** Limits the requests in flight, and lowers the limit while responses are slow. */

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

  /** Runs the request when the limit allows it. */
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
