/** A merchant's ledger entries. */

import { type Columns, integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import { keysetPages } from '../database/sql.ts';
import type { Database, Row } from '../database/store.ts';
import type { LedgerEntry } from '../domain/ledger.ts';
import { type CreatedRange, idRange } from '../platform/ids.ts';
import { type OwnedWallet, signedAmount, WALLET_ACCOUNTS, type WalletKey } from './wallets.ts';

export interface PostedEntry extends LedgerEntry {
  readonly id: string;
  readonly transactionId: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Sums of entries by account. */
export type WalletBalance = Readonly<Record<(typeof WALLET_ACCOUNTS)[number], bigint>>;

/** The wallet after an entry: the available and pending amounts together, and the reserved amount. */
export interface EntryBalance {
  readonly total: bigint;
  readonly reserved: bigint;
}

export interface BalancedEntry extends PostedEntry {
  readonly balance: EntryBalance;
}

/** The start of a page: an entry, and the wallet after it on the previous page, so that pages are consistent. */
export interface LedgerPosition {
  readonly id: string;
  readonly balance: EntryBalance;
}

export interface LedgerPage {
  readonly entries: readonly BalancedEntry[];
  /** The start of the next page. Undefined on the last. */
  readonly next: LedgerPosition | undefined;
}

/** Columns of `ledger_entries e`. */
export const ENTRY_COLUMNS =
  'e.id, e.transaction_id, e.from_account, e.to_account, e.amount, e.reason, e.created_at, e.available_at';
/** Sorts after every id of an entry, in every collation. */
const LAST_ID = `led_${'Z'.repeat(10)}`;

/** The entries of a wallet, newest first, computed backwards from the current wallet. */
export async function listEntries(
  db: Database,
  merchantId: number,
  currency: string,
  { from, limit }: { readonly from?: LedgerPosition | undefined; readonly limit: number },
): Promise<LedgerPage> {
  // One statement, so that entries and wallet are from one snapshot.
  const rows = await db.all(
    `select ${ENTRY_COLUMNS}, w.available, w.pending, w.reserved from ledger_entries e, wallets w
     where e.merchant_id = ? and e.currency = ? and e.id <= ? and w.merchant_id = ? and w.currency = ?
     order by e.id desc limit ?`,
    ...[merchantId, currency, from?.id ?? LAST_ID, merchantId, currency, limit + 1],
  );
  let balance = from?.balance ?? readBalance(rows[0]);
  const entries = rows.map((row): BalancedEntry => {
    const entry = { ...toEntry(row), balance };
    balance = before(entry);
    return entry;
  });
  const following = entries[limit];
  return {
    entries: entries.slice(0, limit),
    next: following && { id: following.id, balance: following.balance },
  };
}

/** Entries per query. */
const PAGE = 1_000;

/** An entry with the channel and the method of its transaction. */
export interface CarriedEntry extends PostedEntry {
  /** Undefined for money from outside, such as funding. */
  readonly carrier: { readonly channel: string; readonly method: string } | undefined;
}

/** The entries of a wallet from a range of times, oldest first, page by page. */
export function entryPages(
  db: Database,
  { merchantId, currency }: WalletKey,
  created: CreatedRange,
): AsyncGenerator<readonly CarriedEntry[]> {
  const { from = 'led', to = LAST_ID } = idRange('led', created);
  return keysetPages(PAGE, async (last: CarriedEntry | undefined) => {
    const rows = await db.all(
      `select ${ENTRY_COLUMNS}, t.state from ledger_entries e left join transactions t on t.id = e.transaction_id
       where e.merchant_id = ? and e.currency = ? and e.id > ? and e.id < ? order by e.id limit ${PAGE}`,
      ...[merchantId, currency, last?.id ?? from, to],
    );
    return rows.map(toCarried);
  });
}

/** The credits of a wallet that became available in a period, page by page. */
export function settledPages(
  db: Database,
  { merchantId, currency, settledUntil }: OwnedWallet,
  { from, before }: { readonly from: number; readonly before: number },
): AsyncGenerator<readonly CarriedEntry[]> {
  return keysetPages(PAGE, async (last: CarriedEntry | undefined) => {
    const rows = await db.all(
      `select ${ENTRY_COLUMNS}, t.state from ledger_entries e join transactions t on t.id = e.transaction_id
       where e.merchant_id = ? and e.currency = ? and (e.available_at, e.id) > (?, ?) and e.available_at < ?
         and e.available_at <= ? order by e.available_at, e.id limit ${PAGE}`,
      ...[merchantId, currency, last?.availableAt ?? from, last?.id ?? '', before, settledUntil],
    );
    return rows.map(toCarried);
  });
}

/** The entries of a transaction, in order. */
export async function entriesOfTransaction(db: Database, transactionId: string): Promise<PostedEntry[]> {
  const rows = await db.all(`select ${ENTRY_COLUMNS} from ledger_entries e where e.transaction_id = ?`, transactionId);
  return rows.map(toEntry).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function before({ balance: { total, reserved }, ...entry }: BalancedEntry): EntryBalance {
  const [available = 0n, pending = 0n, held = 0n] = WALLET_ACCOUNTS.map((one) => BigInt(signedAmount(entry, one)));
  return { total: total - available - pending, reserved: reserved - held };
}

function readBalance(row: Row | undefined): EntryBalance {
  const [available = 0n, pending = 0n, reserved = 0n] = WALLET_ACCOUNTS.map((account) => BigInt(row?.[account] ?? 0));
  return { total: available + pending, reserved };
}

/** Creates a balance from the amount of each account. */
export function byAccount(read: (account: keyof WalletBalance) => bigint): WalletBalance {
  return Object.fromEntries(WALLET_ACCOUNTS.map((account) => [account, read(account)])) as unknown as WalletBalance;
}

/** Reads these columns. */
export const ENTRY: Columns<PostedEntry> = {
  id: text('id'),
  transactionId: optional('transaction_id', String),
  from: text('from_account'),
  to: text('to_account'),
  amount: integer('amount'),
  reason: text('reason'),
  at: integer('created_at'),
  availableAt: optional('available_at', Number),
};

const toEntry = rowMapper(ENTRY);

const toCarried = rowMapper<CarriedEntry>({
  ...ENTRY,
  carrier: optional('state', (state) => {
    const { channel, method } = JSON.parse(String(state)) as { readonly channel: string; readonly method: string };
    return { channel, method };
  }),
});
