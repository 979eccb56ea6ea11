/** The command `audit`: compares transactions, ledger entries and wallets, and prints what differs. */
import { type AuditTotals, auditBooks } from '../store/audit-books.ts';
import type { Store } from '../store/store.ts';

export interface Audit extends AuditTotals {
  /** What is wrong, one line each; empty when the books are right. No more than the first thousand. */
  readonly differences: readonly string[];
  /** How many differences there are. */
  readonly found: number;
}

const DIFFERENCES_MAX = 1_000;

/** Audits the books as they are at one moment, also while gateways write. Reads only. */
export async function auditStore(store: Store): Promise<Audit> {
  const differences: string[] = [];
  let found = 0;
  const totals = await store.snapshot((db) => {
    differences.length = 0;
    found = 0;
    return auditBooks(db, (difference) => {
      found += 1;
      if (differences.length < DIFFERENCES_MAX) differences.push(difference);
    });
  });
  return { ...totals, differences, found };
}

/** Prints the differences and a summary. The exit code is 1 if there is a difference. */
export async function auditCommand(store: Store, print: (text: string) => void): Promise<number> {
  const { transactions, entries, wallets, differences, found } = await auditStore(store);
  const more = found > differences.length ? [`and ${found - differences.length} more differences`] : [];
  const summary = `${transactions} transactions, ${wallets} wallets, ${entries} entries, ${found} differences`;
  print(`${[...differences, ...more, summary].join('\n')}\n`);
  return found === 0 ? 0 : 1;
}
