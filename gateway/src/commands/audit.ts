/** The command `audit`: compares transactions, ledger entries and wallets, and prints what differs. */
import { UserError } from '../../../contract/src/cli.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { UnusableArchive } from '../store/archive/archives.ts';
import { auditArchive } from '../store/archive/audit-archives.ts';
import { auditStore, UnreadableTable } from '../store/books/audit-books.ts';
import type { Store } from '../store/engine/store.ts';
import { configOf, describeStore, RESTORE, withExistingStore } from './open-store.ts';

export interface AuditCommandOptions {
  readonly config: GatewayConfig;
  /** Files or URLs of archives, to compare the database with. */
  readonly archives: readonly string[];
}

/** Prints the differences and a summary. The exit code is 1 if there is a difference. */
export async function auditCommand(
  store: Store,
  { config, archives }: AuditCommandOptions,
  print: (text: string) => void,
): Promise<number> {
  let found = await auditBooks(store, config, print);
  for (const database of archives) {
    const archive = configOf(config, database);
    found += await withExistingStore(archive, async (target) => {
      print(`archive: ${describeStore(archive)}\n`);
      return (await auditBooks(target, archive, print)) + (await compareWithArchive(store, target, print));
    });
  }
  return found === 0 ? 0 : 1;
}

/** Audits one database. Returns the number of differences. */
async function auditBooks(store: Store, config: GatewayConfig, print: (text: string) => void): Promise<number> {
  const { transactions, entries, wallets, differences, found } = await auditStore(store).catch((error: unknown) => {
    if (!(error instanceof UnreadableTable)) throw error;
    const problem = (error.cause as Error).message;
    throw new UserError(`Can't read the table ${error.table} of ${describeStore(config)}: ${problem}\n${RESTORE}`);
  });
  const summary = `${transactions} transactions, ${wallets} wallets, ${entries} entries, ${found} differences`;
  print(`${[...differences, ...unlisted(differences, found), summary].join('\n')}\n`);
  return found;
}

async function compareWithArchive(store: Store, target: Store, print: (text: string) => void): Promise<number> {
  const { archived, inBoth, differences, found } = await auditArchive(store, target).catch((error: unknown) => {
    throw error instanceof UnusableArchive ? new UserError(`Can't compare with the archive: ${error.message}.`) : error;
  });
  const unfinished = inBoth > 0 ? [`${inBoth} transactions are in both, until archive runs again`] : [];
  const summary = `${archived} transactions archived, ${found} differences from the database`;
  print(`${[...differences, ...unlisted(differences, found), ...unfinished, summary].join('\n')}\n`);
  return found;
}

function unlisted(differences: readonly string[], found: number): string[] {
  return found > differences.length ? [`and ${found - differences.length} more differences`] : [];
}
