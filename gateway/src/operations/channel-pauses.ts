/** Whether a channel is paused, as every process on the database sees it within a second. */
import { performance } from '../platform/native-timers.ts';
import { pausedChannels } from '../store/access/paused-channels.ts';
import type { Database } from '../store/engine/store.ts';

/** Milliseconds that what was read is good for. */
const REMEMBERED_MS = 1_000;

export class ChannelPauses {
  readonly #db: Database;
  #reading: Promise<ReadonlySet<string>> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Rejects if the database can't be read: the step is then tried again later. */
  async isPaused(channel: string): Promise<boolean> {
    return (await this.#paused()).has(channel);
  }

  /** Reads it again at the next question. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  #paused(): Promise<ReadonlySet<string>> {
    if (this.#reading && performance.now() - this.#readAt < REMEMBERED_MS) return this.#reading;
    this.#readAt = performance.now();
    const reading = pausedChannels(this.#db).then((paused) => new Set(paused.map(({ channel }) => channel)));
    reading.catch(() => this.forget());
    this.#reading = reading;
    return reading;
  }
}
