/**
 * The log of an event's attempts, including resends, in a column of the event. It has no headers or bodies; for the
 * sandbox's, see webhook-attempts.ts.
 */
import { batches } from '../database/batches.ts';
import type { Database } from '../database/store.ts';

export interface LoggedAttempt {
  /** Milliseconds since 1970 by the merchant's clock. */
  readonly at: number;
  readonly durationMs: number;
  /** Missing without a response. */
  readonly status?: number;
  /** Reason why there was no response. */
  readonly error?: string;
}

/** Attempts to log, as the log has them. */
export type LogEntries = string;

/** Maximum characters of an error. */
const ERROR_CHARS = 100;
/** Room for a hundred of the longest entries; what comes after that isn't logged. */
const LOG_CHARS_MAX = 13_000;

/** Time, duration, and status or error. */
type Entry = readonly [at: number, durationMs: number, result: number | string];

export function logEntries(attempts: readonly LoggedAttempt[]): LogEntries | undefined {
  const entries = attempts.map(({ at, durationMs, status, error = '' }): Entry => {
    return [at, durationMs, status ?? error.slice(0, ERROR_CHARS).toWellFormed()];
  });
  return entries.length === 0 ? undefined : entries.map((entry) => JSON.stringify(entry)).join(',');
}

/** The attempts of a log, the first one first. */
export function parseLog(log: string | null): LoggedAttempt[] {
  const entries = JSON.parse(`[${log ?? ''}]`) as Entry[];
  return entries.map(([at, durationMs, result]) => ({
    ...{ at, durationMs },
    ...(typeof result === 'number' ? { status: result } : { error: result }),
  }));
}

/** The SQL of a log with more entries, which may be null. */
export function appendedLog(log: string, entries: string): string {
  return `case when ${entries} is null or length(coalesce(${log}, '')) > ${LOG_CHARS_MAX} then ${log}
    else coalesce(${log} || ',', '') || ${entries} end`;
}

/** Logs attempts outside of a claim: resends, and attempts under a lost claim. */
export async function appendToLogs(
  db: Database,
  made: readonly { readonly eventId: string; readonly entries: LogEntries }[],
): Promise<void> {
  const byEvent = Map.groupBy(made, ({ eventId }) => eventId);
  for (const batch of batches([...byEvent.keys()].sort())) {
    await db.run(
      `with made (event_id, entries) as (values ${batch.map(() => '(?, ?)').join(', ')})
       update events set attempt_log = ${appendedLog('events.attempt_log', 'made.entries')}
       from made where events.id = made.event_id`,
      ...batch.flatMap((id) => [id, id === null ? null : (byEvent.get(id) ?? []).map((one) => one.entries).join(',')]),
    );
  }
}
