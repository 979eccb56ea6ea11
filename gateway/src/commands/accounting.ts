/** The commands for accounting, as data. */
import { type CommandTerminal, parseName, parseTime, requireParsed, UserError } from '../../../contract/src/cli.ts';
import type { Database, Store } from '../database/store.ts';
import { type CarriedDay, carriedDays, DAY_MS, type Days, type WalletDay } from '../ledger/settlements.ts';
import { WALLET_ACCOUNTS, walletPages } from '../ledger/wallets.ts';
import { EXPORTS, Totals } from '../management/exports.ts';
import {
  CARRIED_COLUMNS,
  formatDay,
  listChanges,
  parseDay,
  SETTLEMENT_COLUMNS,
  settlementPages,
  viewCarried,
  viewDay,
} from '../management/settlements.ts';
import type { DatabaseCommand, DatabaseGroup, OwnOption } from './database-commands.ts';
import { requireMerchant } from './merchants.ts';
import { FORMATS, type Format, printRows, printSnapshot } from './rows-output.ts';

const SETTLEMENT_FORMATS = ['table', ...FORMATS] as const;

const FORCE = 'Replace the file if it exists.';

const parseDayOption = requireParsed(parseDay, 'It must be a day in UTC, such as 2026-03-02.');

const OF_MERCHANT: OwnOption = { form: '--merchant <merchant-id>', description: 'Only rows of this merchant.' };

const OUTPUT: readonly OwnOption[] = [
  { form: `--format <${FORMATS.join('|')}>`, description: 'Defaults to csv.', parse: parseName(FORMATS) },
  {
    form: '--output <file>',
    description: 'Write to this file, which appears once it is complete. Defaults to stdout.',
  },
];

function periodOptions(what: string): readonly OwnOption[] {
  return [
    {
      form: '--from <time>',
      description: `Only ${what} at or after this time in UTC, such as 2026-03-02.`,
      parse: parseTime,
    },
    { form: '--to <time>', description: `Only ${what} before this time.`, parse: parseTime },
  ];
}

function defineExport(
  usage: keyof typeof EXPORTS,
  description: string,
  period: readonly OwnOption[] = [],
): DatabaseCommand {
  return {
    ...{ usage, description, force: FORCE },
    options: [...OUTPUT, OF_MERCHANT, ...period],
    run: ({ store, clock, terminal, force, options }) =>
      exportCommand(store, usage, { force, now: clock.now(), ...options }, terminal),
  };
}

export const EXPORT: DatabaseGroup = {
  name: 'export',
  description: 'Write transactions, ledger entries or balances for accounting, and print their totals to stderr.',
  commands: [
    defineExport(
      'transactions',
      'Write payments, then payouts, each ordered by creation.',
      periodOptions('transactions created'),
    ),
    defineExport('ledger', 'Write ledger entries, ordered by wallet and time.', periodOptions('entries')),
    defineExport('balances', 'Write the current wallets.'),
  ],
};

export const SETTLEMENT: DatabaseCommand = {
  usage: 'settlement',
  description: 'Print the opening balance, movements and closing balance of each wallet on a day in UTC.',
  options: [
    { form: '--date <day>', description: 'The day, such as 2026-03-02.', parse: parseDayOption },
    { form: '--from <day>', description: 'The first of several days.', parse: parseDayOption },
    { form: '--to <day>', description: 'The day after the last one.', parse: parseDayOption },
    {
      form: `--format <${SETTLEMENT_FORMATS.join('|')}>`,
      description: 'Defaults to table.',
      parse: parseName(SETTLEMENT_FORMATS),
    },
    { form: '--merchant <merchant-id>', description: 'Only the wallets of this merchant.' },
    { form: '--by-method', description: 'Print the movements by channel and method instead, without balances.' },
  ],
  run: ({ store, clock, terminal, options }) => settlementCommand(store, { now: clock.now(), ...options }, terminal),
};

interface ExportOptions {
  readonly force: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly format?: Format;
  readonly output?: string;
  /** The number of a merchant. */
  readonly merchant?: string;
  /** Times of creations, or of entries: the first one, and the one after the last. Milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
}

/** Writes the rows, and then prints the totals. */
export async function exportCommand(
  store: Store,
  what: keyof typeof EXPORTS,
  { force, now, format = 'csv', output, merchant, from, to }: ExportOptions,
  terminal: CommandTerminal,
): Promise<number> {
  const merchantId = merchant === undefined ? undefined : (await requireMerchant(store, merchant)).id;
  const { columns, unit, pages } = EXPORTS[what];
  const selection = { merchantId, created: { from, before: to }, now };
  const totals = new Totals();
  await printSnapshot(store, async (db) => {
    await printRows(terminal, columns, { format, output, force }, async (add) => {
      for await (const page of pages(db, selection, totals)) await add(page);
    });
  });
  terminal.err(`${[`${totals.rows} ${unit}`, ...totals.lines()].join('\n')}\n`);
  return 0;
}

interface SettlementCommandOptions {
  readonly format?: (typeof SETTLEMENT_FORMATS)[number];
  /** The number of a merchant. */
  readonly merchant?: string;
  readonly byMethod?: boolean;
  /** The beginning of a day in UTC, in milliseconds since 1970. */
  readonly date?: number;
  /** The same of the first day, and of the one after the last. */
  readonly from?: number;
  readonly to?: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const DAYS_MAX = 366;

async function settlementCommand(
  store: Store,
  { format = 'table', merchant, byMethod = false, now, ...period }: SettlementCommandOptions,
  terminal: CommandTerminal,
): Promise<number> {
  const days = requireDays(period);
  const merchantId = merchant === undefined ? undefined : (await requireMerchant(store, merchant)).id;
  await printSnapshot(store, async (db) => {
    const pages = settlementPages(db, merchantId, { days, now });
    if (byMethod) await printByMethod(terminal, db, { merchantId, days, format, now });
    else if (format === 'table') await printStatements(terminal, pages);
    else
      await printRows(terminal, SETTLEMENT_COLUMNS, { format, force: false }, async (add) => {
        for await (const page of pages) await add(page.map(viewDay));
      });
  });
  if (days.before > now)
    terminal.err(`${formatDay(days.before - DAY_MS)} isn't over: its closing balance is the one of now.\n`);
  return 0;
}

interface ByMethodOptions {
  readonly merchantId: number | undefined;
  readonly days: Days;
  readonly format: (typeof SETTLEMENT_FORMATS)[number];
  readonly now: number;
}

/** Prints a row for each day, wallet, channel and method. */
async function printByMethod(
  terminal: CommandTerminal,
  db: Database,
  { merchantId, days, format, now }: ByMethodOptions,
): Promise<void> {
  async function printWallets(print: (day: CarriedDay) => Promise<void>) {
    for await (const wallets of walletPages(db, merchantId, now)) {
      for (const wallet of wallets) for await (const day of carriedDays(db, wallet, days)) await print(day);
    }
  }
  if (format !== 'table') {
    return printRows(terminal, CARRIED_COLUMNS, { format, force: false }, (add) =>
      printWallets((day) => add([viewCarried(day)])),
    );
  }
  await printWallets(async (carried) => {
    terminal.out(`${formatCarried(carried)}\n`);
    await terminal.outDrained?.();
  });
}

/** A line such as `2026-03-02  merchant 10001  INR  bank  UPI_IN  collected 100000, settled 50000`. */
function formatCarried(carried: CarriedDay): string {
  const { day, merchantId, currency, carrier, moved } = carried;
  const movements = listChanges(carried).map(({ reason }) => `${reason} ${moved[reason]}`);
  const name = carrier ? [carrier.channel || 'no channel', carrier.method] : ['no channel', 'no method'];
  return [formatDay(day), `merchant ${merchantId}`, currency, ...name, movements.join(', ')].join('  ');
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
