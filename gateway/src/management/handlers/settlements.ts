/** Days of wallets. */
import type { Settlement, SettlementList } from '../../../../generated/management/types.ts';
import { invalid } from '../../http/problems.ts';
import { DAY_MS, type Days, settleWallets } from '../../ledger/settlements.ts';
import { listWallets, type WalletKey } from '../../ledger/wallets.ts';
import { systemTimers } from '../../platform/timers.ts';
import type { ManagementCall, ManagementServices } from '../operation.ts';
import { buildPage, type PageParameters, readLimit, unknownCursor } from '../pages.ts';
import { formatDay, parseDay, viewDay } from '../settlements.ts';

/** The entries since the day are read, so that an earlier one takes longer. */
const DAYS_BACK_MAX = 31;

export async function listSettlements(
  { store, clock }: ManagementServices,
  { parameters, merchantId }: ManagementCall<undefined, PageParameters & { readonly date: string }>,
): Promise<SettlementList> {
  const now = clock.now();
  const days = requireDay(parameters.date, now);
  const limit = readLimit(parameters);
  const after = parseCursor(parameters);
  const settled = await store.snapshot(async (db) => {
    const wallets = await listWallets(db, merchantId, { after, limit: limit + 1 });
    return settleWallets(db, wallets, { days, now, pause: nextTurn });
  });
  return buildPage(
    settled,
    limit,
    ({ merchantId: id, currency }) => `${id}.${currency}`,
    (one) => viewDay(one) as unknown as Settlement,
  );
}

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
