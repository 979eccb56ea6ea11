/**
 * Merchants' clocks, which can be frozen and advanced in a sandbox. Rows that wait for a merchant's time are stored
 * with the store's time at which it comes, so that finding due rows needs no clocks.
 */
import type { Clock } from './clock.ts';

/** Converts a merchant's time to the time of the store at which it comes. One after a frozen time never comes, until the clock moves. */
export type Conversion = (time: number) => number;

/** Returns the conversion of a merchant's time. */
export type ConversionOf = (merchantId: number) => Conversion;

/** A merchant's present: taken once for each decision, so that all of it uses one time. Milliseconds since 1970. */
export interface Moment {
  readonly now: number;
  /** By the present clock. A unit of work that writes times uses `holdClocks`. */
  readonly toStoreTime: Conversion;
}

export interface MerchantTime {
  at(merchantId: number): Moment;
  /**
   * Runs a unit of work that writes due times of these merchants. Their clocks don't move until it has ended: a time that
   * was converted by another clock might never become due.
   */
  holdClocks<T>(merchantIds: readonly number[], write: (conversionOf: ConversionOf) => Promise<T>): Promise<T>;
  /** The time for due work. While a clock advances past several due times, each item runs at its own. */
  asOf(merchantId: number, dueAt: number | undefined): MerchantTime;
  /** The time in the signatures of the merchant's webhooks. */
  signedAt(merchantId: number): number;
}

/** The time of every merchant where no clock moves: the store's. Signatures have the machine's. */
export function storeTime(clock: Clock, machine = clock): MerchantTime {
  const time: MerchantTime = {
    at: () => ({ now: clock.now(), toStoreTime: sameTime }),
    holdClocks: (_merchantIds, write) => write(() => sameTime),
    asOf: () => time,
    signedAt: () => machine.now(),
  };
  return time;
}

/** The conversion where the merchant's time is the store's. */
export const sameTime: Conversion = (time) => time;
