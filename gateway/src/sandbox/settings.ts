/** A merchant's sandbox settings. The default is an empty object. */
import type { ChaosRule, Condition, WebhookFaultRule } from '../../../generated/sandbox/types.ts';
import { type ClockReading, sameTime } from '../platform/merchant-time.ts';

export interface FrozenClock {
  readonly frozenAt: number;
  /** The store's time at which it was stopped there. */
  readonly since: number;
  /** While it is being advanced, the time that it comes from: what was due in between happens at its own time. */
  readonly from?: number;
}

/** A clock that runs ahead of the store's by some milliseconds, or is frozen. */
export type ClockSetting = { readonly aheadMs: number } | FrozenClock;

export interface ChannelSetting {
  readonly condition: Condition;
  readonly delayMs?: number;
}

export interface SandboxSettings {
  readonly clock?: ClockSetting | undefined;
  /** Signatures have the time of the merchant's clock, instead of the real time. */
  readonly signsByClock?: boolean;
  /** By kind and method, such as `payment UPI_IN`. */
  readonly channels?: Readonly<Record<string, ChannelSetting>>;
  /** Decline reasons of blocked customers, by their ids. */
  readonly blocked?: Readonly<Record<string, string>>;
  /** May include ended rules, see activeChaos. */
  readonly chaos?: readonly ChaosRule[];
  /** Those without an event left have ended, but still affect the events that they have selected. */
  readonly webhookFaults?: readonly WebhookFaultRule[];
  /** By address, the event that waits until the next one has been sent. */
  readonly heldBack?: Readonly<Record<string, HeldEvent>>;
}

export interface HeldEvent {
  readonly id: string;
  /** The longest that it waits, in the merchant's time. */
  readonly until: number;
}

/** The chaos rules that affect requests at a time of the merchant. */
export function activeChaos({ chaos = [] }: SandboxSettings, now: number): ChaosRule[] {
  return chaos.filter((rule) => Date.parse(rule.ends_at) > now);
}

/** The webhook faults that affect further events. */
export function activeWebhookFaults({ webhookFaults = [] }: SandboxSettings): WebhookFaultRule[] {
  return webhookFaults.filter((rule) => rule.events_left !== 0);
}

/** Times after a frozen one are stored this much later, which is never: in the year 5138. */
export const FROZEN_OFFSET_MS = 100_000_000_000_000;

/** The present by a clock, at a time of the store. */
export function readClock(clock: ClockSetting | undefined, storeNow: number): ClockReading {
  if (!clock) return { now: storeNow, toStoreTime: sameTime };
  if ('aheadMs' in clock) return { now: storeNow + clock.aheadMs, toStoreTime: (time) => time - clock.aheadMs };
  const { frozenAt, since } = clock;
  return { now: frozenAt, toStoreTime: (time) => (time <= frozenAt ? Math.min(time, since) : time + FROZEN_OFFSET_MS) };
}

/** Converts a stored time to the merchant's. Returns undefined for due work, whose original time is unknown. */
export function toMerchantTime(stored: number, clock: ClockSetting | undefined, storeNow: number): number | undefined {
  if (clock && 'frozenAt' in clock) return stored >= FROZEN_OFFSET_MS ? stored - FROZEN_OFFSET_MS : undefined;
  return stored > storeNow ? stored + (clock?.aheadMs ?? 0) : undefined;
}
