/**
 * Resends of events. Each is a separate delivery: an outbox row that references its event, waits in the event's lane,
 * and ends after one attempt. The event's own retries continue.
 */

import { batches, placeholders } from '../database/batches.ts';
import type { Database, Value } from '../database/store.ts';
import type { Ids } from '../platform/ids.ts';
import { stateCondition } from './merchant-events.ts';
import type { Delivery } from './outbox.ts';

/** The events to send again. Without a state, those in any. */
export interface ResendSelection {
  /** Every merchant's without it. */
  readonly merchantId?: number | undefined;
  readonly url?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  /** `undelivered` were attempted and not delivered; some of them have an attempt to come. */
  readonly state?: 'undelivered' | 'given_up' | 'stopped' | undefined;
}

export interface ResentEvent {
  readonly id: string;
  readonly merchantId: number;
}

const NOT_SENDING = `not exists (select 1 from events r where r.resend_of = e.id and r.next_at is not null)`;
/** An endpoint that returned 410 gets no further webhooks, whatever later attempts returned. */
const NOT_STOPPED = 'not exists (select 1 from stopped_urls s where s.merchant_id = e.merchant_id and s.url = e.url)';
const UNDELIVERED = 'e.delivered_at is null and (e.next_at is null or e.attempts > 0)';

/** Whether the event `e` is in the state. */
function isIn(state: ResendSelection['state']): string {
  if (state === undefined) return 'true';
  if (state === 'undelivered') return UNDELIVERED;
  return state === 'given_up' ? `${stateCondition(state)} and ${NOT_STOPPED}` : stateCondition(state);
}

/** Up to `limit` events after one, in their order, that are not being sent again yet. */
export async function eventsToResend(
  db: Database,
  { merchantId, url, since, state }: ResendSelection,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ResentEvent[]> {
  const conditions: [string, ...Value[]][] = [['e.resend_of is null'], ['e.id > ?', after], [NOT_SENDING]];
  conditions.push([isIn(state)]);
  if (merchantId !== undefined) conditions.push(['e.merchant_id = ?', merchantId]);
  if (url !== undefined) conditions.push(['e.url = ?', url]);
  if (since !== undefined) conditions.push(['e.created_at >= ?', since]);
  const rows = await db.all(
    `select e.id, e.merchant_id from events e where ${conditions.map(([sql]) => sql).join(' and ')}
     order by e.id limit ${limit}`,
    ...conditions.flatMap(([, ...values]) => values),
  );
  return rows.map((row) => ({ id: String(row['id']), merchantId: Number(row['merchant_id']) }));
}

export interface ResendOptions {
  readonly now: number;
  readonly due: number;
  readonly ids: Ids;
  /** Maximum number of waiting resends per event. Events at the limit are skipped. */
  readonly waitingMax: number;
  /** Skips events that have left this state, for instance through an earlier replay. */
  readonly state?: ResendSelection['state'];
}

/** Queues resends of the merchant's events. Returns their number. */
export async function resendEvents(
  db: Database,
  merchantId: number,
  eventIds: readonly string[],
  { now, due, ids, waitingMax, state }: ResendOptions,
): Promise<number> {
  // Ids of the same millisecond aren't ordered, and lanes send by id at equal due times.
  const made = eventIds.map((eventId) => ids.newId('evt', now, 'resend', eventId, ids.count())).sort();
  const pairs = eventIds.map((eventId, index): Value[] => [made[index] ?? '', eventId]);
  let sent = 0;
  for (const batch of batches(pairs)) {
    const events = batch.map((pair) => pair?.[1] ?? null);
    // Units that send the same events again wait here, in one order, and then see what waits already.
    await db.all(`select id from events where id in (${placeholders(events)}) order by id for update`, ...events);
    sent += await db.run(
      `with again (id, event_id) as (values ${batch.map(() => '(?, ?)').join(', ')})
       insert into events (id, merchant_id, transaction_id, url, address, body, created_at, attempts, next_at, resend_of, trace)
       select again.id, e.merchant_id, e.transaction_id, e.url, e.address, e.body, e.created_at, 0, cast(? as bigint), e.id, e.trace
       from again join events e on e.id = again.event_id where e.merchant_id = ?
         and (select count(*) from events r where r.resend_of = e.id and r.next_at is not null) < ?
         and ${isIn(state)}`,
      ...batch.flatMap((pair) => pair ?? [null, null]),
      ...[due, merchantId, waitingMax],
    );
  }
  return sent;
}

/** A completed resend. */
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
    // An endpoint that takes webhooks again is resumed. A URL that an operator has stopped is for an operator to resume.
    await db.run('delete from stopped_urls where merchant_id = ? and url = ? and operator_id is null', merchantId, url);
  }
}
