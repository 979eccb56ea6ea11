/**
 * Merchants' clocks, which can be frozen and advanced in a sandbox. Rows that wait for a merchant's time are stored
 * with the store's time at which it comes, so that finding due rows needs no clocks.
 */
import type { Clock } from './clock.ts';

/** Converts a merchant's time to the time of the store at which it comes. One after a frozen time never comes, until the clock moves. */
export type Conversion = (time: number) => number;

/** A merchant's present: taken once for each decision, so that all of it uses one time. Milliseconds since 1970. */
export interface Moment {
  readonly now: number;
  /** By the clock as this process knows it. What is written must be converted in the unit of work, see `toStoreTimeIn`. */
  readonly toStoreTime: Conversion;
}

/** Reads in a unit of work. */
interface Reading {
  get(sql: string, ...values: number[]): Promise<Readonly<Record<string, string | number | null>> | undefined>;
}

export interface MerchantTime {
  at(merchantId: number): Moment;
  /**
   * Returns the conversion for a unit of work, during which the merchant's clock can't move. A conversion from before
   * the unit might be outdated, and its results would never become due. Returns undefined if the merchant never had the
   * time of the decision, because the clock was stopped or set back and this process did not know it yet.
   */
  toStoreTimeIn(db: Reading, merchantId: number, decidedAt: number): Promise<Conversion | undefined> | Conversion;
  /** The time for due work. While a clock advances past several due times, each item runs at its own. */
  asOf(merchantId: number, dueAt: number | undefined): MerchantTime;
  /** The time in the signatures of the merchant's webhooks. */
  signedAt(merchantId: number): number;
}

/** The time of every merchant where no clock moves: the store's. Signatures have the machine's. */
export function storeTime(clock: Clock, machine = clock): MerchantTime {
  const time: MerchantTime = {
    at: () => ({ now: clock.now(), toStoreTime: sameTime }),
    toStoreTimeIn: () => sameTime,
    asOf: () => time,
    signedAt: () => machine.now(),
  };
  return time;
}

/** The conversion where the merchant's time is the store's. */
export const sameTime: Conversion = (time) => time;
