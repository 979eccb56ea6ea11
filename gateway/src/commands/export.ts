/** The commands `export`: transactions, ledger and balances for accounting, with totals on stderr. */
import type { CommandTerminal } from '../../../contract/src/cli.ts';
import type { Store } from '../database/store.ts';
import { EXPORTS } from '../management/exports.ts';
import { Totals } from '../management/totals.ts';
import { requireMerchant } from './merchants.ts';
import { type Format, printRows, printSnapshot } from './rows-output.ts';

export interface ExportOptions {
  readonly force: boolean;
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
  { force, format = 'csv', output, merchant, from, to }: ExportOptions,
  terminal: CommandTerminal,
): Promise<number> {
  const merchantId = merchant === undefined ? undefined : (await requireMerchant(store, merchant)).id;
  const { columns, unit, pages } = EXPORTS[what];
  const selection = { merchantId, created: { from, before: to } };
  const totals = new Totals();
  await printSnapshot(store, async (db) => {
    await printRows(terminal, columns, { format, output, force }, async (add) => {
      for await (const page of pages(db, selection, totals)) await add(page);
    });
  });
  terminal.err(`${[`${totals.rows} ${unit}`, ...totals.lines()].join('\n')}\n`);
  return 0;
}
