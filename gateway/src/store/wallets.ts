/** The ledger and the wallets. A wallet is the sum of its entries, stored so that it can be read and constrained. */
import type { Account, Cover, LedgerEntry } from '../domain/transaction.ts';
import type { Database } from './store.ts';

export const WALLET_ACCOUNTS = ['available', 'pending', 'reserved'] as const satisfies Account[];

/** What each wallet of the demo merchant begins with, in minor units: more than the largest payouts, which are 200,000.00. */
export const DEMO_FUNDS = 100_000_000;

export interface Wallet {
  readonly currency: string;
  readonly available: number;
  readonly pending: number;
  readonly reserved: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** What an entry belongs to. */
export interface Posting {
  readonly id: string;
  readonly merchantId: number;
  readonly currency: string;
  readonly transactionId: string | null;
  readonly now: number;
}

/** Writes an entry and updates the wallet. The database refuses an entry that would take the wallet below zero. */
export async function postEntry(db: Database, entry: LedgerEntry, posting: Posting): Promise<void> {
  const { id, merchantId, currency, transactionId, now } = posting;
  const [available, pending, reserved] = WALLET_ACCOUNTS.map((account) => change(entry, account));
  const moved = await db.run(
    'update wallets set available = available + ?, pending = pending + ?, reserved = reserved + ?, updated_at = ? where merchant_id = ? and currency = ?',
    available ?? 0,
    pending ?? 0,
    reserved ?? 0,
    now,
    merchantId,
    currency,
  );
  if (moved === 0) {
    await createWallet(db, merchantId, currency, now);
    return postEntry(db, entry, posting);
  }
  await db.run(
    `insert into ledger_entries (id, merchant_id, currency, transaction_id, from_account, to_account, amount, reason, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    merchantId,
    currency,
    transactionId,
    entry.from,
    entry.to,
    entry.amount,
    entry.reason,
    now,
  );
}

/**
 * Adds money from outside. Returns what there is room for, and changes nothing, if it is more than a wallet can hold.
 */
export async function fundWallet(
  db: Database,
  posting: Omit<Posting, 'transactionId'>,
  amount: number,
): Promise<number | undefined> {
  const available = await lockAvailable(db, posting.merchantId, posting.currency);
  const room = Number.MAX_SAFE_INTEGER - (available ?? 0);
  if (amount > room) return room;
  await postEntry(db, { from: 'bank', to: 'available', amount, reason: 'funded' }, { ...posting, transactionId: null });
  return undefined;
}

/** Takes money out of the world's reach, all of it without an amount. Returns what is available, and changes nothing, if that is less. */
export async function drainWallet(
  db: Database,
  posting: Omit<Posting, 'transactionId'>,
  wanted?: number,
): Promise<number | undefined> {
  const available = (await lockAvailable(db, posting.merchantId, posting.currency)) ?? 0;
  const amount = wanted ?? available;
  if (amount > available) return available;
  if (amount > 0)
    await postEntry(
      db,
      { from: 'available', to: 'bank', amount, reason: 'drained' },
      { ...posting, transactionId: null },
    );
  return undefined;
}

/** What is available, which nobody else takes until the unit of work ends; undefined without a wallet. */
async function lockAvailable(db: Database, merchantId: number, currency: string): Promise<number | undefined> {
  const row = await db.get(
    'select available from wallets where merchant_id = ? and currency = ? for update',
    merchantId,
    currency,
  );
  return row && Number(row['available']);
}

/** Creates an empty wallet in a currency. Returns false if the merchant has one. */
export async function createWallet(db: Database, merchantId: number, currency: string, now: number): Promise<boolean> {
  const created = await db.run(
    'insert into wallets (merchant_id, currency, available, pending, reserved, updated_at) values (?, ?, 0, 0, 0, ?) on conflict (merchant_id, currency) do nothing',
    merchantId,
    currency,
    now,
  );
  return created === 1;
}

/** Whether the wallet covers an amount now. Locks the wallet, so that two payouts cannot take the same money. */
export async function coverFor(db: Database, merchantId: number, currency: string, amount: number): Promise<Cover> {
  const available = await lockAvailable(db, merchantId, currency);
  if (available === undefined) return 'absent';
  return available >= amount ? 'held' : 'short';
}

/** The merchant's wallets, by currency. */
export async function walletsOf(db: Database, merchantId: number): Promise<Wallet[]> {
  const rows = await db.all(
    'select currency, available, pending, reserved, updated_at from wallets where merchant_id = ? order by currency',
    merchantId,
  );
  return rows.map((row) => ({
    currency: String(row['currency']),
    available: Number(row['available']),
    pending: Number(row['pending']),
    reserved: Number(row['reserved']),
    updatedAt: Number(row['updated_at']),
  }));
}

/** What an entry adds to an account. */
export function change(entry: LedgerEntry, account: Account): number {
  if (entry.to === account) return entry.amount;
  return entry.from === account ? -entry.amount : 0;
}
