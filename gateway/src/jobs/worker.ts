/**
 * A loop that claims due items and works on a bounded number of them at a time, until it is stopped. Between rounds it
 * sleeps until an item is due or somebody wakes it, and polls, since other processes create items too.
 */
import type { Clock } from '../platform/clock.ts';
import type { Fields, Report } from '../platform/report.ts';

export interface Job<T> {
  readonly name: string;
  /** Claims up to `limit` items. */
  claim(limit: number): Promise<T[]>;
  /** Works on one item. An error is reported and does not stop the loop; the claim expires. */
  work(item: T): Promise<void>;
  /** What identifies an item in the report of a failure. */
  describe?(item: T): Fields;
  /** Records that the work has failed. Returns what else to report. */
  recordFailure?(item: T, error: unknown): Promise<Fields | undefined>;
  /** When the next item is due, if that is known, in milliseconds since 1970. */
  nextDue(): Promise<number | undefined>;
  readonly concurrency: number;
  /** The longest pause between two rounds, in milliseconds of the clock. */
  readonly pollMs: number;
}

export interface Worker {
  /** Starts a round now. */
  wake(): void;
  /** Stops claiming. Resolves when the work in progress has ended. */
  stop(): Promise<void>;
  /** Resolves when no work is in progress and no item is due. For tests. */
  idle(): Promise<void>;
}

const WOKEN = 'woken';

/** Interruptible sleep. A wake that arrives before `until()`, but after `beginRound()`, counts too. */
class Sleep {
  readonly #clock: Clock;
  #interruption = new AbortController();
  constructor(clock: Clock) {
    this.#clock = clock;
  }
  /** Forgets earlier wakes. */
  beginRound(): void {
    this.#interruption = new AbortController();
  }
  wake(): void {
    // The default reason would be a new error with a stack each time.
    this.#interruption.abort(WOKEN);
  }
  get isInterrupted(): boolean {
    return this.#interruption.signal.aborted;
  }
  async until(time: number): Promise<void> {
    await this.#clock.until(time, this.#interruption.signal);
  }
}

/** Starts the loop. */
export function startWorker<T>(job: Job<T>, clock: Clock, report: Report): Worker {
  const running = new Set<Promise<void>>();
  const idlers = new Set<() => void>();
  const sleep = new Sleep(clock);
  let stopping = false;

  function start(item: T): void {
    const task = job.work(item).catch((error: unknown) => fail(item, error));
    const tracked: Promise<void> = task.finally(() => {
      running.delete(tracked);
      sleep.wake();
    });
    running.add(tracked);
  }

  async function fail(item: T, error: unknown): Promise<void> {
    const about = { job: job.name, ...job.describe?.(item) };
    try {
      report(error, { ...about, ...(await job.recordFailure?.(item, error)) });
    } catch (second) {
      report(error, about);
      report(second, about);
    }
  }

  /** Starts due items as far as there is room. Returns when the next item is due, or undefined if that is not known. */
  async function round(): Promise<number | undefined> {
    const room = job.concurrency - running.size;
    // This read costs less than a claim, which writes.
    const due = await job.nextDue();
    if (room === 0 || due === undefined || due > clock.now()) return due;
    const items = await job.claim(room);
    for (const item of items) start(item);
    // A due item that cannot be claimed belongs to another worker; it is polled after the pause.
    if (items.length > 0) sleep.wake();
    return due;
  }

  async function rest(due: number | undefined): Promise<void> {
    if (sleep.isInterrupted) return;
    const now = clock.now();
    if (running.size === 0) for (const done of idlers) done();
    const next = due === undefined || due <= now ? Number.POSITIVE_INFINITY : due;
    await sleep.until(Math.min(next, now + job.pollMs));
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      sleep.beginRound();
      try {
        await rest(await round());
      } catch (error) {
        report(error, { job: job.name });
        await sleep.until(clock.now() + job.pollMs);
      }
    }
  }

  const ended = loop();
  return {
    wake: () => sleep.wake(),
    async stop() {
      stopping = true;
      sleep.wake();
      await ended;
      await Promise.all(running);
    },
    idle() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const done = () => {
        idlers.delete(done);
        resolve();
      };
      idlers.add(done);
      sleep.wake();
      return promise;
    },
  };
}
