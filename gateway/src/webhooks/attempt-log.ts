/**
 * Attempts to deliver an event, including resends. Each is logged in a column of the event, without headers or bodies. A
 * sandbox also keeps them with headers and bodies in `webhook_attempts`, until the event is deleted.
 */
import { integer, json, optional, rowMapper } from '../database/row-mapper.ts';
import { batches, placeholders } from '../database/sql.ts';
import type { Database, Value } from '../database/store.ts';

export interface LoggedAttempt {
  /** Milliseconds since 1970 by the merchant's clock. */
  readonly at: number;
  readonly durationMs: number;
  /** Missing without a response. */
  readonly status?: number;
  /** Reason why there was no response. */
  readonly error?: string;
}

/** Entries of a log, encoded. */
export type LogEntries = string;

const ERROR_CHARS = 100;
/** Fits a hundred of the longest entries. Later ones aren't logged. */
const LOG_CHARS_MAX = 13_000;

/** Time, duration, and status or error. */
type Entry = readonly [at: number, durationMs: number, result: number | string];

export function logEntries(attempts: readonly LoggedAttempt[]): LogEntries | undefined {
  const entries = attempts.map(({ at, durationMs, status, error = '' }): Entry => {
    return [at, durationMs, status ?? error.slice(0, ERROR_CHARS).toWellFormed()];
  });
  return entries.length === 0 ? undefined : entries.map((entry) => JSON.stringify(entry)).join(',');
}

/** Decodes a log, oldest attempt first. */
export function parseLog(log = ''): LoggedAttempt[] {
  const entries = JSON.parse(`[${log}]`) as Entry[];
  return entries.map(([at, durationMs, result]) => ({
    ...{ at, durationMs },
    ...(typeof result === 'number' ? { status: result } : { error: result }),
  }));
}

/** SQL that appends entries, which may be null, to a log. */
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

export interface AttemptRecord extends LoggedAttempt {
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  readonly responseBody?: string | undefined;
  readonly fault?: string | undefined;
}

interface NumberedAttempt extends AttemptRecord {
  readonly number: number;
}

interface AttemptsOfEvent {
  readonly eventId: string;
  readonly attempts: readonly AttemptRecord[];
}

/** Maximum characters of a stored response body. */
export const BODY_CHARS_KEPT = 2_048;
/** Maximum number of stored attempts per event. */
export const ATTEMPTS_KEPT = 100;

const COLUMNS = 'attempted_at, duration_ms, request_headers, status, response_body, error, fault';

/** Stores attempts with consecutive numbers. Drops attempts of deleted events. */
export async function recordAttempts(db: Database, made: readonly AttemptsOfEvent[]): Promise<void> {
  const all = made.flatMap(({ eventId, attempts }) => attempts.map((attempt) => ({ eventId, attempt })));
  const types = ['text', 'bigint', 'bigint', 'bigint', 'text', 'bigint', 'text', 'text', 'text'];
  const row = `(${types.map((type) => `cast(? as ${type})`).join(', ')})`;
  for (const batch of batches(all)) {
    const ids = batch.map((one) => one?.eventId ?? null);
    // Locks the events, so that their attempts stay unchanged until the unit of work ends.
    await db.all(`select id from events where id in (${placeholders(ids)}) order by id for update`, ...ids);
    await db.run(
      `with made (event_id, position, ${COLUMNS}) as (values ${batch.map(() => row).join(', ')}),
       numbered as (
         select made.*, row_number() over (partition by made.event_id order by made.position)
           + (select coalesce(max(a.number), 0) from webhook_attempts a where a.event_id = made.event_id) as number
         from made where exists (select 1 from events e where e.id = made.event_id)
       )
       insert into webhook_attempts (event_id, number, ${COLUMNS})
       select event_id, number, ${COLUMNS} from numbered where number <= ${ATTEMPTS_KEPT}`,
      ...batch.flatMap((one, position): Value[] =>
        one ? [one.eventId, position, ...toValues(one.attempt)] : types.map(() => null),
      ),
    );
  }
}

/** Returns the attempts of an event with their numbers, oldest first. */
export async function readAttempts(db: Database, eventId: string): Promise<NumberedAttempt[]> {
  const rows = await db.all(
    `select number, ${COLUMNS} from webhook_attempts where event_id = ? order by number`,
    eventId,
  );
  return rows.map(toAttempt);
}

function toValues({ at, durationMs, requestHeaders, status, responseBody, error, fault }: AttemptRecord): Value[] {
  return [
    ...[at, durationMs, JSON.stringify(requestHeaders)],
    ...[status ?? null, responseBody ?? null, error ?? null, fault ?? null],
  ];
}

const toAttempt = rowMapper<NumberedAttempt>({
  number: integer('number'),
  at: integer('attempted_at'),
  durationMs: integer('duration_ms'),
  requestHeaders: json('request_headers'),
  status: optional('status', Number),
  responseBody: optional('response_body', String),
  error: optional('error', String),
  fault: optional('fault', String),
});
