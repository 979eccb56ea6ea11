/**
 * Whole payment flows: created, confirmed, succeeded and settled, with both webhooks delivered. A load test of an
 * integration does the same, and the rate of creations alone doesn't predict it.
 */

import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, run } from '../../scripts/tools/process.ts';
import type { DatabaseSettings } from '../load/merchants.ts';
import type { Postgres } from '../tools/postgres.ts';
import { startGatewayProcess } from '../tools/server.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import {
  BENCH_SETTINGS,
  createDatabase,
  endAll,
  type Fleet,
  startBareFlow,
  startFleet,
  withPostgres,
} from './gateways.ts';
import { type Journey, payAll, payOut } from './journeys.ts';
import { alternate, type Bench, type Contender, createRow, median, type Row, readCpuMs } from './measure.ts';

const CONCURRENT = 64;
const MERCHANTS = 50;

type Past = Awaited<ReturnType<typeof checkOutPast>>;

/** A database of gateways. */
interface Place {
  readonly name: string;
  readonly processes: number;
  /** The server, whose processor time counts too. */
  readonly server?: Postgres;
  /** Maximum processor time of a payment's flow, relative to the bare flow. */
  readonly cpuRatioMax: number;
  readonly createDatabase: (name: string) => DatabaseSettings | Promise<DatabaseSettings>;
}

/** Measures the whole flow on both databases, and on an earlier revision if one is named. */
export async function measureFlow(bench: Bench): Promise<Row[]> {
  const past = bench.against === undefined ? undefined : await checkOutPast(bench.against, bench.say);
  const onSqlite = (name: string) => ({ DATABASE_FILE: join(bench.folder, `flow-${name}.db`) });
  try {
    const sqlite = { name: 'SQLite', processes: 1, cpuRatioMax: 2, createDatabase: onSqlite };
    const rows = await measurePlace(bench, sqlite, past);
    return await withPostgres(async (server) => {
      for (const processes of [1, 2]) {
        const name = `PostgreSQL, ${processes} process${processes > 1 ? 'es' : ''}`;
        const create = (database: string) => createDatabase(server, `flow_${database}_${processes}`);
        const place = { name, processes, server, cpuRatioMax: 2.5, createDatabase: create };
        rows.push(...(await measurePlace(bench, place, past)));
      }
      return rows;
    });
  } finally {
    await past?.remove();
  }
}

async function measurePlace(bench: Bench, place: Place, past: Past | undefined): Promise<Row[]> {
  const { name, processes, server } = place;
  bench.say(`starting gateways on ${name}`);
  const now = await startFleet(await place.createDatabase('now'), processes);
  const bare = await startBareFlow(await place.createDatabase('bare'));
  const before = past && (await past.start(await place.createDatabase('past'), processes));
  const cpu = { now: [] as number[], bare: [] as number[], past: [] as number[] };
  try {
    const { now: rates = [], past: pastRates = [] } = await alternate<string>(bench, `payments on ${name}`, {
      now: contend(bench, now, payAll, cpu.now, server),
      bare: contend(bench, bare, payAll, cpu.bare, server),
      ...(before && { past: contend(bench, before, payAll, cpu.past, server) }),
    });
    const { payouts } = await alternate(bench, `payouts on ${name}`, { payouts: contend(bench, now, payOut) });
    const cpuName = `CPU of a payment's whole flow${server ? ', gateway and server' : ''}, ${name}`;
    const peer = past && { name: past.name, values: pastRates };
    return [
      createRow(`Payments, whole flow, ${name}`, '/s', rates, undefined, peer),
      createRow(cpuName, 'ms', cpu.now, ['≤', place.cpuRatioMax], { name: 'bare flow', values: cpu.bare }),
      ...(past ? [createRow(`CPU of it, ${past.name}, ${name}`, 'ms', cpu.past)] : []),
      ...(await measureTimes(bench, `Creation to SUCCESS webhook at half of it, ${name}`, now, payAll, rates)),
      createRow(`Payouts of one wallet, whole flow, ${name}`, '/s', payouts),
      ...(await measureTimes(bench, `Payout to SUCCESS webhook at half of it, ${name}`, now, payOut, payouts)),
    ];
  } finally {
    await endAll(now, bare, before);
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
        createRow(`${cpuName}, 1 process`, 'ms', cpu.one),
        createRow(`${cpuName}, 2 processes`, 'ms', cpu.two),
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
async function measureTimes({ seconds }: Bench, name: string, fleet: Fleet, journey: Journey, rates: number[]) {
  const times = (await journey(fleet, { rate: median(rates) / 2, seconds })).toSorted((a, b) => a - b);
  if (times.length === 0)
    throw new Error(`nothing ended within ${seconds} s: close other programs, or raise --seconds`);
  return [0.5, 0.99].map((part) =>
    createRow(`${name}, ${part * 100}%`, 'ms', [times[Math.floor(times.length * part)] ?? 0]),
  );
}

/** Minor units, more than a run pays out. */
const FUNDED = '1000000000000';

/** Checks out the revision in a worktree, with this checkout's packages. */
async function checkOutPast(name: string, say: (text: string) => void) {
  say(`checking out ${name}`);
  const folder = join(await temporaryFolder('past'), 'tree');
  await run('git', ['worktree', 'add', '--detach', folder, name]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // The APIs of the gateway are generated, and not committed.
  await run(process.execPath, [join(folder, 'scripts/tools/gateway-apis.mjs')], { cwd: folder });
  const cli = join(folder, 'gateway/src/cli.ts');
  return {
    name,
    /** Starts gateways with a merchant, which the revision's own command adds, since its tables may differ. */
    async start(database: DatabaseSettings, processes: number): Promise<Fleet> {
      const command = (...args: string[]) => run(process.execPath, [cli, ...args], { env: { ...database } });
      await command('migrate');
      const { stdout } = await command('merchant', 'create', 'Bench', 'INR');
      const [, id = ''] = /^merchant +(\d+)/m.exec(stdout) ?? [];
      const [, key = ''] = /(sk_test_\S+)/.exec(stdout) ?? [];
      await command('fund', id, FUNDED, 'INR');
      const start = () => startGatewayProcess({ ...BENCH_SETTINGS, ...database }, [cli, 'start']);
      const others = Array.from({ length: processes - 1 }, start);
      return { servers: [await start(), ...(await Promise.all(others))], keys: [key] };
    },
    async remove() {
      await run('git', ['worktree', 'remove', '--force', folder]);
    },
  };
}
