/** The command `audit`: compares transactions, ledger entries and wallets, and prints the differences. */
import { UserError } from '../../../contract/src/cli.ts';
import type { GatewayConfig } from '../config/settings.ts';
import type { Store } from '../database/store.ts';
import { auditStore, UnreadableTable } from '../management/audit.ts';
import { describeStore, RESTORE } from './open-store.ts';

/** Prints the differences and a summary. The exit code is 1 if there is a difference. */
export async function auditCommand(
  store: Store,
  config: GatewayConfig,
  print: (text: string) => void,
): Promise<number> {
  const { transactions, entries, wallets, differences, found } = await auditStore(store).catch((error: unknown) => {
    if (!(error instanceof UnreadableTable)) throw error;
    const problem = (error.cause as Error).message;
    throw new UserError(`Can't read the table ${error.table} of ${describeStore(config)}: ${problem}\n${RESTORE}`);
  });
  const unlisted = found > differences.length ? [`and ${found - differences.length} more differences`] : [];
  const summary = `${transactions} transactions, ${wallets} wallets, ${entries} entries, ${found} differences`;
  print(`${[...differences, ...unlisted, summary].join('\n')}\n`);
  return found === 0 ? 0 : 1;
}
