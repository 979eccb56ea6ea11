/**
 * A loop that claims due items and processes them with limited concurrency until it is stopped. It sleeps until the
 * next due item or a wake-up, and polls, because other processes also create items.
 */
import type { Clock } from './clock.ts';
import type { Fields, ReportFailure } from './report.ts';

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
  /** Due time of the next item, if known, in milliseconds since 1970. */
  nextDue(): Promise<number | undefined>;
  /** Whether the last poll found due items that must wait for others to end, regardless of `nextDue`. */
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
  constructor(clock: Clock) {
    this.#clock = clock;
  }
  /** The end of the sleep unless interrupted. Infinite before it begins. */
  get end(): number {
    return this.#end;
  }
  /** Forgets earlier wakes. */
  beginRound(): void {
    this.#end = Number.POSITIVE_INFINITY;
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
    this.#end = time;
    await this.#clock.until(time, this.#interruption.signal);
  }
}

/** Starts the loop. */
export function startWorker<T>(job: Job<T>, clock: Clock, report: ReportFailure): DispatchWorker<T> {
  const running = new Set<Promise<void>>();
  const idlers: (() => void)[] = [];
  const sleep = new Sleep(clock);
  let stopping = false;
  /** Whether the last poll found due items. */
  let found = true;
  /** Tasks that have ended. */
  let ended = 0;

  /** Counts the task until it ends. */
  function track(task: Promise<void>): void {
    const tracked: Promise<void> = task.finally(() => {
      running.delete(tracked);
      ended += 1;
      // Dispatched items need no poll.
      if (found || idlers.length > 0 || job.isHeldUp?.()) sleep.wake();
    });
    running.add(tracked);
  }

  const room = () => job.concurrency - running.size;
  const work = (item: T) => job.work(item).catch((error: unknown) => fail(job, item, error, report));

  function reserve(): WorkerPermit<T> | undefined {
    if (stopping || room() <= 0) return undefined;
    const { promise: task, resolve } = Promise.withResolvers<void>();
    track(task);
    return { start: (item) => resolve(work(item)), release: resolve };
  }

  /** Starts due items up to the worker's capacity. Returns when the next item is due, or undefined if unknown. */
  async function round(begun: number): Promise<number | undefined> {
    const endedBefore = ended;
    // This read costs less than a claim, which writes. Without capacity, the end of the next item polls again.
    const due = room() > 0 ? await job.nextDue() : begun;
    found = due !== undefined && due <= clock.now();
    const items = found && room() > 0 ? await job.claim(room()) : [];
    for (const item of items) track(work(item));
    // A task that ended during the poll made room, and may have been found as due.
    const isOutdated = ended > endedBefore && (found || job.isHeldUp?.());
    // Otherwise, a due item that cannot be claimed belongs to another worker. It is polled after the delay.
    if (items.length > 0 || isOutdated) sleep.wake();
    return due;
  }

  /** Sleeps after a poll that began at this time. */
  async function rest(due: number | undefined, begun: number): Promise<void> {
    if (sleep.isInterrupted) return;
    const now = clock.now();
    // An item that became due during the poll may have been missed. The next poll finds it, or another worker has it.
    if (due !== undefined && due > begun && due <= now) return;
    if (running.size === 0) for (const resolve of idlers.splice(0)) resolve();
    const next = due === undefined || due <= now ? Number.POSITIVE_INFINITY : due;
    await sleep.until(Math.min(next, now + job.pollMs));
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      sleep.beginRound();
      try {
        const begun = clock.now();
        await rest(await round(begun), begun);
      } catch (error) {
        report(error, { job: job.name });
        await sleep.until(clock.now() + job.pollMs);
      }
    }
  }

  const stopped = loop();
  return {
    wake: () => sleep.wake(),
    expect(time) {
      if (time < sleep.end) sleep.wake();
    },
    reserve,
    async stop() {
      stopping = true;
      sleep.wake();
      await stopped;
      await Promise.all(running);
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        sleep.wake();
      }),
  };
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
