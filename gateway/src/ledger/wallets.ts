/**
 * The ledger and the wallets. A wallet is the sum of its entries, stored so that it can be read and constrained. Collected
 * money becomes available at the time in its entry, without a write: reads add the amounts that became available after
 * `settled_until`, and a later write moves it in the wallet.
 */
import type { Balance } from '../../../generated/types.ts';
import { integer, rowMapper, text } from '../database/row-mapper.ts';
import { insertion, rowStatement } from '../database/row-statement.ts';
import { keysetPages } from '../database/sql.ts';
import type { ContendedRow, ContendedTable, Database, Row, RowStatement, Store } from '../database/store.ts';
import { type Account, createEntry, type LedgerEntry } from '../domain/ledger.ts';
import type { FundsHold } from '../domain/transaction.ts';
import type { Call } from '../http/context.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';

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

export interface Wallet {
  readonly currency: string;
  readonly available: number;
  readonly pending: number;
  readonly reserved: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The amounts include the credits that have become available by this time. */
  readonly settledUntil: number;
}

/** Context of an entry. */
export interface Posting {
  readonly id: string;
  readonly merchantId: number;
  readonly currency: string;
  readonly transactionId: string | null;
  readonly now: number;
  /** The merchant's time, which can be before `now` after a sandbox clock has gone back. Defaults to `now`. */
  readonly present?: number | undefined;
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
  returning: 'wallets.settled_until',
});

/** The condition of a wallet's credits that have become available by a time and are still in its column `pending`. */
function isSettling(wallet: string, time: string): string {
  return `e.merchant_id = ${wallet}.merchant_id and e.currency = ${wallet}.currency
    and e.available_at > ${wallet}.settled_until and e.available_at <= ${time}`;
}

const SUM = 'coalesce(cast(sum(e.amount) as bigint), 0)';

/**
 * Moves the credits that have become available by a time from `pending` to `available`. The unit of work must have locked
 * the wallet with an earlier statement, since PostgreSQL would otherwise miss entries committed during the wait for the lock.
 */
const SETTLE = rowStatement({
  table: 'wallets',
  // Otherwise, it could come between the wallet's change and the entry of another unit's credit.
  isLast: true,
  columns: [
    ['merchant_id', 'bigint'],
    ['currency', 'text'],
    ['settled_by', 'bigint'],
  ],
  key: ['merchant_id', 'currency'],
  sums: [],
  sql: ({ of, given }) => `update wallets set (available, pending, updated_at) = (
      select wallets.available + ${SUM}, wallets.pending - ${SUM},
        case when max(e.available_at) > wallets.updated_at then max(e.available_at) else wallets.updated_at end
      from ledger_entries e where ${isSettling('wallets', of('settled_by'))}), settled_until = ${of('settled_by')}
    ${given && `from ${given}`} where wallets.merchant_id = ${of('merchant_id')}
      and wallets.currency = ${of('currency')} and wallets.settled_until < ${of('settled_by')}`,
});

/** Milliseconds after which a credit settles earlier ones, so that reads add up few entries. */
const SETTLE_AFTER_MS = 10_000;

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
  ['available_at', 'bigint'],
];

const ENTER = rowStatement({
  table: 'ledger_entries',
  columns: ENTERED,
  key: ['id'],
  sql: (form) => insertion('ledger_entries', ENTERED, form),
});

/**
 * Writes an entry and updates the wallet. The database refuses an entry that would take the wallet below zero. Throws if
 * there is no wallet to take from.
 */
export async function postEntry(db: Database, entry: LedgerEntry, posting: Posting): Promise<void> {
  const [wallet] = await Promise.all([move(db, entry, posting), enter(db, entry, posting)]);
  const { merchantId, currency, now, present = now } = posting;
  if (!wallet) throw new Error(`merchant ${merchantId} has no wallet in ${currency} to take ${entry.amount} from`);
  if (entry.availableAt === undefined) return;
  const settledUntil = integer('settled_until')(wallet);
  // The wallet has been settled up to a later time, as by a process whose clock is ahead.
  if (entry.availableAt <= settledUntil) await move(db, { ...entry, from: 'pending', to: 'available' }, posting);
  else if (present - settledUntil > SETTLE_AFTER_MS) await db.write(SETTLE, merchantId, currency, present);
}

function move(
  db: Database,
  entry: Omit<LedgerEntry, 'reason'>,
  { merchantId, currency, now }: Posting,
): Promise<Row | undefined> {
  const [available = 0, pending = 0, reserved = 0] = WALLET_ACCOUNTS.map((account) => signedAmount(entry, account));
  const statement = isOfWallet(entry.from) ? MOVE : DEPOSIT;
  return db.write(statement, merchantId, currency, available, pending, reserved, now);
}

function enter(db: Database, entry: LedgerEntry, posting: Posting): Promise<Row | undefined> {
  const { from, to, amount, reason, availableAt = null } = entry;
  const { id, merchantId, currency, transactionId, now } = posting;
  return db.write(ENTER, id, merchantId, currency, transactionId, from, to, amount, reason, now, availableAt);
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
  const available = (await lockAvailable(db, posting, wanted)) ?? 0;
  const amount = wanted ?? available;
  if (amount > available) return available;
  if (amount > 0) await postEntry(db, createEntry('drained', amount), { ...posting, transactionId: null });
  return undefined;
}

/**
 * The available amount at a time, locked until the unit of work ends. Undefined without a wallet. It may be less than all
 * if it covers the wanted amount.
 */
export async function lockAvailable(
  db: Database,
  { merchantId, currency, now }: WalletKey & { readonly now: number },
  wanted = Number.POSITIVE_INFINITY,
): Promise<number | undefined> {
  const read = async () => {
    const lock = 'select available from wallets where merchant_id = ? and currency = ? for update';
    const row = await db.get(lock, merchantId, currency);
    return row && integer('available')(row);
  };
  const available = await read();
  if (available === undefined || available >= wanted) return available;
  await db.write(SETTLE, merchantId, currency, now);
  return read();
}

/** Sets the time of a merchant's wallets back, after a sandbox clock. What was available before remains available. */
export async function setWalletsBack(db: Database, merchantId: number, from: number, to: number): Promise<void> {
  const rows = await db.all(
    'select currency from wallets where merchant_id = ? order by currency for update',
    merchantId,
  );
  for (const currency of rows.map(text('currency'))) await db.write(SETTLE, merchantId, currency, from);
  await db.run(
    `update ledger_entries set available_at = ?2 where merchant_id = ?1 and available_at > ?2 and available_at <=
       (select settled_until from wallets w where w.merchant_id = ?1 and w.currency = ledger_entries.currency)`,
    ...[merchantId, to],
  );
  await db.run('update wallets set settled_until = ?2 where merchant_id = ?1 and settled_until > ?2', merchantId, to);
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

/** Whether the wallet covers an amount at a time. Locks the wallet, so that two payouts cannot take the same money. */
export async function checkFunds(
  db: Database,
  wallet: WalletKey & { readonly now: number },
  amount: number,
): Promise<FundsHold> {
  const available = await lockAvailable(db, wallet, amount);
  if (available === undefined) return 'absent';
  return available >= amount ? 'held' : 'short';
}

/** The wallets at the time `?1`. */
function selectWallets(condition: string): string {
  const settling = (value: string) => `(select ${value} from ledger_entries e where ${isSettling('w', '?1')})`;
  return `select merchant_id, currency, available + settling as available, pending - settling as pending, reserved,
      case when settling_at > updated_at then settling_at else updated_at end as updated_at,
      case when settled_until < ?1 then ?1 else settled_until end as settled_until
    from (select w.*, ${settling(SUM)} as settling, ${settling('max(e.available_at)')} as settling_at
      from wallets w where ${condition}) as wallets_now
    order by merchant_id, currency`;
}

/** The merchant's wallets at a time, by currency. */
export async function readWallets(db: Database, merchantId: number, now: number): Promise<Wallet[]> {
  return (await db.all(selectWallets('w.merchant_id = ?2'), now, merchantId)).map(toWallet);
}

/** A wallet with its owner. */
export type OwnedWallet = Wallet & WalletKey;

/** Up to `limit` wallets after one, of a merchant or of all, by merchant and currency, at a time. */
export async function listWallets(
  db: Database,
  merchantId: number | undefined,
  { after, limit, now }: { readonly after?: WalletKey | undefined; readonly limit: number; readonly now: number },
): Promise<OwnedWallet[]> {
  const rows = await db.all(
    `${selectWallets(`(w.merchant_id, w.currency) > (?2, ?3) ${merchantId === undefined ? '' : 'and w.merchant_id = ?5'}`)}
     limit ?4`,
    ...[now, after?.merchantId ?? 0, after?.currency ?? '', limit],
    ...(merchantId === undefined ? [] : [merchantId]),
  );
  return rows.map(toOwnedWallet);
}

/** Wallets per query. */
const PAGE = 500;

/** The wallets of a merchant or of all at a time, by merchant and currency, page by page. */
export function walletPages(
  db: Database,
  merchantId: number | undefined,
  now: number,
  limit = PAGE,
): AsyncGenerator<readonly OwnedWallet[]> {
  return keysetPages(limit, (after: OwnedWallet | undefined) => listWallets(db, merchantId, { after, limit, now }));
}

const WALLET = {
  currency: text('currency'),
  available: integer('available'),
  pending: integer('pending'),
  reserved: integer('reserved'),
  updatedAt: integer('updated_at'),
  settledUntil: integer('settled_until'),
};

const toWallet = rowMapper<Wallet>(WALLET);
const toOwnedWallet = rowMapper<OwnedWallet>({ ...WALLET, merchantId: integer('merchant_id') });

/** Returns the entry with its effect on a wallet settled until a time: a credit available at that time isn't pending. */
export function asSettled<T extends LedgerEntry>(entry: T, settledUntil: number): T {
  return entry.availableAt !== undefined && entry.availableAt <= settledUntil ? { ...entry, to: 'available' } : entry;
}

/** The amount that an entry adds to an account, negative for a debit. */
export function signedAmount(entry: Omit<LedgerEntry, 'reason'>, account: Account): number {
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
export async function getBalance(
  { store, time }: { readonly store: Store; readonly time: MerchantTime },
  { merchant }: Call,
): Promise<Balance> {
  const wallets = await readWallets(store.read, merchant.id, time.at(merchant.id).now);
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
