/**
 * A loop that claims due items and processes them with limited concurrency until it is stopped. It sleeps until the
 * next due item or a wake-up, and polls, because other processes also create items.
 */
import type { Clock } from './clock.ts';
import type { Fields, ReportFailure } from './log.ts';

export interface Job<T> {
  readonly name: string;
  /** Claims up to `limit` items. */
  claim(limit: number): Promise<T[]>;
  /** Processes one item. An error is reported and does not stop the loop. The item's lease then expires. */
  work(item: T): Promise<void>;
  /** Identifies an item in the report of a failure. */
  describe?(item: T): Fields;
  /** Records the failure. Returns additional fields for the report. */
  recordFailure?(item: T, error: unknown): Promise<Fields | undefined>;
  /** Looks for due items. Returns when the next one is due, if known, in milliseconds since 1970. */
  findDue(): Promise<number | undefined>;
  /** Whether the last poll found due items that must wait for others to end, regardless of the result of `findDue`. */
  isHeldUp?(): boolean;
  readonly concurrency: number;
  /** The maximum delay between two polls, in milliseconds of the clock. */
  readonly pollMs: number;
}

export interface Worker {
  /** Starts a poll now. */
  wake(): void;
  /** Stops claiming. Resolves when the work in progress has ended. */
  stop(): Promise<void>;
  /** Resolves when no work is in progress and no item is due. For tests. */
  idle(): Promise<void>;
}

/** Reserved capacity for an item about to be written with a lease. */
export interface WorkerPermit<T> {
  /** Starts the work on it. */
  start(item: T): void;
  /** Releases the capacity, since the item was not written. */
  release(): void;
}

/** A worker that also accepts items claimed by their producers. */
export interface DispatchWorker<T> extends Worker {
  /**
   * Reserves capacity for an item claimed by the caller, if available. It counts as work until it is started or
   * released.
   */
  reserve(): WorkerPermit<T> | undefined;
  /** Announces an unclaimed item due at this time. */
  expect(time: number): void;
}

const WOKEN = 'woken';

/** Interruptible sleep. A wake that arrives before `until()`, but after `beginRound()`, counts too. */
class Sleep {
  readonly #clock: Clock;
  #interruption = new AbortController();
  #end = Number.POSITIVE_INFINITY;
  #isAsleep = false;
  constructor(clock: Clock) {
    this.#clock = clock;
  }
  /** The end of the sleep unless interrupted. Before it begins, the earliest end announced. */
  get end(): number {
    return this.#end;
  }
  /** Forgets earlier wakes and announced ends. */
  beginRound(): void {
    this.#end = Number.POSITIVE_INFINITY;
    this.#isAsleep = false;
    this.#interruption = new AbortController();
  }
  /** Ends the sleep at this time at the latest. A poll in progress isn't repeated for a later time. */
  endBy(time: number): void {
    if (time >= this.#end) return;
    this.#end = time;
    if (this.#isAsleep) this.wake();
  }
  wake(): void {
    // The default reason would be a new error with a stack each time.
    this.#interruption.abort(WOKEN);
  }
  get isInterrupted(): boolean {
    return this.#interruption.signal.aborted;
  }
  async until(time: number): Promise<void> {
    this.#end = Math.min(time, this.#end);
    this.#isAsleep = true;
    await this.#clock.until(this.#end, this.#interruption.signal);
  }
}

/** Its public members are properties, so that it can be spread into an object. */
class Loop<T> implements DispatchWorker<T> {
  readonly #job: Job<T>;
  readonly #clock: Clock;
  readonly #report: ReportFailure;
  readonly #running = new Set<Promise<void>>();
  readonly #idlers: (() => void)[] = [];
  readonly #sleep: Sleep;
  readonly #stopped: Promise<void>;
  #isStopping = false;
  /** Whether the last poll found due items. */
  #found = true;
  /** Tasks that have ended. */
  #ended = 0;

  constructor(job: Job<T>, clock: Clock, report: ReportFailure) {
    this.#job = job;
    this.#clock = clock;
    this.#report = report;
    this.#sleep = new Sleep(clock);
    this.#stopped = this.#run();
  }

  readonly wake = (): void => this.#sleep.wake();

  readonly expect = (time: number): void => this.#sleep.endBy(time);

  readonly reserve = (): WorkerPermit<T> | undefined => {
    if (this.#isStopping || this.#room <= 0) return undefined;
    const { promise: task, resolve } = Promise.withResolvers<void>();
    this.#track(task);
    return { start: (item) => resolve(this.#work(item)), release: resolve };
  };

  readonly stop = async (): Promise<void> => {
    this.#isStopping = true;
    this.#sleep.wake();
    await this.#stopped;
    await Promise.all(this.#running);
  };

  readonly idle = (): Promise<void> =>
    new Promise((resolve) => {
      this.#idlers.push(resolve);
      this.#sleep.wake();
    });

  get #room(): number {
    return this.#job.concurrency - this.#running.size;
  }

  #work(item: T): Promise<void> {
    return this.#job.work(item).catch((error: unknown) => fail(this.#job, item, error, this.#report));
  }

  /** Counts the task until it ends. */
  #track(task: Promise<void>): void {
    const tracked: Promise<void> = task.finally(() => {
      this.#running.delete(tracked);
      this.#ended += 1;
      // Dispatched items need no poll.
      if (this.#found || this.#idlers.length > 0 || this.#job.isHeldUp?.()) this.#sleep.wake();
    });
    this.#running.add(tracked);
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#sleep.beginRound();
      try {
        const begun = this.#clock.now();
        await this.#rest(await this.#poll(begun), begun);
      } catch (error) {
        this.#report(error, { job: this.#job.name });
        await this.#sleep.until(this.#clock.now() + this.#job.pollMs);
      }
    }
  }

  /** Starts due items up to the worker's capacity. Returns when the next item is due, or undefined if unknown. */
  async #poll(begun: number): Promise<number | undefined> {
    const endedBefore = this.#ended;
    // This read costs less than a claim, which writes. Without capacity, the end of the next item polls again.
    const due = this.#room > 0 ? await this.#job.findDue() : begun;
    this.#found = due !== undefined && due <= this.#clock.now();
    const items = this.#found && this.#room > 0 ? await this.#job.claim(this.#room) : [];
    for (const item of items) this.#track(this.#work(item));
    // A task that ended during the poll made room, and may have been found as due.
    const isOutdated = this.#ended > endedBefore && (this.#found || this.#job.isHeldUp?.());
    // Otherwise, a due item that cannot be claimed belongs to another worker. It is polled after the delay.
    if (items.length > 0 || isOutdated) this.#sleep.wake();
    return due;
  }

  /** Sleeps after a poll that began at this time. */
  async #rest(due: number | undefined, begun: number): Promise<void> {
    const now = this.#clock.now();
    if (this.#sleep.isInterrupted || this.#sleep.end <= now) return;
    // An item that became due during the poll may have been missed. The next poll finds it, or another worker has it.
    if (due !== undefined && due > begun && due <= now) return;
    if (this.#running.size === 0) for (const resolve of this.#idlers.splice(0)) resolve();
    const next = due === undefined || due <= now ? Number.POSITIVE_INFINITY : due;
    await this.#sleep.until(Math.min(next, now + this.#job.pollMs));
  }
}

export function startWorker<T>(job: Job<T>, clock: Clock, report: ReportFailure): DispatchWorker<T> {
  return new Loop(job, clock, report);
}

async function fail<T>(job: Job<T>, item: T, error: unknown, report: ReportFailure): Promise<void> {
  const about = { job: job.name, ...job.describe?.(item) };
  try {
    report(error, { ...about, ...(await job.recordFailure?.(item, error)) });
  } catch (second) {
    report(error, about);
    report(second, about);
  }
}
