/**
 * Daily balances of wallets: opening and closing balance, and movements. They are computed backwards from the current
 * wallets, so the last closing balance always equals the wallet. Credits count as settled on the day on which they become
 * available.
 */

import { integer, rowMapper, text } from '../database/row-mapper.ts';
import { exactSum, readSum } from '../database/sql.ts';
import type { Database } from '../database/store.ts';
import { REASONS, type Reason } from '../domain/ledger.ts';
import { type CreatedRange, idRange } from '../platform/ids.ts';
import { byAccount, type CarriedEntry, entryPages, settledPages, type WalletBalance } from './ledger-pages.ts';
import { type OwnedWallet, type SumOfEntries, signedSum, type WalletKey } from './wallets.ts';

export const DAY_MS = 24 * 60 * 60_000;

export type Movements = Readonly<Record<Reason, bigint>>;

/** A wallet on a day in UTC. */
export interface WalletDay extends WalletKey {
  /** The beginning of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly opening: WalletBalance;
  /** Sums of the day's entries by reason. */
  readonly moved: Movements;
  readonly closing: WalletBalance;
}

/** Days in UTC, from the first to the one before `before`. Both are the beginning of a day, in milliseconds since 1970. */
export interface Days {
  readonly from: number;
  readonly before: number;
}

export interface SettlementOptions {
  readonly days: Days;
  readonly now: number;
  /** Called after each statement to yield, since SQLite reads in the caller's thread. */
  readonly pause?: () => Promise<unknown>;
}

/** The sum of a wallet's entries with the same reason. */
type Sum = WalletKey & SumOfEntries & { readonly reason: Reason };

/** The days of consecutive wallets in the order of `listWallets` at the present: wallet by wallet, day by day. */
export async function settleWallets(
  db: Database,
  wallets: readonly OwnedWallet[],
  { days: { from, before }, now, pause = async () => undefined }: SettlementOptions,
): Promise<WalletDay[]> {
  const sums = new Map<string, Sum[]>();
  const keyOf = ({ merchantId, currency }: WalletKey, day: number) => `${merchantId} ${currency} ${day}`;
  const periods = listPeriods(from, Math.max(before, now));
  for (const period of periods) {
    for (const sum of await sumMovements(db, wallets, period, now)) {
      const key = keyOf(sum, period.from);
      sums.set(key, [...(sums.get(key) ?? []), sum]);
    }
    await pause();
  }
  return wallets.flatMap((wallet) => {
    const days: WalletDay[] = [];
    let closing = byAccount((account) => BigInt(wallet[account]));
    for (const { from: day } of periods.toReversed()) {
      const moved = sums.get(keyOf(wallet, day)) ?? [];
      const opening = byAccount((account) =>
        moved.reduce((balance, one) => balance - signedSum(one, account), closing[account]),
      );
      const { merchantId, currency } = wallet;
      if (day < before) days.push({ merchantId, currency, day, opening, moved: byReason(moved), closing });
      closing = opening;
    }
    return days.toReversed();
  });
}

/** A wallet's movements on a day by one channel and method. */
export interface CarriedDay extends Pick<WalletDay, 'merchantId' | 'currency' | 'day' | 'moved'> {
  /** Undefined for money from outside, such as funding. */
  readonly carrier: CarriedEntry['carrier'];
}

/** The movements of a wallet on each day, by channel and method. It reads every entry of the days. */
export async function* carriedDays(
  db: Database,
  wallet: OwnedWallet,
  { from, before }: Days,
): AsyncGenerator<CarriedDay> {
  const { merchantId, currency } = wallet;
  for (let day = from; day < before; day += DAY_MS) {
    const found = new Map<string, CarriedDay & { readonly moved: Record<Reason, bigint> }>();
    const add = (reason: Reason, { carrier, amount }: CarriedEntry) => {
      const key = carrier ? `${carrier.channel} ${carrier.method}` : '';
      const known = found.get(key) ?? { merchantId, currency, day, carrier, moved: byReason([]) };
      known.moved[reason] += BigInt(amount);
      found.set(key, known);
    };
    const period = { from: day, before: day + DAY_MS };
    for await (const page of entryPages(db, wallet, period)) for (const entry of page) add(entry.reason, entry);
    for await (const page of settledPages(db, wallet, period)) for (const entry of page) add('settled', entry);
    yield* [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, carried]) => carried);
  }
}

/**
 * The days up to a time, so that no statement reads more than a day. The last one is open-ended, since clocks may be
 * ahead.
 */
function listPeriods(from: number, until: number): { readonly from: number; readonly before?: number }[] {
  const periods: { from: number; before?: number }[] = [];
  for (let day = from; day < until; day += DAY_MS) periods.push({ from: day, before: day + DAY_MS });
  return [...periods, { from: from + periods.length * DAY_MS }];
}

const toSum = rowMapper<Sum>({
  merchantId: integer('merchant_id'),
  currency: text('currency'),
  sum: (row) => readSum(row, 'moved'),
  reason: text('reason'),
  from: text('from_account'),
  to: text('to_account'),
});

/** The entries of consecutive wallets. SQLite keeps the order of a cross join. */
const OF_WALLETS = `wallets w cross join ledger_entries e
     where (w.merchant_id, w.currency) >= (?, ?) and (w.merchant_id, w.currency) <= (?, ?)
       and e.merchant_id = w.merchant_id and e.currency = w.currency`;

/**
 * The sums of the wallets' movements in a period, read from the indexes of wallets with ids, and with the times at which
 * credits become available.
 */
async function sumMovements(
  db: Database,
  wallets: readonly OwnedWallet[],
  period: CreatedRange,
  now: number,
): Promise<Sum[]> {
  const [first, last] = [wallets[0], wallets.at(-1)];
  if (!first || !last) return [];
  const range = [first.merchantId, first.currency, last.merchantId, last.currency];
  const { from = '', to } = idRange('led', period);
  const entered = await db.all(
    `select e.merchant_id, e.currency, e.reason, e.from_account, e.to_account, ${exactSum('e.amount', 'moved')}
     from ${OF_WALLETS} and e.id > ? ${to === undefined ? '' : 'and e.id < ?'}
     group by e.merchant_id, e.currency, e.reason, e.from_account, e.to_account`,
    ...[...range, from, ...(to === undefined ? [] : [to])],
  );
  const settled = await db.all(
    `select e.merchant_id, e.currency, 'settled' as reason, 'pending' as from_account, 'available' as to_account,
       ${exactSum('e.amount', 'moved')}
     from ${OF_WALLETS} and e.available_at >= ? and e.available_at < ?
       and (e.available_at <= ? or e.available_at <= w.settled_until)
     group by e.merchant_id, e.currency`,
    ...[...range, period.from ?? 0, period.before ?? Number.MAX_SAFE_INTEGER, now],
  );
  return [...entered, ...settled].map(toSum);
}

function byReason(sums: readonly Sum[]): Record<Reason, bigint> {
  const moved = Object.fromEntries(REASONS.map((reason) => [reason, 0n])) as Record<Reason, bigint>;
  for (const { reason, sum } of sums) moved[reason] += sum;
  return moved;
}
