/** The command `backup`, which is for SQLite only: PostgreSQL has its own tools. */
import { existsSync, statSync } from 'node:fs';
import { UserError } from '../../../contract/src/cli.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { backupSqlite } from '../database/sqlite/backup.ts';
import { isDamage } from '../database/sqlite/translate-errors.ts';
import { RESTORE, requireDatabase } from './open-store.ts';

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
