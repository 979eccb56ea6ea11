/** Gateways in processes of their own, on one database, with a merchant whose wallet is full. */
import { auditStore } from '../../gateway/src/store/books/audit-books.ts';
import { openPostgres } from '../../gateway/src/store/engine/postgres/postgres-store.ts';
import { openSqlite } from '../../gateway/src/store/engine/sqlite/sqlite-store.ts';
import type { Store } from '../../gateway/src/store/engine/store.ts';
import { run } from '../../scripts/tools/process.ts';
import { GATEWAY, type Server, startGatewayProcess } from '../tools/server.ts';
import type { Findings } from './part.ts';

/** Enough for every payout, in minor units. */
export const FUNDED = 1_000_000_000_000;
export const CURRENCY = 'INR';

export type Environment = Readonly<Record<string, string>>;

export interface Account {
  readonly id: string;
  readonly key: string;
  readonly secret: string;
}

/** Settings of every tortured gateway, besides its database. */
export const BASE: Environment = {
  DATABASE_URL: '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'fatal',
  REQUESTS_PER_SECOND: '1000000',
  CALLBACK_ALLOW: '127.0.0.0/8',
};

/** Adds a merchant with the gateway's own commands. */
export async function addAccount(env: Environment, name: string): Promise<Account> {
  const administer = (...args: string[]) => run(process.execPath, [GATEWAY, ...args], { env: { ...BASE, ...env } });
  await administer('migrate');
  const { stdout } = await administer('merchant', 'create', name, CURRENCY);
  const read = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? '';
  const account = {
    id: read(/merchant +(\d+)/),
    key: read(/API key +(\S+)/),
    secret: read(/signing secret +(\S+)/),
  };
  await administer('fund', account.id, String(FUNDED), CURRENCY);
  return account;
}

/** Starts a gateway and waits until it listens. Throws with what it printed when it does not. */
export function startGateway(env: Environment): Promise<Server> {
  return startGatewayProcess({ ...BASE, ...env });
}

/**
 * Does the work with a connection of its own to the database of the gateways. It lasts no longer: while anybody has
 * SQLite's file open, who starts after a kill finds the log as it was left, and need not recover it.
 */
export async function inDatabase<T>(env: Environment, work: (store: Store) => Promise<T>): Promise<T> {
  const store = env['DATABASE_URL']
    ? openPostgres(env['DATABASE_URL'], { max: 2 })
    : openSqlite(env['DATABASE_FILE'] ?? '');
  return work(store).finally(() => store.close());
}

/** Audits a consistent snapshot of the books, also while gateways write. */
export async function audit(env: Environment, findings: Findings): Promise<void> {
  const { differences } = await inDatabase(env, auditStore);
  for (const difference of differences) findings.add(`audit: ${difference}`);
}
