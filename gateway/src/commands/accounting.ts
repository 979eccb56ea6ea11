/** The commands for accounting, as data. */
import { parseName, parseTime, requireParsed } from '../../../contract/src/cli.ts';
import { parseDay } from '../management/settlements.ts';
import type { CommandGroup, DatabaseCommand, OwnOption } from './database-commands.ts';
import { exportCommand } from './export.ts';
import { FORMATS } from './rows-output.ts';
import { SETTLEMENT_FORMATS, settlementCommand } from './settlement.ts';

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

/** The period of an export. */
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

export const EXPORT: CommandGroup = {
  name: 'export',
  description: 'Write transactions, ledger entries or balances for accounting, and print their totals to stderr.',
  commands: [
    {
      usage: 'transactions',
      description: 'Write payments and payouts, ordered by creation.',
      force: FORCE,
      options: [...OUTPUT, OF_MERCHANT, ...periodOptions('transactions created')],
      run: ({ store, terminal, force, options }) =>
        exportCommand(store, 'transactions', { force, ...options }, terminal),
    },
    {
      usage: 'ledger',
      description: 'Write ledger entries, ordered by wallet and time.',
      force: FORCE,
      options: [...OUTPUT, OF_MERCHANT, ...periodOptions('entries')],
      run: ({ store, terminal, force, options }) => exportCommand(store, 'ledger', { force, ...options }, terminal),
    },
    {
      usage: 'balances',
      description: 'Write the current wallets.',
      force: FORCE,
      options: [...OUTPUT, OF_MERCHANT],
      run: ({ store, terminal, force, options }) => exportCommand(store, 'balances', { force, ...options }, terminal),
    },
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
  ],
  run: ({ store, clock, terminal, options }) => settlementCommand(store, { now: clock.now(), ...options }, terminal),
};
