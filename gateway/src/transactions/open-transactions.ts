/**
 * Counts of open transactions for monitoring. The cost grows with the counted rows, up to a limit, not with final
 * transactions.
 */
import { flag, integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import type { Status, Transaction } from '../domain/transaction.ts';
import { WAITING_MERCHANTS } from '../webhooks/due-events.ts';
import { HANGS_FOR_MS } from '../webhooks/hanging-addresses.ts';
import { nextDueTransaction } from './rows.ts';

/** More aren't counted. */
export const OPEN_COUNT_MAX = 20_000;

export interface OpenKind {
  readonly kind: Transaction['kind'];
  /** One that others follow. */
  readonly status: Status;
}

interface OpenCount extends OpenKind {
  /** At most OPEN_COUNT_MAX. */
  readonly count: number;
  /** Open transactions without a next action. */
  readonly stuck: number;
  /** Creation time of the oldest, in milliseconds since 1970. */
  readonly oldest: number | undefined;
}

/** The conditions of the indexes transactions_open and transactions_stuck. */
const OPEN = "t.kind = asked.kind and t.status = asked.status and t.status not in ('SUCCESS', 'FAILED')";
const STUCK = `${OPEN} and t.next_attempt_at is null`;

/** Counts the open transactions of each kind and status. */
export async function countOpenTransactions(db: Database, asked: readonly OpenKind[]): Promise<OpenCount[]> {
  const count = (where: string) =>
    `(select count(*) from (select 1 from transactions t where ${where} limit ${OPEN_COUNT_MAX}) as counted)`;
  const rows = await db.all(
    `with asked (kind, status) as (values ${asked.map(() => '(?, ?)').join(', ')})
     select kind, status, ${count(OPEN)} as count, ${count(STUCK)} as stuck,
       (select o.created_at from transactions o
         where o.id = (select min(t.id) from transactions t where ${OPEN})) as oldest
     from asked`,
    ...asked.flatMap(({ kind, status }) => [kind, status]),
  );
  return rows.map(toCount);
}

/** Kinds of due work. Webhooks to hanging endpoints are excluded, since their age doesn't reflect this service. */
export const DUE_KINDS = ['transaction', 'webhook', 'slow_webhook'] as const;
type DueKind = (typeof DUE_KINDS)[number];

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
      0,
      0,
      now - HANGS_FOR_MS,
    ),
  ]);
  const oldest = new Map(addresses.map((row) => [flag('slow')(row), optional('next_at', Number)(row)]));
  const age = (due = now) => Math.max(now - due, 0);
  return { transaction: age(transaction), webhook: age(oldest.get(false)), slow_webhook: age(oldest.get(true)) };
}
const toCount = rowMapper<OpenCount>({
  kind: text('kind'),
  status: text('status'),
  count: integer('count'),
  stuck: integer('stuck'),
  oldest: optional('oldest', Number),
});
