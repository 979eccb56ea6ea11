/** Daily balances and movements of wallets, for the command `settlement` and the management API. */
import type { Settlement } from '../../../generated/management/types.ts';
import type { Database } from '../database/store.ts';
import { createEntry, REASONS, type Reason } from '../domain/ledger.ts';
import { invalid } from '../http/problems.ts';
import {
  type CarriedDay,
  DAY_MS,
  type Days,
  type SettlementOptions,
  settleWallets,
  type WalletDay,
} from '../ledger/settlements.ts';
import { listWallets, signedSum, WALLET_ACCOUNTS, type WalletKey, walletPages } from '../ledger/wallets.ts';
import { systemTimers } from '../platform/timers.ts';
import { timestamp } from '../transactions/view.ts';
import type { Exported } from './exports.ts';
import type { DatabaseOperation } from './operation.ts';
import { buildPage, type PageParameters, readLimit, unknownCursor } from './parameters.ts';

const DATE_CHARS = '2026-03-02'.length;
/** Wallets settled in one batch. */
const PAGE = 100;

/** Columns of a settlement, in the order of `viewDay`. */
export const SETTLEMENT_COLUMNS = [
  ...['date', 'merchant_id', 'currency'],
  ...WALLET_ACCOUNTS.map((account) => `opening_${account}`),
  ...REASONS.map((reason) => `moved_${reason}`),
  ...WALLET_ACCOUNTS.map((account) => `closing_${account}`),
];

/** Columns of the movements by channel and method, in the order of `viewCarried`. */
export const CARRIED_COLUMNS = [
  ...['date', 'merchant_id', 'currency', 'channel', 'payment_method_type'],
  ...REASONS.map((reason) => `moved_${reason}`),
];

/** A day in UTC, such as 2026-03-02. */
export function formatDay(day: number): string {
  return timestamp(day).slice(0, DATE_CHARS);
}

/** The beginning of a day in UTC, in milliseconds since 1970; undefined if there is no such day. */
export function parseDay(date: string): number | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN;
  return !Number.isNaN(day) && formatDay(day) === date ? day : undefined;
}

/** The days of all wallets, or of a merchant's, in pages: wallet by wallet, day by day. */
export async function* settlementPages(
  db: Database,
  merchantId: number | undefined,
  options: SettlementOptions,
): AsyncGenerator<readonly WalletDay[]> {
  for await (const wallets of walletPages(db, merchantId, options.now, PAGE))
    yield await settleWallets(db, wallets, options);
}

export function viewDay({ day, merchantId, currency, opening, moved, closing }: WalletDay): Exported {
  return {
    ...{ date: formatDay(day), merchant_id: merchantId, currency },
    ...named('opening', opening),
    ...named('moved', moved),
    ...named('closing', closing),
  };
}

export function viewCarried({ day, merchantId, currency, carrier, moved }: CarriedDay): Exported {
  return {
    ...{ date: formatDay(day), merchant_id: merchantId, currency },
    ...(carrier && { channel: carrier.channel, payment_method_type: carrier.method }),
    ...named('moved', moved),
  };
}

/** The nonzero movements, in order, each with its changes to the wallet's accounts. */
export function listChanges({
  moved,
}: Pick<WalletDay, 'moved'>): { readonly reason: Reason; readonly changes: readonly bigint[] }[] {
  return REASONS.filter((reason) => moved[reason] !== 0n).map((reason) => {
    const sum = { ...createEntry(reason, 1), sum: moved[reason] };
    return { reason, changes: WALLET_ACCOUNTS.map((account) => signedSum(sum, account)) };
  });
}

function named(prefix: string, sums: Readonly<Record<string, bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [`${prefix}_${name}`, String(sum)]));
}

/** The entries since the day are read, so that an earlier one takes longer. */
const DAYS_BACK_MAX = 31;

export const listSettlements: DatabaseOperation<'listSettlements'> = async (
  { store, clock },
  { parameters, merchantId },
) => {
  const now = clock.now();
  const days = requireDay(parameters.date, now);
  const limit = readLimit(parameters);
  const after = parseCursor(parameters);
  const settled = await store.snapshot(async (db) => {
    const wallets = await listWallets(db, merchantId, { after, limit: limit + 1, now });
    return settleWallets(db, wallets, { days, now, pause: nextTurn });
  });
  return buildPage(
    settled,
    limit,
    ({ merchantId: id, currency }) => `${id}.${currency}`,
    (one) => viewDay(one) as unknown as Settlement,
  );
};

const nextTurn = () => new Promise<void>((resolve) => systemTimers.nextTurn(resolve));

function requireDay(date: string, now: number): Days {
  const day = parseDay(date);
  const earliest = now - DAYS_BACK_MAX * DAY_MS;
  if (day === undefined || day > now || day + DAY_MS <= earliest) {
    const message = `must be a day from ${formatDay(earliest)} to ${formatDay(now)}`;
    throw invalid([{ in: 'query', pointer: '/date', message }]);
  }
  return { from: day, before: day + DAY_MS };
}

/** The wallet after which a page begins. */
function parseCursor({ cursor }: PageParameters): WalletKey | undefined {
  if (cursor === undefined) return undefined;
  const [, merchantId, currency] = /^(\d{1,12})\.([A-Z]{3})$/.exec(cursor) ?? [];
  if (merchantId === undefined || currency === undefined) throw unknownCursor();
  return { merchantId: Number(merchantId), currency };
}
