/**
 * Resends of events. Each is a separate row of the outbox that references its event and is deleted after one attempt.
 * The event's own retries continue.
 */

import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import { batches, placeholders, whereAll } from '../database/sql.ts';
import type { Database, Value } from '../database/store.ts';
import type { Ids } from '../platform/ids.ts';
import { stateCondition } from './merchant-events.ts';
import type { Delivery } from './outbox.ts';

/** Selects events to send again. */
export interface ResendSelection {
  /** Defaults to all merchants. */
  readonly merchantId?: number | undefined;
  readonly url?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  /** `all` by default. `undelivered` events were attempted without success. Some wait for their next attempt. */
  readonly state?: keyof typeof STATES | undefined;
}

export interface ResentEvent {
  readonly id: string;
  readonly merchantId: number;
}

export interface SelectedEvent extends ResentEvent {
  /** It waits for its next attempt. */
  readonly isWaiting: boolean;
}

const NOT_SENDING = `not exists (select 1 from events r where r.resend_of = e.id and r.next_at is not null)`;
/** An endpoint that returned 410 gets no further webhooks, whatever later attempts returned. */
const NOT_STOPPED = 'not exists (select 1 from stopped_urls s where s.merchant_id = e.merchant_id and s.url = e.url)';

/** By state, the condition of an event `e`, and the table to search: `undelivered` reads both partial indexes. */
const STATES = {
  undelivered: {
    condition: `((${stateCondition('given_up')}) or (e.next_at is not null and e.attempts > 0)) and ${NOT_STOPPED}`,
    table: `(select * from events where next_at is null and delivered_at is null
      union all select * from events where next_at is not null and attempts > 0)`,
  },
  stopped: { condition: stateCondition('stopped'), table: 'events' },
  all: { condition: 'true', table: 'events' },
} as const;

/** Returns up to `limit` events after an id, in order, without events whose resend is waiting. */
export async function eventsToResend(
  db: Database,
  { merchantId, url, since, state = 'all' }: ResendSelection,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<SelectedEvent[]> {
  const { condition, table } = STATES[state];
  const { where, values } = whereAll({
    'e.id > ?': after,
    'e.merchant_id = ?': merchantId,
    'e.url = ?': url,
    'e.created_at >= ?': since,
  });
  const rows = await db.all(
    `select e.id, e.merchant_id, e.next_at from ${table} e
     where ${where} and e.resend_of is null and ${NOT_SENDING} and ${condition} order by e.id limit ${limit}`,
    ...values,
  );
  return rows.map(toSelected);
}

const nextAt = optional('next_at', Number);
const toSelected = rowMapper<SelectedEvent>({
  id: text('id'),
  merchantId: integer('merchant_id'),
  isWaiting: (row) => nextAt(row) !== undefined,
});

export interface ResendOptions {
  readonly now: number;
  readonly due: number;
  readonly ids: Ids;
  /** Maximum number of waiting resends per event. Events at the limit are skipped. */
  readonly waitingMax: number;
  /** Skips events that have left this state, for instance through an earlier replay. */
  readonly state?: ResendSelection['state'];
}

/** Queues resends of the merchant's events. Returns the ids of the events. */
export async function resendEvents(
  db: Database,
  merchantId: number,
  eventIds: readonly string[],
  { now, due, ids, waitingMax, state = 'all' }: ResendOptions,
): Promise<string[]> {
  // Ids of the same millisecond aren't ordered. Resends with the same due time are sent by id.
  const made = eventIds.map((eventId) => ids.newId('evt', now, 'resend', eventId, ids.count())).sort();
  const pairs = eventIds.map((eventId, index): Value[] => [made[index] ?? '', eventId]);
  const sent: string[] = [];
  for (const batch of batches(pairs)) {
    const events = batch.map((pair) => pair?.[1] ?? null);
    // Locks the events in one order, so that concurrent resends see each other's rows.
    await db.all(`select id from events where id in (${placeholders(events)}) order by id for update`, ...events);
    const rows = await db.all(
      `with again (id, event_id) as (values ${batch.map(() => '(?, ?)').join(', ')})
       insert into events (id, merchant_id, transaction_id, url, address, body, created_at, attempts, next_at, resend_of, trace)
       select again.id, e.merchant_id, e.transaction_id, e.url, e.address, e.body, e.created_at, 0, cast(? as bigint), e.id, e.trace
       from again join events e on e.id = again.event_id where e.merchant_id = ?
         and (select count(*) from events r where r.resend_of = e.id and r.next_at is not null) < ?
         and ${STATES[state].condition}
       returning resend_of`,
      ...batch.flatMap((pair) => pair ?? [null, null]),
      ...[due, merchantId, waitingMax],
    );
    sent.push(...rows.map(text('resend_of')));
  }
  return sent;
}

export interface ResendEnd {
  readonly delivery: Delivery;
  readonly result: string | undefined;
  readonly deliveredAt: number | undefined;
}

/** Removes completed resends. Marks delivered events as delivered and resumes their URLs. */
export async function endResends(db: Database, ends: readonly ResendEnd[]): Promise<void> {
  for (const batch of batches(ends.map(({ delivery }) => delivery.id))) {
    await db.run(`delete from events where id in (${placeholders(batch)}) and resend_of is not null`, ...batch);
  }
  for (const { delivery, result, deliveredAt } of ends) {
    const { resendOf = null, merchantId, url } = delivery;
    await db.run(
      `update events as e set last_result = coalesce(?, last_result)
       where e.id = ? ${deliveredAt === undefined ? `and ${NOT_STOPPED}` : ''}`,
      result ?? null,
      resendOf,
    );
    if (deliveredAt === undefined) continue;
    await db.run(
      'update events set delivered_at = ?, next_at = null, claim = null where id = ? and delivered_at is null',
      deliveredAt,
      resendOf,
    );
    // An endpoint that accepts webhooks again is resumed. Only operators resume URLs that an operator has stopped.
    await db.run('delete from stopped_urls where merchant_id = ? and url = ? and operator_id is null', merchantId, url);
  }
}
