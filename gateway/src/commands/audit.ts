/** Recomputes every wallet from the ledger's entries and says what differs. */
import type { Store } from '../store/store.ts';

export interface Audit {
  readonly wallets: number;
  readonly entries: number;
  /** What is wrong, one line each; empty when the books are right. */
  readonly differences: readonly string[];
}

/** What each account of a wallet must be according to its entries, beside what it is. */
const RECOMPUTED = `
  select w.merchant_id, w.currency, w.available, w.pending, w.reserved,
    coalesce(sum(case when e.to_account = 'available' then e.amount when e.from_account = 'available' then -e.amount end), 0) as entered_available,
    coalesce(sum(case when e.to_account = 'pending' then e.amount when e.from_account = 'pending' then -e.amount end), 0) as entered_pending,
    coalesce(sum(case when e.to_account = 'reserved' then e.amount when e.from_account = 'reserved' then -e.amount end), 0) as entered_reserved,
    count(e.id) as entries
  from wallets w left join ledger_entries e on e.merchant_id = w.merchant_id and e.currency = w.currency
  group by w.merchant_id, w.currency, w.available, w.pending, w.reserved
  order by w.merchant_id, w.currency`;

/** Payouts in flight must add up to what is reserved for them. */
const IN_FLIGHT = `
  select w.merchant_id, w.currency, w.reserved,
    (select coalesce(sum(e.amount), 0) from transactions t join ledger_entries e on e.transaction_id = t.id and e.reason = 'reserved'
     where t.merchant_id = w.merchant_id and t.currency = w.currency and t.kind = 'payout' and t.status = 'PROCESSING') as in_flight
  from wallets w order by w.merchant_id, w.currency`;

/** Every successful payment has been collected, and every successful payout paid out, exactly once and in full. */
const UNBOOKED = `
  select t.id, t.status, count(e.id) as entries, coalesce(sum(e.amount), 0) as booked, t.amount, t.kind
  from transactions t left join ledger_entries e
    on e.transaction_id = t.id and e.reason in ('collected', 'paid_out')
  where t.status in ('SUCCESS', 'FAILED')
  group by t.id, t.status, t.amount, t.kind
  having (t.status = 'SUCCESS' and count(e.id) <> 1) or (t.status = 'FAILED' and count(e.id) <> 0)
    or (t.status = 'SUCCESS' and t.kind = 'payout' and coalesce(sum(e.amount), 0) <> t.amount)
  order by t.id limit 100`;

/** Audits the whole store. Reads only. */
export async function auditStore(store: Store): Promise<Audit> {
  const wallets = await store.read.all(RECOMPUTED);
  const differences = wallets.flatMap((row) =>
    ['available', 'pending', 'reserved']
      .filter((account) => Number(row[account]) !== Number(row[`entered_${account}`]))
      .map(
        (account) =>
          `merchant ${row['merchant_id']} ${row['currency']}: ${account} is ${row[account]}, its entries add up to ${row[`entered_${account}`]}`,
      ),
  );
  const inFlight = (await store.read.all(IN_FLIGHT))
    .filter((row) => Number(row['reserved']) !== Number(row['in_flight']))
    .map(
      (row) =>
        `merchant ${row['merchant_id']} ${row['currency']}: reserved is ${row['reserved']}, payouts in flight hold ${row['in_flight']}`,
    );
  const unbooked = (await store.read.all(UNBOOKED)).map(
    (row) =>
      `transaction ${row['id']} is ${row['status']} and has ${row['entries']} final entries over ${row['booked']} of ${row['amount']}`,
  );
  return {
    wallets: wallets.length,
    entries: wallets.reduce((sum, row) => sum + Number(row['entries']), 0),
    differences: [...differences, ...inFlight, ...unbooked],
  };
}

/** Prints the differences and a summary. The exit code is 1 if there is a difference. */
export async function auditCommand(store: Store, print: (text: string) => void): Promise<number> {
  const { wallets, entries, differences } = await auditStore(store);
  const summary = `${wallets} wallets, ${entries} entries, ${differences.length} differences`;
  print(`${[...differences, summary].join('\n')}\n`);
  return differences.length === 0 ? 0 : 1;
}
