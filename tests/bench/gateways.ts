/** The gateways under measurement, their databases, and their load: requests, and transactions up to their last webhook. */
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { requestExamples } from '../../generated/examples.ts';
import type { CreatePaymentRequest, CreatePayoutRequest } from '../../generated/types.ts';
import { sendTaken } from '../load/client.ts';
import { addMerchant, type DatabaseSettings } from '../load/merchants.ts';
import { openEndpoint, type Received } from '../tools/endpoint.ts';
import { databaseUrl, type Postgres, query, startPostgres as startServerOfPostgres } from '../tools/postgres.ts';
import { type Server, type ServerOptions, startGatewayProcess, startServer } from '../tools/server.ts';
import { pause } from '../tools/wait.ts';
import type { Bench } from './measure.ts';

export const BARE_FLOW = fileURLToPath(new URL('bare-flow.ts', import.meta.url));
/** API key of the bare flow. The other peers accept any. */
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
export type Fleet = Readonly<{ servers: readonly [Server, ...Server[]]; keys: readonly [string, ...string[]] }>;

/** The gateway on a database, started as by `npm run gateway`, with the bench's settings. */
export async function startGateway({ atEnd }: Bench, settings: GatewaySettings): Promise<Server> {
  const server = await startGatewayProcess({ ...BENCH_SETTINGS, ...settings });
  atEnd(() => server.end());
  return server;
}

/** Gateways on a new database. */
export async function startFleet(bench: Bench, settings: GatewaySettings, size = 1, merchants = 1): Promise<Fleet> {
  const keys: [string, ...string[]] = [(await addMerchant(settings)).key];
  while (keys.length < merchants) keys.push((await addMerchant(settings)).key);
  const others = Array.from({ length: size - 1 }, () => startGateway(bench, settings));
  return { servers: [await startGateway(bench, settings), ...(await Promise.all(others))], keys };
}

/** Another program of Node. */
export async function startPeer({ atEnd }: Bench, args: string[], options?: ServerOptions): Promise<Fleet> {
  const server = await startServer(args, options);
  atEnd(() => server.end());
  return { servers: [server], keys: [BARE_KEY] };
}

/** The minimum of a payment's whole flow, on a separate database. */
export function startBareFlow(bench: Bench, database: DatabaseSettings): Promise<Fleet> {
  const args = 'DATABASE_FILE' in database ? ['sqlite', database.DATABASE_FILE] : ['postgres', database.DATABASE_URL];
  return startPeer(bench, [BARE_FLOW, ...args, BARE_KEY]);
}

/** Production settings: an acknowledged commit survives a power cut. */
const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };
export const DURABLE_NOTE = `PostgreSQL runs on the same machine with ${Object.entries(DURABLE)
  .map(([name, value]) => `${name}=${value}`)
  .join(', ')}.`;

export async function startPostgres({ atEnd }: Bench): Promise<Postgres> {
  const postgres = await startServerOfPostgres({ ...DURABLE, max_connections: '300' });
  atEnd(() => postgres.close());
  return postgres;
}

export async function createDatabase({ url }: Postgres, name: string): Promise<{ DATABASE_URL: string }> {
  await query(url, `create database ${name}`);
  return { DATABASE_URL: databaseUrl(url, name) };
}

/** The length of the server's log until now. */
export async function readWalBytes(url: string): Promise<number> {
  return Number((await query(url, "select pg_current_wal_lsn() - '0/0'")).rows[0]?.[0]);
}

const CUSTOMERS = 10_000;
/** A closed port: deliveries fail at once and are retried later. */
const CLOSED_URL = 'http://127.0.0.1:9/';
/** Minor units, small enough to exhaust no wallet and no customer's limit. */
const PAYOUT_AMOUNT = 1_000;
/** Multiplication by this constant spreads consecutive numbers over the 32-bit range (Knuth's multiplicative hash). */
export const SCATTER = 2_654_435_761;

/** The number in 8 hexadecimal digits that sort in another order than the numbers. */
const scatter = (number: number) => (Math.imul(number, SCATTER) >>> 0).toString(16).padStart(8, '0');

/** Creates payments of many customers. Their order ids and customers spread over the database's indexes. */
export function createPayments(tag: string, callbackUrl = CLOSED_URL): () => CreatePaymentRequest {
  const { body } = requestExamples.createPayment['h2h-upi'];
  let index = 0;
  return () => {
    const customer = { ...body.customer, id: `payer-${scatter(index % CUSTOMERS)}` };
    return { ...body, customer, merchant_order_id: `${scatter(index++)}-${tag}`, callback_url: callbackUrl };
  };
}

/** Creates small payouts to many customers. */
export function createPayouts(tag: string, callbackUrl = CLOSED_URL): () => CreatePayoutRequest {
  const { body } = requestExamples.createPayout['imps-inr'];
  let index = 0;
  return () => {
    const order = { amount: PAYOUT_AMOUNT, merchant_order_id: `${tag}-${index}`, callback_url: callbackUrl };
    return { ...body, ...order, customer: { ...body.customer, id: `payer-${index++ % CUSTOMERS}` } };
  };
}

/** Creates a payment and returns its path. */
export async function createPayment({ servers: [{ url }], keys: [key] }: Fleet, tag: string): Promise<string> {
  const { transaction_id: id } = await sendTaken<Shown>({ url, key }, 'POST', '/payments', createPayments(tag)());
  return `/payments/${id}`;
}

/** The members of responses and webhooks used here. */
type Shown = Readonly<{ transaction_id: string; amount: number; status: string }>;

/** A number of concurrent journeys, or a steady rate per second. */
export type Pace = { readonly seconds: number } & ({ readonly concurrent: number } | { readonly rate: number });

/** Runs journeys for some seconds. Returns the milliseconds of each one that ended within them. */
export type Journey = (fleet: Fleet, pace: Pace) => Promise<number[]>;

const TICK_MS = 5;
const WEBHOOK_TIMEOUT_MS = 60_000;

let runs = 0;

/** Payments: created, confirmed, and reported as SUCCESS. */
export const payAll: Journey = (fleet, pace) =>
  runJourneys(fleet, pace, createPayments, async (order, post, arrival) => {
    const { transaction_id: id, amount } = await post('/payments', order);
    await arrival(id, 'PAY_CONFIRMATION_NEEDED');
    await post(`/payments/${id}/confirm`, { confirm_data: { tid: id.slice(-12), amount: String(amount) } });
    await arrival(id, 'SUCCESS');
  });

/** Payouts of one wallet: created, and reported as SUCCESS. */
export const payOut: Journey = (fleet, pace) =>
  runJourneys(fleet, pace, createPayouts, async (order, post, arrival) =>
    arrival((await post('/payouts', order)).transaction_id, 'SUCCESS'),
  );

/** Runs journeys at a pace. Returns the milliseconds of each one that ended in time. */
export async function repeat(pace: Pace, journey: () => Promise<void>): Promise<number[]> {
  const ended: number[] = [];
  const began = performance.now();
  const stopAt = began + pace.seconds * 1_000;
  const run = async () => {
    const start = performance.now();
    await journey();
    const now = performance.now();
    if (now <= stopAt) ended.push(now - start);
  };
  const journeys: Promise<void>[] = [];
  if ('concurrent' in pace) {
    const worker = async () => {
      while (performance.now() < stopAt) await run();
    };
    journeys.push(...Array.from({ length: pace.concurrent }, worker));
  } else {
    for (let now = began; now < stopAt; now = performance.now()) {
      const due = Math.ceil(((now - began) / 1_000) * pace.rate);
      while (journeys.length < due) {
        const running = run();
        // Handled at the end, so that a failure ends only its part of the bench.
        running.catch(() => undefined);
        journeys.push(running);
      }
      await pause(TICK_MS);
    }
  }
  await Promise.all(journeys);
  return ended;
}

/**
 * Opens a webhook endpoint that records only the arrival of the first request with each name, by performance.now(),
 * since there may be millions of webhooks.
 */
export async function timeArrivals(readName: (received: Received) => string, onArrival?: (name: string) => void) {
  const arrivals = new Map<string, number>();
  const endpoint = await openEndpoint((response, received) => {
    const name = readName(received);
    if (!arrivals.has(name)) arrivals.set(name, performance.now());
    response.writeHead(204).end();
    onArrival?.(name);
  });
  return { ...endpoint, arrivals };
}

/** The requests of one merchant. Throw on failure. */
type Post = (path: string, body: unknown) => Promise<Shown>;
/** Resolves when a webhook reports the transaction's status. */
type Arrival = (id: string, status: string) => Promise<void>;

/** Runs journeys of the fleet's merchants in turn, with an endpoint for their webhooks. */
async function runJourneys(
  { servers, keys }: Fleet,
  pace: Pace,
  createOrders: (tag: string, callbackUrl: string) => () => object,
  journey: (order: object, post: Post, arrival: Arrival) => Promise<void>,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const waiting = new Map<string, () => void>();
  const readName = ({ body }: Received) => {
    const { transaction_id: id, status } = JSON.parse(body) as Shown;
    return `${id} ${status}`;
  };
  const { url: callbackUrl, arrivals, close } = await timeArrivals(readName, (name) => waiting.get(name)?.());
  const next = createOrders(`flow-${process.pid}-${runs++}`, callbackUrl);
  let [merchants, requests] = [0, 0];
  const arrival: Arrival = (id, status) => {
    const name = `${id} ${status}`;
    if (arrivals.has(name)) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.set(name, resolve);
    const timer = setTimeout(() => reject(new Error(`no webhook reports ${name}`)), WEBHOOK_TIMEOUT_MS);
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(name);
    });
  };
  return repeat(pace, () => {
    const key = keys[merchants++ % keys.length] ?? keys[0];
    const nextUrl = () => (servers[requests++ % servers.length] ?? servers[0]).url;
    return journey(next(), (path, body) => sendTaken({ url: nextUrl(), key, agent }, 'POST', path, body), arrival);
  }).finally(() => {
    agent.destroy();
    return close();
  });
}
