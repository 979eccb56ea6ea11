/** Gateway processes on one database. */

import type { Store } from '../../gateway/src/database/store.ts';
import { auditStore } from '../../gateway/src/management/audit.ts';
import { connect } from '../load/merchants.ts';
import { type Server, startGatewayProcess } from '../tools/server.ts';
import type { Findings } from './part.ts';

export type Environment = Readonly<Record<string, string>>;

/** Settings of every gateway under torture, besides its database. */
export const BASE: Environment = {
  DATABASE_URL: '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'fatal',
  REQUESTS_PER_SECOND: '1000000',
  CALLBACK_ALLOW: '127.0.0.0/8',
};

/** Starts a gateway and waits for it to listen. Throws with its output if it doesn't. */
export function startGateway(env: Environment): Promise<Server> {
  return startGatewayProcess({ ...BASE, ...env });
}

/**
 * Runs the work with a temporary connection to the gateways' database. An open connection to the SQLite file would
 * spare the next gateway the recovery after a kill.
 */
export async function inDatabase<T>(env: Environment, work: (store: Store) => Promise<T>): Promise<T> {
  const store = connect(env);
  return work(store).finally(() => store.close());
}

/** Audits a consistent snapshot of the ledger, even while gateways write. */
export async function audit(env: Environment, findings: Findings): Promise<void> {
  const { differences } = await inDatabase(env, auditStore);
  for (const difference of differences) findings.add(`audit: ${difference}`);
}
