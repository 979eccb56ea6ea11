/** Requests at a time: fewer as long as responses are slow, since many at once would keep all of them from coming in time. */

const MAX = 40;
const MIN = 4;

export class InFlight {
  readonly #slowMs: number;
  #max = MAX;
  #running = 0;
  #loweredAt = 0;
  readonly #waiting: (() => void)[] = [];

  /** A response that takes longer than this, in milliseconds, is slow. */
  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  /** Runs it when it is its turn. */
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
    // Those that were sent together are slow together.
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
