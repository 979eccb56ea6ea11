/** The ledger and the wallets. A wallet is the sum of its entries, stored so that it can be read and constrained. */
import type { Balance } from '../../../generated/types.ts';
import { integer, rowMapper, text } from '../database/row-mapper.ts';
import { insertion, rowStatement } from '../database/row-statement.ts';
import type { ContendedRow, ContendedTable, Database, Row, RowStatement, Store } from '../database/store.ts';
import { type Account, createEntry, type LedgerEntry } from '../domain/ledger.ts';
import type { FundsHold } from '../domain/transaction.ts';
import type { Call } from '../http/context.ts';

export const WALLET_ACCOUNTS = ['available', 'pending', 'reserved'] as const satisfies Account[];

/**
 * Initial balance of each wallet of the demo merchant, in minor units: more than the largest payouts, which are
 * 200,000.00.
 */
export const DEMO_FUNDS = 100_000_000;

/** A merchant has one wallet in each currency. */
export interface WalletKey {
  readonly merchantId: number;
  readonly currency: string;
}

interface Wallet {
  readonly currency: string;
  readonly available: number;
  readonly pending: number;
  readonly reserved: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** Context of an entry. */
export interface Posting {
  readonly id: string;
  readonly merchantId: number;
  readonly currency: string;
  readonly transactionId: string | null;
  readonly now: number;
}

const WALLETS: ContendedTable = {
  name: 'wallets',
  key: [
    ['merchant_id', 'bigint'],
    ['currency', 'text'],
  ],
  order: 2,
};

/** A wallet, as a contended row of units of work. */
export function walletRow(merchantId: number, currency: string): ContendedRow {
  return { table: WALLETS, key: [merchantId, currency] };
}

const MOVED: RowStatement['columns'] = [
  ['merchant_id', 'bigint'],
  ['currency', 'text'],
  ['available', 'bigint'],
  ['pending', 'bigint'],
  ['reserved', 'bigint'],
  ['updated_at', 'bigint'],
];

/** Concurrent movements of one wallet are added up, so that they change its row once. */
const ADDED_UP = {
  table: 'wallets',
  columns: MOVED,
  key: ['merchant_id', 'currency'],
  sums: ['available', 'pending', 'reserved'],
};

/** A movement out of an account, whose wallet therefore exists. */
const MOVE = rowStatement({
  ...ADDED_UP,
  sql: ({ of, given }) => `update wallets set available = wallets.available + ${of('available')},
      pending = wallets.pending + ${of('pending')}, reserved = wallets.reserved + ${of('reserved')},
      updated_at = ${of('updated_at')}
    ${given && `from ${given}`} where wallets.merchant_id = ${of('merchant_id')} and wallets.currency = ${of('currency')}`,
});

/** A movement from outside. The first one in a currency creates the wallet. */
const DEPOSIT = rowStatement({
  ...ADDED_UP,
  sql: (form) => `${insertion('wallets', MOVED, form)} on conflict (merchant_id, currency) do update
    set available = wallets.available + excluded.available, pending = wallets.pending + excluded.pending,
      reserved = wallets.reserved + excluded.reserved, updated_at = excluded.updated_at`,
});

const ENTERED: RowStatement['columns'] = [
  ['id', 'text'],
  ['merchant_id', 'bigint'],
  ['currency', 'text'],
  ['transaction_id', 'text'],
  ['from_account', 'text'],
  ['to_account', 'text'],
  ['amount', 'bigint'],
  ['reason', 'text'],
  ['created_at', 'bigint'],
];

const ENTER = rowStatement({
  table: 'ledger_entries',
  columns: ENTERED,
  key: ['id'],
  sql: (form) => insertion('ledger_entries', ENTERED, form),
});

/** Writes an entry and updates the wallet. The database refuses an entry that would take the wallet below zero. */
export async function postEntry(db: Database, entry: LedgerEntry, posting: Posting): Promise<void> {
  // The wallet comes first, since the entry refers to it.
  await Promise.all([move(db, entry, posting), enter(db, entry, posting)]);
}

function move(db: Database, entry: LedgerEntry, { merchantId, currency, now }: Posting): Promise<Row | undefined> {
  const [available = 0, pending = 0, reserved = 0] = WALLET_ACCOUNTS.map((account) => signedAmount(entry, account));
  const statement = isOfWallet(entry.from) ? MOVE : DEPOSIT;
  return db.write(statement, merchantId, currency, available, pending, reserved, now);
}

function enter(db: Database, { from, to, amount, reason }: LedgerEntry, posting: Posting): Promise<Row | undefined> {
  const { id, merchantId, currency, transactionId, now } = posting;
  return db.write(ENTER, id, merchantId, currency, transactionId, from, to, amount, reason, now);
}

function isOfWallet(account: Account): boolean {
  return WALLET_ACCOUNTS.some((own) => own === account);
}

/**
 * Funds a wallet. If the amount exceeds the wallet's remaining capacity, leaves it unchanged and returns that capacity.
 */
export async function fundWallet(
  db: Database,
  posting: Omit<Posting, 'transactionId'>,
  amount: number,
): Promise<number | undefined> {
  const room = await readRemainingCapacity(db, posting.merchantId, posting.currency);
  if (amount > room) return room;
  await postEntry(db, createEntry('funded', amount), { ...posting, transactionId: null });
  return undefined;
}

/**
 * Drains a wallet by an amount, or completely. If less is available, leaves it unchanged and returns the available
 * amount.
 */
export async function drainWallet(
  db: Database,
  posting: Omit<Posting, 'transactionId'>,
  wanted?: number,
): Promise<number | undefined> {
  const available = (await lockAvailable(db, posting.merchantId, posting.currency)) ?? 0;
  const amount = wanted ?? available;
  if (amount > available) return available;
  if (amount > 0) await postEntry(db, createEntry('drained', amount), { ...posting, transactionId: null });
  return undefined;
}

/** The available amount, locked until the unit of work ends. Undefined without a wallet. */
export async function lockAvailable(db: Database, merchantId: number, currency: string): Promise<number | undefined> {
  const row = await db.get(
    'select available from wallets where merchant_id = ? and currency = ? for update',
    merchantId,
    currency,
  );
  return row && integer('available')(row);
}

/**
 * The remaining capacity of a wallet, locked until the unit of work ends. Pending and reserved amounts count, since
 * they become available later, and the database refuses an amount beyond the range.
 */
export async function readRemainingCapacity(db: Database, merchantId: number, currency: string): Promise<number> {
  const row = await db.get(
    'select available, pending, reserved from wallets where merchant_id = ? and currency = ? for update',
    merchantId,
    currency,
  );
  const room = WALLET_ACCOUNTS.reduce((left, account) => left - Number(row?.[account] ?? 0), Number.MAX_SAFE_INTEGER);
  return Math.max(room, 0);
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
export async function checkFunds(
  db: Database,
  merchantId: number,
  currency: string,
  amount: number,
): Promise<FundsHold> {
  const available = await lockAvailable(db, merchantId, currency);
  if (available === undefined) return 'absent';
  return available >= amount ? 'held' : 'short';
}

/** The merchant's wallets, by currency. */
export async function readWallets(db: Database, merchantId: number): Promise<Wallet[]> {
  const rows = await db.all(
    'select currency, available, pending, reserved, updated_at from wallets where merchant_id = ? order by currency',
    merchantId,
  );
  return rows.map(toWallet);
}

/** A wallet with its owner. */
export type OwnedWallet = Wallet & WalletKey;

/** Up to `limit` wallets after one, of a merchant or of all, by merchant and currency. */
export async function listWallets(
  db: Database,
  merchantId: number | undefined,
  { after, limit }: { readonly after?: WalletKey | undefined; readonly limit: number },
): Promise<OwnedWallet[]> {
  const rows = await db.all(
    `select * from wallets where ${merchantId === undefined ? '1 = 1' : 'merchant_id = ?'}
       and (merchant_id, currency) > (?, ?) order by merchant_id, currency limit ?`,
    ...(merchantId === undefined ? [] : [merchantId]),
    ...[after?.merchantId ?? 0, after?.currency ?? '', limit],
  );
  return rows.map(toOwnedWallet);
}

/** Wallets per query. */
const PAGE = 500;

/** The wallets of a merchant or of all, by merchant and currency, page by page. */
export async function* walletPages(
  db: Database,
  merchantId: number | undefined,
): AsyncGenerator<readonly OwnedWallet[]> {
  for (let after: WalletKey | undefined, more = true; more; ) {
    const page = await listWallets(db, merchantId, { after, limit: PAGE });
    more = page.length === PAGE;
    after = page.at(-1);
    if (page.length > 0) yield page;
  }
}

const WALLET = {
  currency: text('currency'),
  available: integer('available'),
  pending: integer('pending'),
  reserved: integer('reserved'),
  updatedAt: integer('updated_at'),
};

const toWallet = rowMapper<Wallet>(WALLET);
const toOwnedWallet = rowMapper<OwnedWallet>({ ...WALLET, merchantId: integer('merchant_id') });

/** The amount that an entry adds to an account, negative for a debit. */
export function signedAmount(entry: LedgerEntry, account: Account): number {
  if (entry.to === account) return entry.amount;
  return entry.from === account ? -entry.amount : 0;
}

/** The same for the sum of entries. */
export function signedSum({ from, to, sum }: SumOfEntries, account: Account): bigint {
  if (to === account) return sum;
  return from === account ? -sum : 0n;
}

/** Entries from one account to another, added up. */
export interface SumOfEntries extends Pick<LedgerEntry, 'from' | 'to'> {
  readonly sum: bigint;
}

/** Returns the wallet's settlement balance (source 4.5). Money held for pending payouts is in neither figure. */
export async function getBalance({ store }: { readonly store: Store }, { merchant }: Call): Promise<Balance> {
  const wallets = await readWallets(store.read, merchant.id);
  return {
    merchant_id: merchant.id,
    balances: wallets.map(({ available, pending, currency }) => ({
      available,
      pending,
      currency: currency as Balance['balances'][number]['currency'],
    })),
    last_updated_at: new Date(Math.max(merchant.createdAt, ...wallets.map(({ updatedAt }) => updatedAt))).toISOString(),
  };
}
