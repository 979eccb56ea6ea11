/** The commands `export`: transactions, ledger and balances for accounting, with totals on stderr. */
import type { Terminal } from '../../../contract/src/cli.ts';
import { EXPORTS } from '../administration/exports.ts';
import { Totals } from '../administration/totals.ts';
import type { GatewayConfig } from '../config/settings.ts';
import type { Store } from '../store/engine/store.ts';
import { describeUnread, withBooks } from './books.ts';
import { requireMerchant } from './merchants.ts';
import { type Format, printRows } from './rows-output.ts';

export interface ExportOptions {
  readonly config: GatewayConfig;
  readonly force: boolean;
  readonly format?: Format;
  readonly output?: string;
  /** The number of a merchant. */
  readonly merchant?: string;
  /** Times of creations, or of entries: the first one, and the one after the last. Milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  /** Files or URLs of archives, whose rows count too. */
  readonly archive?: readonly string[];
}

/** Writes the rows, and then prints the totals. */
export async function exportCommand(
  store: Store,
  what: keyof typeof EXPORTS,
  { config, force, format = 'csv', output, merchant, from, to, archive = [] }: ExportOptions,
  terminal: Terminal,
): Promise<number> {
  const merchantId = merchant === undefined ? undefined : (await requireMerchant(store, merchant)).id;
  const { columns, unit, pages } = EXPORTS[what];
  const selection = { merchantId, created: { from, before: to } };
  const totals = new Totals();
  await withBooks(store, { config, archives: archive }, async ({ databases, unread }) => {
    const source = { databases, unread: unread.map(({ id }) => id) };
    await printRows(terminal, columns, { format, output, force }, async (add) => {
      for await (const page of pages(source, selection, totals)) await add(page);
    });
    const isComplete = what === 'balances' || unread.length === 0;
    terminal.err([`${totals.rows} ${unit}`, ...totals.lines(), isComplete ? '' : describeUnread(unread)].join('\n'));
  });
  return 0;
}
