/**
 * Resends: events that are sent again. Each is a delivery of its own, a row of the outbox that names its event: it waits in
 * the event's lane, and the attempts that the event still has continue. It ends with one attempt.
 */
import type { Ids } from '../platform/ids.ts';
import { batches, marks } from './batches.ts';
import type { Delivery } from './outbox.ts';
import type { Database, Value } from './store.ts';

/** Which events of a merchant to send again: those from a time on, or those that were attempted and not delivered. */
export type Selection = { readonly since: number } | 'undelivered';

const NOT_SENDING = `not exists (select 1 from events r where r.resend_of = e.id and r.next_at is not null)`;

/** Up to `limit` events after one, in their order, that are not being sent again yet. */
export async function eventsToResend(
  db: Database,
  merchantId: number,
  selection: Selection,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const [condition, ...values]: [string, ...Value[]] =
    selection === 'undelivered'
      ? ['e.delivered_at is null and (e.next_at is null or e.attempts > 0)']
      : ['e.created_at >= ?', selection.since];
  const rows = await db.all(
    `select e.id from events e where e.merchant_id = ? and e.resend_of is null and e.id > ? and ${condition} and ${NOT_SENDING}
     order by e.id limit ${limit}`,
    merchantId,
    after,
    ...values,
  );
  return rows.map(({ id }) => String(id));
}

/** Sends the merchant's events again, as soon as their lanes take them. Returns how many there were. */
export async function resendEvents(
  db: Database,
  merchantId: number,
  eventIds: readonly string[],
  { now, due, ids }: { readonly now: number; readonly due: number; readonly ids: Ids },
): Promise<number> {
  // Ids of the same time have no order of their own, and lanes send by id what is due at the same time.
  const made = eventIds.map((eventId) => ids.newId('evt', now, 'resend', eventId, ids.count())).sort();
  const pairs = eventIds.map((eventId, index): Value[] => [made[index] ?? '', eventId]);
  let sent = 0;
  for (const batch of batches(pairs)) {
    sent += await db.run(
      `with again (id, event_id) as (values ${batch.map(() => '(?, ?)').join(', ')})
       insert into events (id, merchant_id, transaction_id, url, address, body, created_at, attempts, next_at, resend_of)
       select again.id, e.merchant_id, e.transaction_id, e.url, e.address, e.body, e.created_at, 0, cast(? as bigint), e.id
       from again join events e on e.id = again.event_id where e.merchant_id = ?`,
      ...batch.flatMap((pair) => pair ?? [null, null]),
      due,
      merchantId,
    );
  }
  return sent;
}

/** A delivery that has sent an event again, or has failed to. */
export interface ResendEnd {
  readonly delivery: Delivery;
  readonly result: string | undefined;
  readonly deliveredAt: number | undefined;
}

/** Removes deliveries that have ended. What they delivered is delivered, and its URL takes events again. */
export async function endResends(db: Database, ends: readonly ResendEnd[]): Promise<void> {
  for (const batch of batches(ends.map(({ delivery }) => delivery.id))) {
    await db.run(`delete from events where id in (${marks(batch)}) and resend_of is not null`, ...batch);
  }
  for (const { delivery, result, deliveredAt } of ends) {
    const { resendOf = null, merchantId, url } = delivery;
    await db.run('update events set last_result = coalesce(?, last_result) where id = ?', result ?? null, resendOf);
    if (deliveredAt === undefined) continue;
    await db.run(
      'update events set delivered_at = ?, next_at = null where id = ? and delivered_at is null',
      deliveredAt,
      resendOf,
    );
    await db.run('delete from stopped_urls where merchant_id = ? and url = ?', merchantId, url);
  }
}
