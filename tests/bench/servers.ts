/** The compared servers, each in a separate process on loopback. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../scripts/tools/process.ts';
import { addMerchant, type DatabaseSettings } from '../load/merchants.ts';
import { freePort } from '../tools/port.ts';
import { type Server, startGatewayProcess, startServer } from '../tools/server.ts';

const FLOOR = fileURLToPath(new URL('floor.ts', import.meta.url));
const BARE_FLOW = fileURLToPath(new URL('bare-flow.ts', import.meta.url));
const PRISM = fileURLToPath(import.meta.resolve('@stoplight/prism-cli'));

/** A POST with two durable inserts. */
export function startFloor(folder: string): Promise<Server> {
  return startServer([FLOOR, 'floor', join(folder, 'floor.db')]);
}

/** The minimum of a payment's whole flow, on a separate database. */
export function startBareFlow(database: DatabaseSettings, key: string): Promise<Server> {
  const [kind, place] =
    'DATABASE_FILE' in database ? ['sqlite', database.DATABASE_FILE] : ['postgres', database.DATABASE_URL];
  return startServer([BARE_FLOW, kind, place, key]);
}

/** node:http with a constant response. */
export function startEcho(): Promise<Server> {
  return startServer([FLOOR, 'echo']);
}

/** Prism's own command with its default settings. */
export async function startPrism(): Promise<Server> {
  const port = await freePort();
  return startServer([PRISM, 'mock', join(ROOT, 'generated/openapi.json'), '-p', String(port)], {
    url: `http://127.0.0.1:${port}`,
    ready: /is listening/,
  });
}

/** Without log lines, rate limits and sandbox. */
export const BENCH_SETTINGS = {
  SANDBOX: 'false',
  DATABASE_URL: '',
  PORT: '0',
  LOG_LEVEL: 'silent',
  REQUESTS_PER_SECOND: '1000000',
  CALLBACK_ALLOW: '127.0.0.0/8',
};

/** The gateway on a database, started as by `npm run gateway`, with the bench's settings. */
export function startGateway(database: DatabaseSettings): Promise<Server> {
  return startGatewayProcess({ ...BENCH_SETTINGS, ...database });
}

export interface BenchGateway extends Server {
  /** API key of its merchant. */
  readonly key: string;
}

/** The gateway on a new database, with a merchant. */
export async function startGatewayWithMerchant(database: DatabaseSettings): Promise<BenchGateway> {
  const { key } = await addMerchant(database);
  return { ...(await startGateway(database)), key };
}
