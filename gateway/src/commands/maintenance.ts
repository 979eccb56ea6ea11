/** Commands that maintain the database: `audit`, `backup` and `restored`. */
import { existsSync, statSync } from 'node:fs';
import { requireParsed, UserError } from '../../../contract/src/cli.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { backupSqlite } from '../database/sqlite/database-file.ts';
import { isDamage } from '../database/sqlite/translate-errors.ts';
import { auditStore, UnreadableTable } from '../management/audit.ts';
import { recordRestore } from '../management/restores.ts';
import type { ChainLink } from '../operators/audit-log.ts';
import type { DatabaseCommand } from './database-commands.ts';
import { describeStore, RESTORE, requireDatabase } from './open-store.ts';

/** Parses a link of the audit log as the command prints it, such as `12:9f86d081…`. */
const parseChainLink = requireParsed((given): ChainLink | undefined => {
  const [, sequence, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(given) ?? [];
  return sequence === undefined || hash === undefined ? undefined : { sequence: Number(sequence), hash };
}, 'It must be the number and the hash that an earlier audit printed, such as 12:9f86… with 64 digits.');

export const AUDIT: DatabaseCommand = {
  usage: 'audit',
  description:
    "Compare every transaction, ledger entry and wallet, verify the operators' audit log, and list the differences.",
  options: [
    {
      form: '--log-end <link>',
      description: 'End of the audit log by an earlier audit. Report if the log no longer contains it.',
      parse: parseChainLink,
    },
  ],
  async run({ store, config, options, terminal }) {
    const known = options['logEnd'] as ChainLink | undefined;
    const { logEnd, differences, found, ...totals } = await auditStore(store, { known }).catch((error: unknown) => {
      if (!(error instanceof UnreadableTable)) throw error;
      const problem = (error.cause as Error).message;
      throw new UserError(`Can't read the table ${error.table} of ${describeStore(config)}: ${problem}\n${RESTORE}`);
    });
    const unlisted = found > differences.length ? [`and ${found - differences.length} more differences`] : [];
    const log = logEnd && logEnd.sequence > 0 ? [`the audit log ends with ${logEnd.sequence}:${logEnd.hash}`] : [];
    const { transactions, wallets, entries } = totals;
    const summary = `${transactions} transactions, ${wallets} wallets, ${entries} entries, ${found} differences`;
    terminal.out(`${[...differences, ...unlisted, ...log, summary].join('\n')}\n`);
    return found === 0 ? 0 : 1;
  },
};

/** Copies the database to a new file. Returns what to print. */
export async function backupCommand(config: GatewayConfig, target: string): Promise<string> {
  if (config.databaseUrl) {
    throw new UserError(
      `Can't back up PostgreSQL. Use its own tool: pg_dump --format=custom --file='${target}' "$DATABASE_URL"`,
      2,
    );
  }
  requireDatabase(config);
  if (existsSync(target)) throw new UserError(`${target} already exists. Name a file that doesn't.`);
  try {
    backupSqlite(config.databaseFile, target, Date.now());
  } catch (error) {
    const next = isDamage(error) ? RESTORE : 'Check both paths, their permissions, and that the disk has room.';
    throw new UserError(`Can't back up ${config.databaseFile} to ${target}: ${(error as Error).message}\n${next}`);
  }
  return `wrote ${target} (${statSync(target).size} bytes)`;
}

export const RESTORED: DatabaseCommand = {
  usage: 'restored',
  description: 'Pause payouts after a restore from a backup. Run it before you start a gateway.',
  options: [
    {
      form: '--complete',
      description:
        'Resume payouts instead, because no commit was lost, such as after a failover to a synchronous standby.',
    },
  ],
  action: 'recordRestore',
  async run({ store, options, author: { operator: by, record, clock } }) {
    const isComplete = options['complete'] === true;
    const location = await store.location?.();
    await store.unit(async (db) => {
      await recordRestore(db, { location, isComplete, by, at: clock.now() });
      await record(db, { subject: isComplete ? 'complete' : 'payouts paused' });
    });
    if (isComplete) return 'nothing is missing, and payouts are not paused';
    return `payouts are paused
1. Start the gateways.
2. Compare the database with the statement of each channel: payments-gateway reconcile CHANNEL STATEMENT --from TIME
3. Import what is unknown here, and resume: payments-gateway payout resume --reason 'REASON'`;
  },
};
