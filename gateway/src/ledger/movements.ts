/** Sums of ledger entries by wallet, for monitoring. */
import { integer, text } from '../database/row-mapper.ts';
import { exactSum, readSum, sumColumns } from '../database/sql.ts';
import type { Database } from '../database/store.ts';
import { firstId } from '../platform/ids.ts';

/** Amounts by account, in minor units. */
export type Amounts = readonly [available: bigint, pending: bigint, reserved: bigint];

interface WalletMovement {
  /** The merchant and the currency. */
  readonly wallet: string;
  readonly balance: Amounts;
  /** Sums of the entries from one time to the other. */
  readonly between: Amounts;
  /** Sums of the entries since then. */
  readonly since: Amounts;
}

const ACCOUNTS = ['available', 'pending', 'reserved'] as const;

/** The movements of each wallet, by the times in their entries' ids. The cost grows with the entries since `from`. */
export async function walletMovements(db: Database, from: number, to: number): Promise<WalletMovement[]> {
  const moved = (account: string) =>
    `case when to_account = '${account}' then amount when from_account = '${account}' then -amount else 0 end`;
  const sums = ACCOUNTS.flatMap((account) => [
    exactSum(`case when id < ?1 then ${moved(account)} else 0 end`, `${account}_between`),
    exactSum(`case when id >= ?1 then ${moved(account)} else 0 end`, `${account}_since`),
  ]);
  const shown = ACCOUNTS.flatMap((account) => [...sumColumns(`${account}_between`), ...sumColumns(`${account}_since`)]);
  const rows = await db.all(
    `with moved as (select merchant_id, currency, ${sums.join(', ')} from ledger_entries
       where id >= ?2 group by merchant_id, currency)
     select w.merchant_id, w.currency, w.available, w.pending, w.reserved, ${shown.join(', ')}
     from wallets w left join moved on moved.merchant_id = w.merchant_id and moved.currency = w.currency`,
    firstId('led', to),
    firstId('led', from),
  );
  return rows.map((row) => {
    const amounts = (read: (account: string) => bigint): Amounts => {
      const [available = 0n, pending = 0n, reserved = 0n] = ACCOUNTS.map(read);
      return [available, pending, reserved];
    };
    return {
      wallet: `${integer('merchant_id')(row)} ${text('currency')(row)}`,
      balance: amounts((account) => BigInt(integer(account)(row))),
      between: amounts((account) => readSum(row, `${account}_between`)),
      since: amounts((account) => readSum(row, `${account}_since`)),
    };
  });
}
