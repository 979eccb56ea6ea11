/**
 * Whole payment flows: created, confirmed, succeeded and settled, with both webhooks delivered. A load test of an
 * integration does the same, and the rate of creations alone doesn't predict it.
 */
import { join } from 'node:path';
import { addMerchant, type DatabaseSettings } from '../load/merchants.ts';
import { cpuMs } from '../tools/cpu.ts';
import type { Postgres } from '../tools/postgres.ts';
import type { Server } from '../tools/server.ts';
import { createDatabase, DURABLE_NOTE, withPostgres } from './clusters.ts';
import { type Checkout, type Fleet, type Journey, openCheckout, payAll, payOut } from './journeys.ts';
import type { Bench } from './part.ts';
import { checkOutPast, type Past } from './past.ts';
import { type Contender, inTurns } from './rounds.ts';
import { startBareFlow, startGateway } from './servers.ts';
import { comparison, costComparison, figure, median, type Row } from './table.ts';

/** Concurrent journeys. */
const CONCURRENT = 64;
/** Share of the rate at full load, for measuring the time of a single journey. */
const HALF = 0.5;
/** Maximum processor time of a payment's flow, relative to the bare flow. */
const COST_RATIO_MAX = 1.6;
const BARE_KEY = 'sk_test_bare_flow';

export const FLOW_NOTE = `${DURABLE_NOTE} The bare flow does only what cannot be left out: see tests/bench/bare-flow.ts.`;

/** Measures the whole flow on both databases, and on an earlier revision if one is named. */
export async function measureFlow(bench: Bench): Promise<Row[]> {
  const past = bench.against === undefined ? undefined : await checkOutPast(bench.against, bench.say);
  try {
    const sqlite = await measureSqlite(bench, past);
    const postgres = await withPostgres(async (server) => [
      ...(await measureDatabase(bench, 'PostgreSQL, 1 process', past, 2, server, async (name) => [
        await onPostgres(server, name),
      ])),
      ...(await measureDatabase(bench, 'PostgreSQL, 2 processes', past, 2, server, async (name) => {
        const first = await onPostgres(server, `${name}_two`);
        return [first, first];
      })),
    ]);
    return [...sqlite, ...postgres];
  } finally {
    await past?.remove();
  }
}

type Databases = (name: string) => Promise<readonly DatabaseSettings[]>;

function measureSqlite(bench: Bench, past: Past | undefined): Promise<Row[]> {
  return measureDatabase(bench, 'SQLite', past, 2.5, undefined, async (name) => [
    { DATABASE_FILE: join(bench.folder, `flow-${name}.db`) },
  ]);
}

async function onPostgres(server: Parameters<typeof createDatabase>[0], name: string): Promise<DatabaseSettings> {
  return { DATABASE_URL: await createDatabase(server, `flow_${name}`) };
}

/** Gateways on one database, one per element of its equal settings. */
async function measureDatabase(
  bench: Bench,
  place: string,
  past: Past | undefined,
  target: number,
  server: Postgres | undefined,
  databases: Databases,
): Promise<Row[]> {
  bench.say(`starting gateways on ${place}`);
  const now = await startAll(await databases('now'), addNow, startGateway);
  const before = past && (await startAll(await databases('past'), past.addMerchant, past.start));
  const [bareDatabase] = await databases('bare');
  const bare = {
    servers: bareDatabase ? [await startBareFlow(bareDatabase, BARE_KEY)] : [],
    keys: [BARE_KEY],
  };
  const costs = { now: [] as number[], bare: [] as number[], past: [] as number[] };
  try {
    const contenders: Record<string, Contender> = {
      now: counting(contender(bench, now, payAll), bench, server, costs.now),
      bare: counting(contender(bench, bare, payAll), bench, server, costs.bare),
      ...(before && { past: counting(contender(bench, before, payAll), bench, server, costs.past) }),
    };
    const { now: rates = [], past: pastRates } = await inTurns(bench, `payments, whole flow, ${place}`, contenders);
    const payouts = await inTurns(bench, `payouts, whole flow, ${place}`, {
      now: contender(bench, now, payOut),
    });
    const rate = median(rates);
    const payoutRate = median(payouts.now);
    const times = await timesAt(bench, now, payAll, rate * HALF);
    const payoutTimes = await timesAt(bench, now, payOut, payoutRate * HALF);
    return [
      past && pastRates
        ? comparison(`Payments, whole flow, ${place}`, rates, { name: past.name, rates: pastRates }, target)
        : { name: `Payments, whole flow, ${place}`, figure: figure(rate, '/s') },
      costComparison(
        `CPU of a payment's whole flow${server ? ', gateway and server' : ''}, ${place}`,
        costs.now,
        { name: 'bare flow', costs: costs.bare },
        COST_RATIO_MAX,
        'ms',
      ),
      ...(past ? [{ name: `CPU of it, ${past.name}, ${place}`, figure: figure(median(costs.past), 'ms') }] : []),
      { name: `Creation to SUCCESS webhook at half of it, 50%, ${place}`, figure: figure(times.p50, 'ms') },
      { name: `Creation to SUCCESS webhook at half of it, 99%, ${place}`, figure: figure(times.p99, 'ms') },
      { name: `Payouts of one wallet, whole flow, ${place}`, figure: figure(payoutRate, '/s') },
      { name: `Payout to SUCCESS webhook at half of it, 50%, ${place}`, figure: figure(payoutTimes.p50, 'ms') },
      { name: `Payout to SUCCESS webhook at half of it, 99%, ${place}`, figure: figure(payoutTimes.p99, 'ms') },
    ];
  } finally {
    await Promise.all([now, bare, before].flatMap((fleet) => fleet?.servers.map((server) => server.end()) ?? []));
  }
}

async function addNow(database: DatabaseSettings): Promise<string> {
  return (await addMerchant(database)).key;
}

async function startAll(
  databases: readonly DatabaseSettings[],
  addMerchant: (database: DatabaseSettings) => Promise<string>,
  start: (database: DatabaseSettings) => Promise<Server>,
): Promise<Fleet> {
  const [first] = databases;
  const keys = first ? [await addMerchant(first)] : [];
  return { servers: await Promise.all(databases.map(start)), keys };
}

/** The rate of journeys at full load. */
export function contender({ seconds }: Bench, fleet: Fleet, journey: Journey): Contender {
  return {
    servers: fleet.servers,
    measure: async () => {
      const done = await withCheckout(fleet, (checkout) => journey(checkout, { concurrent: CONCURRENT, seconds }));
      return done.length / seconds;
    },
  };
}

/** The contender, which adds the processor milliseconds per journey to `costs`. */
export function counting(
  { servers, measure }: Contender,
  { seconds }: Bench,
  server: Postgres | undefined,
  costs: number[],
): Contender {
  const pids = [...servers.map(({ pid }) => pid), ...(server ? [server.pid] : [])];
  return {
    servers,
    measure: async (round) => {
      const before = await cpuMs(pids);
      const rate = await measure(round);
      costs.push(((await cpuMs(pids)) - before) / (rate * seconds));
      return rate;
    },
  };
}

/** Milliseconds from creation to the webhook at a steady rate. */
async function timesAt({ seconds }: Bench, fleet: Fleet, journey: Journey, rate: number) {
  const times = await withCheckout(fleet, (checkout) => journey(checkout, { rate, seconds }));
  if (times.length === 0)
    throw new Error(`nothing ended within ${seconds} s: close other programs, or raise --seconds`);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

async function withCheckout<T>(fleet: Fleet, work: (checkout: Checkout) => Promise<T>): Promise<T> {
  const checkout = await openCheckout(fleet);
  return work(checkout).finally(() => checkout.close());
}
