/**
 * A loop that claims what is due and works on it, in bounded numbers, until it is stopped. Between rounds it sleeps
 * until something is due, is woken by whoever has made work, or looks again, since other processes make work too.
 */
import type { Clock } from '../platform/clock.ts';
import type { Fields, Report } from '../platform/report.ts';

export interface Job<T> {
  readonly name: string;
  /** Claims up to `limit` pieces of work. */
  claim(limit: number): Promise<T[]>;
  /** Does one piece. What it throws is reported and does not stop the loop; the claim ends by itself. */
  work(item: T): Promise<void>;
  /** What identifies a piece of work in the report of a failure. */
  describe?(item: T): Fields;
  /** Records that the work has failed. Returns what else to report. */
  recordFailure?(item: T, error: unknown): Promise<Fields | undefined>;
  /** When the next piece is due, if that is known, in milliseconds since 1970. */
  nextDue(): Promise<number | undefined>;
  readonly concurrency: number;
  /** The longest pause between two looks, in milliseconds of the clock. */
  readonly pollMs: number;
}

export interface Worker {
  /** Says that there is work now. */
  wake(): void;
  /** Stops claiming; resolves when everything under way has ended. */
  stop(): Promise<void>;
  /** Resolves when nothing is under way and nothing is due. For tests. */
  idle(): Promise<void>;
}

const WOKEN = 'woken';

/** A sleep that a wake cuts short, also one that came before it, since the round began. */
class Sleep {
  readonly #clock: Clock;
  #cut = new AbortController();
  constructor(clock: Clock) {
    this.#clock = clock;
  }
  /** Forgets earlier wakes. */
  beginRound(): void {
    this.#cut = new AbortController();
  }
  wake(): void {
    // A reason of its own, since the default is an error with a stack, made anew each time.
    this.#cut.abort(WOKEN);
  }
  get isCut(): boolean {
    return this.#cut.signal.aborted;
  }
  async until(time: number): Promise<void> {
    await this.#clock.until(time, this.#cut.signal);
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

  /** Starts what is due and there is room for. Returns when the next piece is due, or undefined when it is not known. */
  async function round(): Promise<number | undefined> {
    const room = job.concurrency - running.size;
    // A look costs less than a claim, which writes.
    const due = await job.nextDue();
    if (room === 0 || due === undefined || due > clock.now()) return due;
    const items = await job.claim(room);
    for (const item of items) start(item);
    // What is due and cannot be claimed is in other hands; it is looked at again after the pause.
    if (items.length > 0) sleep.wake();
    return due;
  }

  async function rest(due: number | undefined): Promise<void> {
    if (sleep.isCut) return;
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
