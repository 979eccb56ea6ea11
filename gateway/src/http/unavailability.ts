/**
 * Records the reasons for 503 responses. They are frequent, so each reason is logged once in ten seconds, with the
 * number of requests since its last line. Every one is counted.
 */

import { UnknownSchema } from '../database/migrate.ts';
import { StoreUnavailable, UNAVAILABLE_REASONS, UnusableDatabase } from '../database/store.ts';
import type { Log } from '../platform/log.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import type { Counter } from './metrics.ts';

const LOGGED_EVERY_MS = 10_000;

/** `schema`: newer than this gateway. `unusable`: a property of the database. `other`: unrelated to the database, such as a channel that doesn't respond. */
export const UNAVAILABILITY_REASONS = [...UNAVAILABLE_REASONS, 'schema', 'unusable', 'other'] as const;
type Reason = (typeof UNAVAILABILITY_REASONS)[number];

export interface Unavailability {
  /** Records a 503 response: its error and log fields. */
  refused(error: unknown, about: object): void;
  /** Records that this gateway isn't ready, with the database's error. */
  notReady(error: unknown): void;
}

export interface UnavailabilityOptions {
  /** Requests by reason. */
  readonly counter: Counter<'reason'>;
  readonly log: Log;
  readonly timers?: Pick<Timers, 'elapsed'>;
}

export function recordUnavailability({ counter, log, timers = systemTimers }: UnavailabilityOptions): Unavailability {
  /** By message and reason: the time of the last line, and the number of requests since. */
  const logged = new Map<string, { at: number; count: number }>();

  function record(error: unknown, reason: Reason, message: string, about: object): void {
    const key = `${message} ${reason}`;
    const last = logged.get(key);
    const count = (last?.count ?? 0) + 1;
    const now = timers.elapsed();
    if (last && now - last.at < LOGGED_EVERY_MS) {
      last.count = count;
      return;
    }
    logged.set(key, { at: now, count: 0 });
    log.error({ reason, count, err: innermost(error), ...about }, message);
  }

  return {
    refused(error, about) {
      const reason = classifyUnavailability(error);
      counter.inc({ reason });
      record(error, reason, 'requests get 503', about);
    },
    notReady: (error) => record(error, classifyUnavailability(error), 'not ready', {}),
  };
}

/** The database's reason, from any cause of an error. */
export function classifyUnavailability(error: unknown): Reason {
  if (error instanceof StoreUnavailable) return error.reason;
  if (error instanceof UnknownSchema) return 'schema';
  if (error instanceof UnusableDatabase) return 'unusable';
  return error instanceof Error && error.cause !== undefined ? classifyUnavailability(error.cause) : 'other';
}

/** The innermost cause, which names the disk, the page or the address. */
function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
}
