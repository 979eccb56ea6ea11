/**
 * Whole payment flows: created, confirmed, succeeded and settled, with both webhooks delivered. A load test of an
 * integration does the same, and the rate of creations alone doesn't predict it.
 */

import { join } from 'node:path';
import type { DatabaseSettings } from '../load/merchants.ts';
import type { Postgres } from '../tools/postgres.ts';
import { createDatabase, endAll, type Fleet, startBareFlow, startFleet, withPostgres } from './gateways.ts';
import { type Journey, payAll, payOut } from './journeys.ts';
import { alternate, type Bench, type Contender, createRow, median, type Row, readCpuMs } from './measure.ts';

const CONCURRENT = 64;
const MERCHANTS = 50;
/** Processor time with two processes, relative to one. */
const CPU_RATIO_MAX = 1.1;

/** A database of gateways. */
interface Place {
  readonly name: string;
  readonly processes: number;
  /** The server, whose processor time counts too. */
  readonly server?: Postgres;
  /** Maximum processor time of a payment's flow, relative to the bare flow. */
  readonly cpuRatioMax: number;
  /** Maximum 99th percentile of the time of a payout to its webhook. */
  readonly lateMsMax: number;
  readonly createDatabase: (name: string) => DatabaseSettings | Promise<DatabaseSettings>;
}

/** Measures the whole flow on both databases. */
export async function measureFlow(bench: Bench): Promise<Row[]> {
  const onSqlite = (name: string) => ({ DATABASE_FILE: join(bench.folder, `flow-${name}.db`) });
  const sqlite = { name: 'SQLite', processes: 1, cpuRatioMax: 2, lateMsMax: 40, createDatabase: onSqlite };
  const rows = await measurePlace(bench, sqlite);
  return withPostgres(async (server) => {
    for (const processes of [1, 2]) {
      const name = `PostgreSQL, ${processes} process${processes > 1 ? 'es' : ''}`;
      const create = (database: string) => createDatabase(server, `flow_${database}_${processes}`);
      const place = { name, processes, server, cpuRatioMax: 2.5, lateMsMax: 60, createDatabase: create };
      rows.push(...(await measurePlace(bench, place)));
    }
    return rows;
  });
}

async function measurePlace(bench: Bench, place: Place): Promise<Row[]> {
  const { name, processes, server } = place;
  bench.say(`starting gateways on ${name}`);
  const now = await startFleet(await place.createDatabase('now'), processes);
  const bare = await startBareFlow(await place.createDatabase('bare'));
  const cpu = { now: [] as number[], bare: [] as number[] };
  try {
    const { now: rates } = await alternate(bench, `payments on ${name}`, {
      now: contend(bench, now, payAll, cpu.now, server),
      bare: contend(bench, bare, payAll, cpu.bare, server),
    });
    const { payouts } = await alternate(bench, `payouts on ${name}`, { payouts: contend(bench, now, payOut) });
    const cpuName = `CPU of a payment's whole flow${server ? ', gateway and server' : ''}, ${name}`;
    return [
      createRow(`Payments, whole flow, ${name}`, '/s', rates),
      createRow(cpuName, 'ms', cpu.now, ['≤', place.cpuRatioMax], { name: 'bare flow', values: cpu.bare }),
      ...(await measureTimes(bench, `Creation to SUCCESS webhook at half of it, ${name}`, now, payAll, rates)),
      createRow(`Payouts of one wallet, whole flow, ${name}`, '/s', payouts),
      ...(await measureTimes(
        bench,
        `Payout to SUCCESS webhook at half of it, ${name}`,
        now,
        payOut,
        payouts,
        place.lateMsMax,
      )),
    ];
  } finally {
    await endAll(now, bare);
  }
}

/** Two processes compared with one, with many merchants, which rarely share a wallet. */
export function measureMerchants(bench: Bench): Promise<Row[]> {
  bench.say(`starting gateways with ${MERCHANTS} merchants`);
  return withPostgres(async (server) => {
    const one = await startFleet(await createDatabase(server, 'merchants_one'), 1, MERCHANTS);
    const two = await startFleet(await createDatabase(server, 'merchants_two'), 2, MERCHANTS);
    const cpu = { one: [] as number[], two: [] as number[] };
    const name = `Payments, whole flow, ${MERCHANTS} merchants`;
    const cpuName = `CPU of a payment's whole flow, gateways and server, ${MERCHANTS} merchants`;
    try {
      const rates = await alternate(bench, name, {
        one: contend(bench, one, payAll, cpu.one, server),
        two: contend(bench, two, payAll, cpu.two, server),
      });
      return [
        createRow(`${name}, 2 processes`, '/s', rates.two, ['≥', 1], { name: '1 process', values: rates.one }),
        createRow(`${cpuName}, 2 processes`, 'ms', cpu.two, ['≤', CPU_RATIO_MAX], {
          name: '1 process',
          values: cpu.one,
        }),
      ];
    } finally {
      await endAll(one, two);
    }
  });
}

/** The rate of journeys at full load. Adds the processor milliseconds of each to `cpu`. */
function contend({ seconds }: Bench, fleet: Fleet, journey: Journey, cpu: number[] = [], server?: Postgres): Contender {
  const { servers } = fleet;
  const pids = [...servers.map(({ pid }) => pid), ...(server ? [server.pid] : [])];
  const measure = async () => {
    const before = await readCpuMs(pids);
    const { length } = await journey(fleet, { concurrent: CONCURRENT, seconds });
    cpu.push(((await readCpuMs(pids)) - before) / length);
    return length / seconds;
  };
  return { servers, measure };
}

/** Milliseconds from creation to the webhook, at half of the rate at full load. */
async function measureTimes(
  { seconds }: Bench,
  name: string,
  fleet: Fleet,
  journey: Journey,
  rates: number[],
  lateMsMax?: number,
) {
  const times = (await journey(fleet, { rate: median(rates) / 2, seconds })).toSorted((a, b) => a - b);
  if (times.length === 0)
    throw new Error(`nothing ended within ${seconds} s: close other programs, or raise --seconds`);
  const at = (part: number) => [times[Math.floor(times.length * part)] ?? 0];
  return [
    createRow(`${name}, 50%`, 'ms', at(0.5)),
    createRow(`${name}, 99%`, 'ms', at(0.99), lateMsMax === undefined ? undefined : ['≤', lateMsMax]),
  ];
}
