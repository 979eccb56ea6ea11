/** The workers' lag: the age of the oldest due work. */
import type { Database } from '../database/store.ts';
import { WAITING_MERCHANTS } from '../webhooks/due-events.ts';
import { HANGS_FOR_MS } from '../webhooks/hanging-addresses.ts';
import { nextDueTransaction } from './rows.ts';

/** Kinds of due work. Webhooks to hanging endpoints are excluded, since their age doesn't reflect this service. */
export const DUE_KINDS = ['transaction', 'webhook', 'slow_webhook'] as const;
export type DueKind = (typeof DUE_KINDS)[number];

/**
 * Milliseconds since the oldest work of each kind was due, 0 without any. The cost grows with the number of addresses,
 * not of events.
 */
export async function oldestDueMs(db: Database, now: number): Promise<Readonly<Record<DueKind, number>>> {
  const [transaction, addresses] = await Promise.all([
    nextDueTransaction(db),
    db.all(
      `with recursive ${WAITING_MERCHANTS},
       found (merchant_id, address) as (
         select merchant_id, '' from waiting where merchant_id is not null
         union all
         select merchant_id,
           (select min(e.address) from events e
             where e.next_at is not null and e.merchant_id = found.merchant_id and e.address > found.address)
         from found where address is not null
       ),
       oldest (slow, next_at) as (
         select exists (select 1 from hanging_addresses h
             where h.merchant_id = found.merchant_id and h.address = found.address and h.hung_at > ?),
           (select min(e.next_at) from events e
             where e.merchant_id = found.merchant_id and e.address = found.address and e.next_at is not null)
         from found where address <> ''
       )
       select case when slow then 1 else 0 end as slow, min(next_at) as next_at from oldest group by slow`,
      now - HANGS_FOR_MS,
    ),
  ]);
  const age = (due: unknown) => (typeof due === 'number' ? Math.max(now - due, 0) : 0);
  const webhookAge = (slow: number) => age(addresses.find((row) => row['slow'] === slow)?.['next_at']);
  return { transaction: age(transaction), webhook: webhookAge(0), slow_webhook: webhookAge(1) };
}
