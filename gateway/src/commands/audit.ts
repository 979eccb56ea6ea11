/** The command `audit`: compares transactions, ledger entries and wallets, and prints what differs. */
import { auditStore } from '../store/audit-books.ts';
import type { Store } from '../store/store.ts';

/** Prints the differences and a summary. The exit code is 1 if there is a difference. */
export async function auditCommand(store: Store, print: (text: string) => void): Promise<number> {
  const { transactions, entries, wallets, differences, found } = await auditStore(store);
  const more = found > differences.length ? [`and ${found - differences.length} more differences`] : [];
  const summary = `${transactions} transactions, ${wallets} wallets, ${entries} entries, ${found} differences`;
  print(`${[...differences, ...more, summary].join('\n')}\n`);
  return found === 0 ? 0 : 1;
}
