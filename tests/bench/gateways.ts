/** The gateways under measurement, their databases, and the requests that they get. */
import { fileURLToPath } from 'node:url';
import { requestExamples } from '../../generated/examples.ts';
import type { CreatePaymentRequest, CreatePayoutRequest } from '../../generated/types.ts';
import { addMerchant, type DatabaseSettings } from '../load/merchants.ts';
import { databaseUrl, type Postgres, query, startPostgres } from '../tools/postgres.ts';
import { type Server, startGatewayProcess, startServer } from '../tools/server.ts';

const BARE_FLOW = fileURLToPath(new URL('bare-flow.ts', import.meta.url));
/** API key of the bare flow. */
const BARE_KEY = 'sk_test_bare_flow';

/** Without log lines, rate limits and sandbox. */
const BENCH_SETTINGS = {
  SANDBOX: 'false',
  DATABASE_URL: '',
  PORT: '0',
  LOG_LEVEL: 'silent',
  REQUESTS_PER_SECOND: '1000000',
  CALLBACK_ALLOW: '127.0.0.0/8',
  // As with LIVE, personal data is encrypted.
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
};

type GatewaySettings = DatabaseSettings & { readonly SANDBOX?: 'true' };

/** Gateways of one database, with API keys of merchants. */
export interface Fleet {
  readonly servers: readonly [Server, ...Server[]];
  readonly keys: readonly [string, ...string[]];
}

/** The gateway on a database, started as by `npm run gateway`, with the bench's settings. */
export function startGateway(settings: GatewaySettings): Promise<Server> {
  return startGatewayProcess({ ...BENCH_SETTINGS, ...settings });
}

/** Gateways on a new database. */
export async function startFleet(settings: GatewaySettings, size = 1, merchants = 1): Promise<Fleet> {
  const keys: [string, ...string[]] = [(await addMerchant(settings)).key];
  while (keys.length < merchants) keys.push((await addMerchant(settings)).key);
  const others = Array.from({ length: size - 1 }, () => startGateway(settings));
  return { servers: [await startGateway(settings), ...(await Promise.all(others))], keys };
}

/** The minimum of a payment's whole flow, on a separate database. */
export async function startBareFlow(database: DatabaseSettings): Promise<Fleet> {
  const args = 'DATABASE_FILE' in database ? ['sqlite', database.DATABASE_FILE] : ['postgres', database.DATABASE_URL];
  return { servers: [await startServer([BARE_FLOW, ...args, BARE_KEY])], keys: [BARE_KEY] };
}

/** node:http with a constant response. */
export async function startEcho(): Promise<Fleet> {
  return { servers: [await startServer([BARE_FLOW, 'echo'])], keys: ['key'] };
}

export async function endAll(...fleets: readonly Fleet[]): Promise<void> {
  await Promise.all(fleets.flatMap((fleet) => fleet.servers.map((server) => server.end())));
}

/** Production settings: an acknowledged commit survives a power cut. */
const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };
export const DURABLE_NOTE = `PostgreSQL runs on the same machine with ${Object.entries(DURABLE)
  .map(([name, value]) => `${name}=${value}`)
  .join(', ')}.`;

/** Starts a server, runs the work, and stops the server. */
export async function withPostgres<T>(work: (postgres: Postgres) => Promise<T>): Promise<T> {
  const postgres = await startPostgres({ ...DURABLE, max_connections: '300' });
  return work(postgres).finally(() => postgres.close());
}

export async function createDatabase({ url }: Postgres, name: string): Promise<{ DATABASE_URL: string }> {
  await query(url, `create database ${name}`);
  return { DATABASE_URL: databaseUrl(url, name) };
}

const CUSTOMERS = 10_000;
/** A closed port: deliveries fail at once and are retried later. */
const CLOSED_URL = 'http://127.0.0.1:9/';
/** Minor units, small enough to exhaust no wallet and no customer's limit. */
const PAYOUT_AMOUNT = 1_000;
/** Multiplication by this constant spreads consecutive numbers over the 32-bit range (Knuth's multiplicative hash). */
export const SCATTER = 2_654_435_761;

/** The number in 8 hexadecimal digits that sort in another order than the numbers. */
function scatter(number: number): string {
  return (Math.imul(number, SCATTER) >>> 0).toString(16).padStart(8, '0');
}

/** Creates payments of many customers. Their order ids and customers spread over the database's indexes. */
export function createPayments(tag: string, callbackUrl = CLOSED_URL): () => CreatePaymentRequest {
  const { body } = requestExamples.createPayment['h2h-upi'];
  let index = 0;
  return () => ({
    ...body,
    customer: { ...body.customer, id: `payer-${scatter(index % CUSTOMERS)}` },
    merchant_order_id: `${scatter(index++)}-${tag}`,
    callback_url: callbackUrl,
  });
}

/** Creates small payouts to many customers. */
export function createPayouts(tag: string, callbackUrl = CLOSED_URL): () => CreatePayoutRequest {
  const { body } = requestExamples.createPayout['imps-inr'];
  let index = 0;
  return () => ({
    ...body,
    amount: PAYOUT_AMOUNT,
    customer: { ...body.customer, id: `payer-${index % CUSTOMERS}` },
    merchant_order_id: `${tag}-${index++}`,
    callback_url: callbackUrl,
  });
}
