/**
 * Counts of open transactions for monitoring. The cost grows with the counted rows, up to a limit, not with final
 * transactions.
 */

import type { Database } from '../database/store.ts';
import type { Status, Transaction } from '../domain/transaction.ts';

/** More aren't counted. */
export const OPEN_COUNT_MAX = 20_000;

export interface OpenKind {
  readonly kind: Transaction['kind'];
  /** One that others follow. */
  readonly status: Status;
}

export interface OpenCount extends OpenKind {
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
  return asked.map(({ kind, status }) => {
    const row = rows.find((one) => one['kind'] === kind && one['status'] === status);
    return {
      ...{ kind, status, count: Number(row?.['count'] ?? 0), stuck: Number(row?.['stuck'] ?? 0) },
      oldest: typeof row?.['oldest'] === 'number' ? row['oldest'] : undefined,
    };
  });
}
