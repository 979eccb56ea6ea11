/** Whether new transactions are kept from their channels. Every process on the database learns it within a second. */

import type { Database } from '../database/store.ts';
import type { Transaction } from '../domain/transaction.ts';
import { performance } from '../platform/native-timers.ts';
import { pausedChannels, payoutPause } from './pause-rows.ts';

const CACHE_MS = 1_000;

interface Paused {
  readonly channels: ReadonlySet<string>;
  readonly payouts: boolean;
}

export class Pauses {
  readonly #db: Database;
  #reading: Promise<Paused> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Rejects if the database can't be read. The step is then retried later. */
  async isPaused({ kind, channel }: Pick<Transaction, 'kind' | 'channel'>): Promise<boolean> {
    const { channels, payouts } = await this.#paused();
    return channels.has(channel) || (kind === 'payout' && payouts);
  }

  /** Reads the database again for the next question. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  #paused(): Promise<Paused> {
    if (this.#reading && performance.now() - this.#readAt < CACHE_MS) return this.#reading;
    this.#readAt = performance.now();
    const reading = readPaused(this.#db);
    reading.catch(() => this.forget());
    this.#reading = reading;
    return reading;
  }
}

async function readPaused(db: Database): Promise<Paused> {
  const [channels, payouts] = await Promise.all([pausedChannels(db), payoutPause(db)]);
  return { channels: new Set(channels.map(({ channel }) => channel)), payouts: payouts !== undefined };
}
