/**
 * Payments carried all the way: created, confirmed, succeeded and settled, with both webhooks delivered. It is what a load
 * test of an integration does, and what the rate of creations alone doesn't show.
 */
import { join } from 'node:path';
import { addMerchant, type DatabaseSettings } from '../load/merchants.ts';
import { createDatabase, DURABLE_NOTE, withPostgres } from './clusters.ts';
import { type Checkout, type Journey, openCheckout, payAll, payOut } from './journeys.ts';
import type { Bench } from './part.ts';
import { checkOutPast, type Past } from './past.ts';
import { type Contender, inTurns } from './rounds.ts';
import { type BenchGateway, startGateway } from './servers.ts';
import { comparison, figure, median, type Row } from './table.ts';

/** Journeys at a time. */
const CONCURRENT = 64;
/** Of the rate at full load, for the time that a single one takes. */
const HALF = 0.5;

export const FLOW_NOTE = DURABLE_NOTE;

/** The whole flow on both databases, and that of an earlier revision if one is named. */
export async function measureFlow(bench: Bench): Promise<Row[]> {
  const past = bench.against === undefined ? undefined : await checkOutPast(bench.against, bench.say);
  try {
    const sqlite = await measureSqlite(bench, past);
    const postgres = await withPostgres(async (server) => [
      ...(await measureOn(bench, 'PostgreSQL, 1 process', past, 2, async (name) => [await onPostgres(server, name)])),
      ...(await measureOn(bench, 'PostgreSQL, 2 processes', past, 2, async (name) => {
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
  return measureOn(bench, 'SQLite', past, 2.5, async (name) => [
    { DATABASE_FILE: join(bench.folder, `flow-${name}.db`) },
  ]);
}

async function onPostgres(server: Parameters<typeof createDatabase>[0], name: string): Promise<DatabaseSettings> {
  return { DATABASE_URL: await createDatabase(server, `flow_${name}`) };
}

/** Gateways on one database: one for each of its settings, which are the same. */
async function measureOn(
  bench: Bench,
  place: string,
  past: Past | undefined,
  target: number,
  databases: Databases,
): Promise<Row[]> {
  bench.say(`starting gateways on ${place}`);
  const now = await startAll(await databases('now'), addNow, startGateway);
  const before = past && (await startAll(await databases('past'), past.addMerchant, past.start));
  const gateways = [...now, ...(before ?? [])];
  try {
    const contenders: Record<string, Contender> = {
      now: contender(bench, now, payAll),
      ...(before && { past: contender(bench, before, payAll) }),
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
      { name: `Creation to SUCCESS webhook at half of it, 50%, ${place}`, figure: figure(times.p50, 'ms') },
      { name: `Creation to SUCCESS webhook at half of it, 99%, ${place}`, figure: figure(times.p99, 'ms') },
      { name: `Payouts of one wallet, whole flow, ${place}`, figure: figure(payoutRate, '/s') },
      { name: `Payout to SUCCESS webhook at half of it, 50%, ${place}`, figure: figure(payoutTimes.p50, 'ms') },
      { name: `Payout to SUCCESS webhook at half of it, 99%, ${place}`, figure: figure(payoutTimes.p99, 'ms') },
    ];
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.end()));
  }
}

async function addNow(database: DatabaseSettings): Promise<string> {
  return (await addMerchant(database)).key;
}

async function startAll(
  databases: readonly DatabaseSettings[],
  addMerchant: (database: DatabaseSettings) => Promise<string>,
  start: (database: DatabaseSettings) => Promise<Omit<BenchGateway, 'key'>>,
): Promise<BenchGateway[]> {
  const [first] = databases;
  const key = first ? await addMerchant(first) : '';
  return Promise.all(databases.map(async (database) => ({ ...(await start(database)), key })));
}

function contender({ seconds }: Bench, gateways: readonly BenchGateway[], journey: Journey): Contender {
  return {
    servers: gateways,
    measure: async () => {
      const done = await withCheckout(gateways, (checkout) => journey(checkout, { concurrent: CONCURRENT, seconds }));
      return done.length / seconds;
    },
  };
}

/** Milliseconds from creation to the webhook at a steady rate. */
async function timesAt({ seconds }: Bench, gateways: readonly BenchGateway[], journey: Journey, rate: number) {
  const times = await withCheckout(gateways, (checkout) => journey(checkout, { rate, seconds }));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

async function withCheckout<T>(
  gateways: readonly BenchGateway[],
  work: (checkout: Checkout) => Promise<T>,
): Promise<T> {
  const checkout = await openCheckout(gateways);
  return work(checkout).finally(() => checkout.close());
}
