/** A durable PostgreSQL for the bench, and gateways on it. */
import { DEFAULTS } from '../../gateway/src/config/settings.ts';
import { addMerchant } from '../load/merchants.ts';
import { databaseUrl, type Postgres, query, startPostgres } from '../tools/postgres.ts';
import type { Server } from '../tools/server.ts';
import { startGateway } from './servers.ts';

/** PostgreSQL connections of each gateway. */
export const POOL = DEFAULTS.databaseConnections;

/** Production settings: an acknowledged commit survives a power cut. */
const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };
const SETTINGS = { ...DURABLE, max_connections: '300' };

/** The settings in words, for a table's note. */
export const DURABLE_NOTE = `PostgreSQL runs on the same machine with ${Object.entries(DURABLE)
  .map(([name, value]) => `${name}=${value}`)
  .join(', ')}.`;

/** Gateways that share a database. */
export interface Cluster {
  readonly url: string;
  readonly servers: readonly Server[];
  /** API keys of its merchants. */
  readonly keys: readonly string[];
}

/** Starts the server, runs the work, and stops the server. */
export async function withPostgres<T>(work: (postgres: Postgres) => Promise<T>): Promise<T> {
  const postgres = await startPostgres(SETTINGS);
  return work(postgres).finally(() => postgres.close());
}

/** Creates an empty database and returns its URL. */
export async function createDatabase({ url }: Postgres, name: string): Promise<string> {
  await query(url, `create database ${name}`);
  return databaseUrl(url, name);
}

/** Creates a database with this many merchants and starts gateways on it. */
export async function startCluster(postgres: Postgres, name: string, size: number, merchants = 1): Promise<Cluster> {
  const url = await createDatabase(postgres, name);
  const database = { DATABASE_URL: url, DATABASE_CONNECTIONS: String(POOL) };
  const keys: string[] = [];
  while (keys.length < merchants) keys.push((await addMerchant(database)).key);
  return {
    url,
    servers: await Promise.all(Array.from({ length: size }, () => startGateway(database))),
    keys,
  };
}
