/**
 * Decides what runs next. Every operation that takes time is a task: a message in transit, a timer, a read, a commit.
 * Ready tasks run one at a time in random order, each up to its next await.
 */
import type { Clock } from '../../gateway/src/platform/clock.ts';
import type { Timers } from '../../gateway/src/platform/timers.ts';
import type { Random } from '../tools/random.ts';

/** A process from its start to its crash. */
export interface Life {
  readonly name: string;
  alive: boolean;
}

export interface Task {
  /** Time at which it is ready, in milliseconds since 1970. */
  readonly at: number;
  /** The task ends with this process. */
  readonly life: Life | undefined;
  readonly run: () => void;
  /** Whether other work depends on it: polling doesn't count. */
  readonly matters: boolean;
}

interface TaskOptions {
  readonly life?: Life;
  /** Milliseconds from now. */
  readonly after?: number;
  readonly matters?: boolean;
}

export class Scheduler {
  #now: number;
  #tasks: Task[] = [];
  /** Replaced at each step, so that a step's choices don't depend on earlier steps. */
  random: Random;
  /** Completed tasks. */
  ran = 0;

  constructor(now: number, random: Random) {
    this.#now = now;
    this.random = random;
  }

  get now(): number {
    return this.#now;
  }

  add(run: () => void, { life, after = 0, matters = true }: TaskOptions = {}): Task {
    const task: Task = { at: this.#now + after, life, run, matters };
    // A message may still arrive at a crashed process.
    if (life?.alive !== false) this.#tasks.push(task);
    return task;
  }

  remove(task: Task): void {
    const index = this.#tasks.indexOf(task);
    if (index >= 0) this.#tasks.splice(index, 1);
  }

  /** Discards all tasks of a process. */
  removeAllOf(life: Life): void {
    this.#tasks = this.#tasks.filter((task) => task.life !== life);
  }

  /** Moves the time forward. */
  advance(ms: number): void {
    this.#now += ms;
  }

  /** Time of the next task that counts. Infinite without one. */
  get nextAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { at, matters } of this.#tasks) if (matters && at < next) next = at;
    return next;
  }

  /** Runs one of the ready tasks to its end. Returns false if none is ready. */
  async runOne(): Promise<boolean> {
    const ready = this.#tasks.filter(({ at }) => at <= this.#now);
    if (ready.length === 0) return false;
    const task = this.random.of(ready);
    this.remove(task);
    task.run();
    this.ran += 1;
    await settle();
    return true;
  }

  /**
   * Runs one ready task. If none is ready, first moves the time to the next task, or to `dueAt` if that is earlier.
   * Work that is already due waits for a poll.
   */
  async runNext(dueAt: () => number): Promise<void> {
    if (await this.runOne()) return;
    const next = Math.min(this.nextAt, dueAt());
    this.#now = next > this.#now && next < Number.POSITIVE_INFINITY ? next : this.#nextPoll;
    await this.runOne();
  }

  get #nextPoll(): number {
    return this.#tasks.reduce((next, { at }) => Math.min(next, at), Number.POSITIVE_INFINITY);
  }

  /** The clock of a process. */
  clockOf(life: Life): Clock {
    return {
      now: () => this.#now,
      until: (time, signal) =>
        new Promise((resolve) => {
          if (signal.aborted) return resolve();
          const done = () => {
            this.remove(task);
            signal.removeEventListener('abort', done);
            resolve();
          };
          const task = this.add(done, { life, after: Math.max(time - this.#now, 0), matters: false });
          signal.addEventListener('abort', done);
        }),
    };
  }

  /** The timers of a process. */
  timersOf(life: Life): Timers {
    return {
      elapsed: () => this.#now,
      after: (ms, run) => {
        const task = this.add(run, { life, after: ms });
        return () => this.remove(task);
      },
      nextTurn: (run) => void this.add(run, { life }),
    };
  }
}

/** Resolves when all ready tasks have reached their next one. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
