/** Sums of ledger entries by wallet, for monitoring. */
import { integer, text } from '../database/row-mapper.ts';
import { exactSum, readSum, sumColumns } from '../database/sql.ts';
import type { Database } from '../database/store.ts';
import { firstId } from '../platform/ids.ts';

/**
 * Available and pending amounts together, and the reserved amount, in minor units. Money moves from pending to available
 * without an entry.
 */
export type Amounts = readonly [total: bigint, reserved: bigint];

interface WalletMovement {
  /** The merchant and the currency. */
  readonly wallet: string;
  readonly balance: Amounts;
  /** Sums of the entries from one time to the other. */
  readonly between: Amounts;
  /** Sums of the entries since then. */
  readonly since: Amounts;
}

/** The accounts of each amount. */
const ACCOUNTS = { total: ['available', 'pending'], reserved: ['reserved'] } as const;
const NAMES = ['total', 'reserved'] as const;

/**
 * The movements of each wallet, by the times in their entries' ids. The entries of an import have the time of the
 * transaction, so the time of the approval counts instead. The cost grows with the entries since `from`.
 */
export async function walletMovements(db: Database, from: number, to: number): Promise<WalletMovement[]> {
  const moved = (name: (typeof NAMES)[number]) => {
    const accounts = ACCOUNTS[name].map((account) => `'${account}'`).join(', ');
    return `case when to_account in (${accounts}) then amount when from_account in (${accounts}) then -amount else 0 end`;
  };
  const sums = NAMES.flatMap((name) => [
    exactSum(`case when late = 0 then ${moved(name)} else 0 end`, `${name}_between`),
    exactSum(`case when late = 1 then ${moved(name)} else 0 end`, `${name}_since`),
  ]);
  const shown = NAMES.flatMap((name) => [...sumColumns(`${name}_between`), ...sumColumns(`${name}_since`)]);
  const rows = await db.all(
    `with imported as (
       select transaction_id, case when decided_at < ?4 then 0 else 1 end as late from proposals
       where state = 'approved' and decided_at >= ?3 and type = 'import'),
     entries as (
       select merchant_id, currency, from_account, to_account, amount, case when id < ?1 then 0 else 1 end as late
       from ledger_entries e
       where id >= ?2 and not exists (select 1 from imported i where i.transaction_id = e.transaction_id)
       union all
       select e.merchant_id, e.currency, e.from_account, e.to_account, e.amount, i.late
       from imported i join ledger_entries e on e.transaction_id = i.transaction_id),
     moved as (select merchant_id, currency, ${sums.join(', ')} from entries group by merchant_id, currency)
     select w.merchant_id, w.currency, w.available, w.pending, w.reserved, ${shown.join(', ')}
     from wallets w left join moved on moved.merchant_id = w.merchant_id and moved.currency = w.currency`,
    firstId('led', to),
    firstId('led', from),
    from,
    to,
  );
  return rows.map((row) => {
    const stored = (account: string) => BigInt(integer(account)(row));
    return {
      wallet: `${integer('merchant_id')(row)} ${text('currency')(row)}`,
      balance: [stored('available') + stored('pending'), stored('reserved')],
      between: [readSum(row, 'total_between'), readSum(row, 'reserved_between')],
      since: [readSum(row, 'total_since'), readSum(row, 'reserved_since')],
    };
  });
}
