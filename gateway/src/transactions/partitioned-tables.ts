/** The tables that grow with time, and their partitions on PostgreSQL (docs/decisions/0012-partitions.md). */
import type { PartitionedTable } from '../database/store.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Since 1970, whose first Monday was the 5th of January. */
const FIRST_MONDAY = 4;

export const PARTITIONED_TABLES: readonly PartitionedTable[] = [
  {
    name: 'events',
    key: 'id',
    prefixes: ['evt'],
    beginOf: (time, later = 0) => (Math.floor((time / DAY_MS - FIRST_MONDAY) / 7 + later) * 7 + FIRST_MONDAY) * DAY_MS,
    dateChars: 10,
    kept: { condition: 'next_at is not null', reason: 'webhooks in it wait' },
  },
  {
    // By the transaction, so that the constraint against posting twice contains the key, as PostgreSQL demands.
    name: 'ledger_entries',
    key: 'transaction_id',
    prefixes: ['pay', 'out'],
    beginOf: (time, later = 0) => {
      const date = new Date(time);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
    },
    dateChars: 7,
  },
];
