/**
 * Merchants' clocks, which can be frozen and advanced in a sandbox. A row that waits for a merchant's time stores the
 * corresponding store time, so that queries for due rows need no clocks.
 */
import type { Clock } from './clock.ts';

/** Converts a merchant's time to the store's. A time after a frozen one is infinitely late until the clock moves. */
export type Conversion = (time: number) => number;

export type ConversionOf = (merchantId: number) => Conversion;

/**
 * A merchant's current time, read once for each decision, so that the decision is consistent. Milliseconds since 1970.
 */
export interface ClockReading {
  readonly now: number;
  /** By the current clock. A unit of work that writes times uses `holdClocks`. */
  readonly toStoreTime: Conversion;
}

export interface MerchantTime {
  at(merchantId: number): ClockReading;
  /**
   * Runs a unit of work that writes due times of these merchants. Their clocks don't move until it has ended, since a
   * time converted by another clock might never become due.
   */
  holdClocks<T>(merchantIds: readonly number[], write: (conversionOf: ConversionOf) => Promise<T>): Promise<T>;
  /** The time for due work. While a clock advances past several due times, each item runs at its own. */
  asOf(merchantId: number, dueAt: number | undefined): MerchantTime;
  /** The time in the signatures of the merchant's webhooks. */
  signedAt(merchantId: number): number;
}

/** The time of all merchants without clocks: the store's, except for signatures, which have the machine's. */
export function storeTime(clock: Clock, machine = clock): MerchantTime {
  const time: MerchantTime = {
    at: () => ({ now: clock.now(), toStoreTime: sameTime }),
    holdClocks: (_merchantIds, write) => write(() => sameTime),
    asOf: () => time,
    signedAt: () => machine.now(),
  };
  return time;
}

/** The conversion without a merchant's clock. */
export const sameTime: Conversion = (time) => time;
