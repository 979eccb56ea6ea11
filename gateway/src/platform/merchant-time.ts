/**
 * Whose time it is: each merchant of a sandbox has a clock that can be frozen and advanced. What waits for a merchant's
 * time is stored with the time of the store at which it comes, so that looking for what is due needs no clocks.
 */
import type { Clock } from './clock.ts';

/** A merchant's present: taken once for each decision, so that all of it uses one time. Milliseconds since 1970. */
export interface Moment {
  readonly now: number;
  /** The store's time at which a time of the merchant comes. A time after a frozen one never comes, until it moves. */
  readonly stored: (time: number) => number;
}

export interface MerchantTime {
  at(merchantId: number): Moment;
}

/** The time of every merchant where no clock moves: that of the store. */
export function storeTime(clock: Clock): MerchantTime {
  return { at: () => ({ now: clock.now(), stored: sameTime }) };
}

/** The conversion where the merchant's time is the store's. */
export const sameTime: Moment['stored'] = (time) => time;
