/**
 * Whole payment flows: created, confirmed, succeeded and settled, with both webhooks delivered. A load test of an
 * integration does the same, and the rate of creations alone doesn't predict it.
 */
import { join } from 'node:path';
import type { DatabaseSettings } from '../load/merchants.ts';
import { connect, type Postgres, query } from '../tools/postgres.ts';
import {
  createDatabase,
  type Fleet,
  type Journey,
  payAll,
  payOut,
  readWalBytes,
  startBareFlow,
  startFleet,
  startPostgres,
} from './gateways.ts';
import {
  alternate,
  type Bench,
  type Contender,
  createRow,
  median,
  quantile,
  type Row,
  readCpuMs,
  type Target,
} from './measure.ts';

const CONCURRENT = 64;
const MERCHANTS = 50;
/** Processor time with two processes, relative to one. */
const CPU_RATIO_MAX = 1.1;
/** Payments per second of the low load of held-snapshot. */
const LOW_RATE = 20;
const WAL_MAX_KB = 10;
/** The rate with a held snapshot, relative to the rate without. */
const HELD_RATIO_MIN = 0.9;

/**
 * Maxima of the processor time of a payment's flow, relative to the bare flow, and of the 99th percentile of the time
 * from a payout to its webhook.
 */
const MAXIMA = { sqlite: { cpuRatio: 2, lateMs: 40 }, postgres: { cpuRatio: 2.5, lateMs: 60 } };

type CreateDatabase = (name: string) => DatabaseSettings | Promise<DatabaseSettings>;

/** Measures the whole flow on both databases. */
export async function measureFlow(bench: Bench): Promise<Row[]> {
  const file = (name: string) => ({ DATABASE_FILE: join(bench.folder, `flow-${name}.db`) });
  const rows = await measureDatabase(bench, 'SQLite', file);
  const server = await startPostgres(bench);
  for (const processes of [1, 2]) {
    const name = `PostgreSQL, ${processes} process${processes > 1 ? 'es' : ''}`;
    const create = (database: string) => createDatabase(server, `flow_${database}_${processes}`);
    rows.push(...(await measureDatabase(bench, name, create, processes, server)));
  }
  return rows;
}

/** With a server, its processor time counts too. */
async function measureDatabase(bench: Bench, name: string, create: CreateDatabase, processes = 1, server?: Postgres) {
  const { cpuRatio, lateMs } = MAXIMA[server ? 'postgres' : 'sqlite'];
  bench.say(`starting gateways on ${name}`);
  const now = await startFleet(bench, await create('now'), processes);
  const bare = await startBareFlow(bench, await create('bare'));
  const cpu = { now: [] as number[], bare: [] as number[] };
  const { now: rates } = await alternate(bench, `payments on ${name}`, {
    now: contend(bench, now, payAll, cpu.now, server),
    bare: contend(bench, bare, payAll, cpu.bare, server),
  });
  const { payouts } = await alternate(bench, `payouts on ${name}`, { payouts: contend(bench, now, payOut) });
  const cpuName = `CPU of a payment's whole flow${server ? ', gateway and server' : ''}, ${name}`;
  const timeAtHalf = async (what: string, journey: Journey, full: number[], target?: Target) => {
    const times = await journey(now, { rate: median(full) / 2, seconds: bench.seconds });
    if (times.length === 0) throw new Error('nothing ended in time: close other programs, or raise --seconds');
    const rowName = `${what} to SUCCESS webhook at half of it, ${name}`;
    return [
      createRow(`${rowName}, 50%`, 'ms', quantile(times, 0.5)),
      createRow(`${rowName}, 99%`, 'ms', quantile(times, 0.99), target),
    ];
  };
  const rows = [
    createRow(`Payments, whole flow, ${name}`, '/s', rates),
    createRow(cpuName, 'ms', cpu.now, ['≤', cpuRatio], ['bare flow', cpu.bare]),
    ...(await timeAtHalf('Creation', payAll, rates)),
    createRow(`Payouts of one wallet, whole flow, ${name}`, '/s', payouts),
    ...(await timeAtHalf('Payout', payOut, payouts, ['≤', lateMs])),
  ];
  // They don't disturb the next measurement.
  for (const server of [...now.servers, ...bare.servers]) await server.end();
  return rows;
}

/** Two processes compared with one, with many merchants, which rarely share a wallet. */
export async function measureMerchants(bench: Bench): Promise<Row[]> {
  bench.say(`starting gateways with ${MERCHANTS} merchants`);
  const server = await startPostgres(bench);
  const one = await startFleet(bench, await createDatabase(server, 'merchants_one'), 1, MERCHANTS);
  const two = await startFleet(bench, await createDatabase(server, 'merchants_two'), 2, MERCHANTS);
  const cpu = { one: [] as number[], two: [] as number[] };
  const name = `Payments, whole flow, ${MERCHANTS} merchants`;
  const cpuName = `CPU of a payment's whole flow, gateways and server, ${MERCHANTS} merchants`;
  const rates = await alternate(bench, name, {
    one: contend(bench, one, payAll, cpu.one, server),
    two: contend(bench, two, payAll, cpu.two, server),
  });
  return [
    createRow(`${name}, 2 processes`, '/s', rates.two, ['≥', 1], ['1 process', rates.one]),
    createRow(`${cpuName}, 2 processes`, 'ms', cpu.two, ['≤', CPU_RATIO_MAX], ['1 process', cpu.one]),
  ];
}

/**
 * Long runs on PostgreSQL: the log of a steady low load between two checkpoints, and payments at half load while a
 * transaction holds its snapshot, as pg_dump does, so that no dead row is removed.
 */
export async function measureHeldSnapshot(bench: Bench): Promise<Row[]> {
  const { seconds, held, say } = bench;
  const server = await startPostgres(bench);
  const { DATABASE_URL } = await createDatabase(server, 'held');
  const fleet = await startFleet(bench, { DATABASE_URL });
  say(`payments at ${LOW_RATE}/s for ${held / 2} s`);
  const low = await measureLog(server, fleet, held / 2);
  say('payments at full load');
  const rate = (await payAll(fleet, { concurrent: CONCURRENT, seconds })).length / seconds / 2;
  const measure = async () => {
    const times = await payAll(fleet, { rate, seconds: held });
    const { rows } = await query(DATABASE_URL, 'select sum(n_dead_tup) from pg_stat_user_tables');
    return { rate: [times.length / held], late: quantile(times, 0.99), deadRows: [Number(rows[0]?.[0])] };
  };
  say(`payments at half load for ${held} s`);
  const free = await measure();
  say(`payments at half load for ${held} s, with a held snapshot`);
  const holder = await connect(DATABASE_URL);
  await holder.query('begin isolation level repeatable read; select count(*) from merchants');
  const holding = await measure().finally(() => holder.end());
  const name = `a snapshot held for ${held} s, PostgreSQL`;
  const paying = `Payments at half load, ${name}`;
  return [
    createRow(`WAL of a payment at ${LOW_RATE}/s for ${held / 2} s, PostgreSQL`, 'kB', [low], ['≤', WAL_MAX_KB]),
    createRow(paying, '/s', holding.rate, ['≥', HELD_RATIO_MIN], ['without', free.rate]),
    createRow(`Creation to SUCCESS webhook, 99%, ${name}`, 'ms', holding.late, undefined, ['without', free.late]),
    createRow(`Dead rows, ${name}`, 'rows', holding.deadRows, undefined, ['without', free.deadRows]),
  ];
}

/** The kilobytes of PostgreSQL's log per payment from one checkpoint to the next, whole pages included. */
async function measureLog({ url }: Postgres, fleet: Fleet, seconds: number): Promise<number> {
  await query(url, 'checkpoint');
  const before = await readWalBytes(url);
  const { length } = await payAll(fleet, { rate: LOW_RATE, seconds });
  return ((await readWalBytes(url)) - before) / length / 1_000;
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
