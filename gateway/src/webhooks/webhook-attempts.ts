/** Attempts to deliver webhooks with headers and bodies, as the sandbox shows them. They are deleted together with their event. */
import { batches, placeholders } from '../database/batches.ts';
import type { Database, Row, Value } from '../database/store.ts';
import type { LoggedAttempt } from './attempt-log.ts';

export interface AttemptRecord extends LoggedAttempt {
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Its beginning. */
  readonly responseBody?: string;
  /** The simulated fault. */
  readonly fault?: string;
}

export interface AttemptsOfEvent {
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
  for (let round = made; round.length > 0; ) {
    // A statement numbers attempts by existing rows, so it contains at most one per event.
    const first = new Map(round.toReversed().map((one) => [one.eventId, one]));
    await insertAttempts(
      db,
      [...first.values()].flatMap(({ eventId, attempts }) => attempts.slice(0, 1).map((one) => ({ eventId, one }))),
    );
    round = round
      .map((each) => (first.get(each.eventId) === each ? { ...each, attempts: each.attempts.slice(1) } : each))
      .filter(({ attempts }) => attempts.length > 0);
  }
}

async function insertAttempts(
  db: Database,
  made: readonly { readonly eventId: string; readonly one: AttemptRecord }[],
): Promise<void> {
  const columns = `(?, ${['bigint', 'bigint', 'text', 'bigint', 'text', 'text', 'text'].map((type) => `cast(? as ${type})`).join(', ')})`;
  for (const batch of batches(made)) {
    const ids = batch.map((each) => each?.eventId ?? null);
    // Locks the events, so that their attempts stay unchanged until the unit of work ends.
    await db.all(`select id from events where id in (${placeholders(ids)}) order by id for update`, ...ids);
    await db.run(
      `with made (event_id, ${COLUMNS}) as (values ${batch.map(() => columns).join(', ')}),
       numbered as (
         select made.*, (select coalesce(max(a.number), 0) + 1 from webhook_attempts a where a.event_id = made.event_id) as number
         from made where exists (select 1 from events e where e.id = made.event_id)
       )
       insert into webhook_attempts (event_id, number, ${COLUMNS})
       select event_id, number, ${COLUMNS} from numbered where number <= ${ATTEMPTS_KEPT}`,
      ...batch.flatMap((each): Value[] => (each ? [each.eventId, ...valuesOf(each.one)] : Array(8).fill(null))),
    );
  }
}

/** The attempts of an event with their numbers, the first one first. */
export async function attemptsOf(db: Database, eventId: string): Promise<(AttemptRecord & { number: number })[]> {
  const rows = await db.all(
    `select number, ${COLUMNS} from webhook_attempts where event_id = ? order by number`,
    eventId,
  );
  return rows.map((row) => ({ number: Number(row['number']), ...parse(row) }));
}

function valuesOf({ at, durationMs, requestHeaders, status, responseBody, error, fault }: AttemptRecord): Value[] {
  return [
    ...[at, durationMs, JSON.stringify(requestHeaders)],
    ...[status ?? null, responseBody ?? null, error ?? null, fault ?? null],
  ];
}

function parse(row: Row): AttemptRecord {
  const { status, response_body: body, error, fault } = row;
  return {
    at: Number(row['attempted_at']),
    durationMs: Number(row['duration_ms']),
    requestHeaders: JSON.parse(String(row['request_headers'])) as Record<string, string>,
    ...(typeof status === 'number' && { status }),
    ...(typeof body === 'string' && { responseBody: body }),
    ...(typeof error === 'string' && { error }),
    ...(typeof fault === 'string' && { fault }),
  };
}
