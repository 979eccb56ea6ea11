/** The command `settlement`: what happened to each wallet on a day. */
import { type CommandTerminal, UserError } from '../../../contract/src/cli.ts';
import type { Store } from '../database/store.ts';
import { DAY_MS, type Days, type WalletDay } from '../ledger/settlements.ts';
import { WALLET_ACCOUNTS } from '../ledger/wallets.ts';
import { formatDay, listChanges, SETTLEMENT_COLUMNS, settlementPages, viewDay } from '../management/settlements.ts';
import { requireMerchant } from './merchants.ts';
import { FORMATS, printRows, printSnapshot } from './rows-output.ts';

export const SETTLEMENT_FORMATS = ['table', ...FORMATS] as const;

export interface SettlementCommandOptions {
  readonly format?: (typeof SETTLEMENT_FORMATS)[number];
  /** The number of a merchant. */
  readonly merchant?: string;
  /** The beginning of a day in UTC, in milliseconds since 1970. */
  readonly date?: number;
  /** The same of the first day, and of the one after the last. */
  readonly from?: number;
  readonly to?: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const DAYS_MAX = 366;

/** Prints each wallet's days. */
export async function settlementCommand(
  store: Store,
  { format = 'table', merchant, now, ...period }: SettlementCommandOptions,
  terminal: CommandTerminal,
): Promise<number> {
  const days = requireDays(period);
  const merchantId = merchant === undefined ? undefined : (await requireMerchant(store, merchant)).id;
  await printSnapshot(store, async (db) => {
    const pages = settlementPages(db, merchantId, { days, now });
    if (format === 'table') await printStatements(terminal, pages);
    else
      await printRows(terminal, SETTLEMENT_COLUMNS, { format, force: false }, async (add) => {
        for await (const page of pages) await add(page.map(viewDay));
      });
  });
  if (days.before > now)
    terminal.err(`${formatDay(days.before - DAY_MS)} isn't over: its closing balance is the one of now.\n`);
  return 0;
}

function requireDays({ date, from, to }: Pick<SettlementCommandOptions, 'date' | 'from' | 'to'>): Days {
  if (date !== undefined && from === undefined && to === undefined) return { from: date, before: date + DAY_MS };
  if (date !== undefined || from === undefined || to === undefined)
    throw new UserError('Say which day: --date 2026-03-02. Or which days: --from 2026-03-01 --to 2026-04-01.', 2);
  const count = (to - from) / DAY_MS;
  if (count < 1 || count > DAYS_MAX)
    throw new UserError(`--to must be 1 to ${DAYS_MAX} days after --from, and is the day after the last one.`, 2);
  return { from, before: to };
}

async function printStatements(terminal: CommandTerminal, pages: AsyncIterable<readonly WalletDay[]>): Promise<void> {
  for await (const page of pages) {
    for (const day of page) terminal.out(`${formatStatement(day)}\n\n`);
    await terminal.outDrained?.();
  }
}

/** A day of a wallet as lines: the opening balance, each movement that there was, and the closing balance. */
function formatStatement(walletDay: WalletDay): string {
  const { day, merchantId, currency, opening, closing } = walletDay;
  const movements = listChanges(walletDay).map(({ reason, changes }) => [reason, ...changes.map(signed)]);
  const lines = [
    [formatDay(day), ...WALLET_ACCOUNTS],
    ['opening', ...WALLET_ACCOUNTS.map((account) => String(opening[account]))],
    ...movements,
    ['closing', ...WALLET_ACCOUNTS.map((account) => String(closing[account]))],
  ];
  const width = Math.max(...lines.flatMap((cells) => cells.map((cell) => cell.length)));
  const text = lines.map(([name = '', ...cells]) => [name.padEnd(width), ...cells.map((cell) => cell.padStart(width))]);
  return [`merchant ${merchantId}  ${currency}`, ...text.map((cells) => cells.join('  ').trimEnd())].join('\n');
}

function signed(amount: bigint): string {
  if (amount === 0n) return '';
  return amount > 0n ? `+${amount}` : String(amount);
}
