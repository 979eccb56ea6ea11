/** Serializes expensive work in this process. Each merchant has at most one item in the queue. */
import { ProblemWithHeaders } from '../http/problem-with-headers.ts';

/** Merchants that wait, or whose turn it is. */
const QUEUE_MAX = 20;
const RETRY_AFTER_S = 1;

export class MerchantQueue {
  readonly #name: string;
  readonly #merchants = new Set<number>();
  #last: Promise<unknown> = Promise.resolve();

  /** `name` is the name of the work in refusals, such as `audit`. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Does the work when it is the merchant's turn. Throws the problem `rate-limited` if the merchant has one, or too many wait. */
  async take<T>(merchantId: number, work: () => Promise<T>): Promise<T> {
    if (this.#merchants.has(merchantId)) throw this.#refused(`An ${this.#name} of this merchant is in progress.`);
    if (this.#merchants.size >= QUEUE_MAX) throw this.#refused(`Too many merchants wait for an ${this.#name}.`);
    this.#merchants.add(merchantId);
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      this.#merchants.delete(merchantId);
    }
  }

  #refused(reason: string): ProblemWithHeaders {
    const detail = `${reason} Retry after the number of seconds in \`Retry-After\`.`;
    return new ProblemWithHeaders('rate-limited', detail, { 'retry-after': String(RETRY_AFTER_S) });
  }
}
