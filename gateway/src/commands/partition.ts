/** The command `partition`: partitions the tables that grow by time, on PostgreSQL. */
import { UserError } from '../../../contract/src/cli.ts';
import { CannotPartition, partitionTables } from '../database/postgres/partition-tables.ts';
import { LockTimeout, type Store } from '../database/store.ts';
import { PARTITIONED_TABLES } from '../transactions/partitioned-tables.ts';

/** Partitions the tables, once. */
export async function partitionCommand(store: Store, now: number): Promise<string> {
  try {
    const done = await partitionTables(store, PARTITIONED_TABLES, now);
    if (!done) return 'events and ledger_entries are already partitioned';
    return 'partitioned events by week and ledger_entries by month; running gateways create the partitions to come';
  } catch (error) {
    if (error instanceof CannotPartition) throw new UserError(`Can't partition the tables: ${error.message}.`);
    if (error instanceof LockTimeout) {
      throw new UserError(
        "Can't partition the tables: they are in use. Stop the gateways, then run the command again.",
      );
    }
    throw error;
  }
}
