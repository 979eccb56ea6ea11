/** The workers' lag: the age of the oldest due work. */
import type { Database } from '../database/store.ts';
import { SLOW_FOR_MS, WAITING_MERCHANTS } from '../webhooks/waiting-lanes.ts';
import { nextDueTransaction } from './rows.ts';

/** Kinds of due work. Webhooks to hanging endpoints are excluded, since their age doesn't reflect this service. */
export const DUE_KINDS = ['transaction', 'webhook', 'slow_webhook'] as const;
export type DueKind = (typeof DUE_KINDS)[number];

/**
 * Milliseconds since the oldest work of each kind was due, 0 without any. The cost grows with the number of lanes, not
 * of events.
 */
export async function oldestDueMs(db: Database, now: number): Promise<Readonly<Record<DueKind, number>>> {
  const [transaction, lanes] = await Promise.all([
    nextDueTransaction(db),
    db.all(
      `with recursive ${WAITING_MERCHANTS},
       lane (merchant_id, address) as (
         select merchant_id, '' from waiting where merchant_id is not null
         union all
         select merchant_id,
           (select min(e.address) from events e
             where e.next_at is not null and e.merchant_id = lane.merchant_id and e.address > lane.address)
         from lane where address is not null
       ),
       oldest (slow, next_at) as (
         select exists (select 1 from slow_lanes s
             where s.merchant_id = lane.merchant_id and s.address = lane.address and s.hung_at > ?),
           (select min(e.next_at) from events e
             where e.merchant_id = lane.merchant_id and e.address = lane.address and e.next_at is not null)
         from lane where address <> ''
       )
       select case when slow then 1 else 0 end as slow, min(next_at) as next_at from oldest group by slow`,
      now - SLOW_FOR_MS,
    ),
  ]);
  const age = (due: unknown) => (typeof due === 'number' ? Math.max(now - due, 0) : 0);
  const ofLanes = (slow: number) => age(lanes.find((row) => row['slow'] === slow)?.['next_at']);
  return { transaction: age(transaction), webhook: ofLanes(0), slow_webhook: ofLanes(1) };
}
