/**
 * Requests per second of the gateway and its peers: on SQLite, on a file with many payments, and on PostgreSQL. Start
 * and memory of the gateway.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../scripts/tools/process.ts';
import { addMerchant } from '../load/merchants.ts';
import { freePort } from '../tools/loopback.ts';
import { query } from '../tools/postgres.ts';
import { type Memory, residentBytes } from '../tools/server.ts';
import {
  BARE_FLOW,
  createDatabase,
  createPayment,
  createPayments,
  createPayouts,
  type Fleet,
  startBareFlow,
  startFleet,
  startGateway,
  startPeer,
  startPostgres,
} from './gateways.ts';
import { alternate, type Bench, type Contender, createRow, load, type Row } from './measure.ts';
import { formatSeededId, seedPayments, writeTemplate } from './seed.ts';

const CALLERS = 32;
const MEMORY_MAX_MB = 250;
const PRISM = fileURLToPath(import.meta.resolve('@stoplight/prism-cli'));
const DOCUMENT = join(ROOT, 'generated/openapi.json');
const GROWTH_MIN = 0.95;
/** Enough that consecutive reads are of different payments, as in production. */
const FEW = 1_000;
/** Enough callers to fill a commit. */
const MANY = 128;
const POSTGRES_MIN = { POST: 0.75, GET: 0.5 };
/** Per second, on one wallet. */
const MOVEMENTS_MIN = 3_000;
const WALLET_CONNECTIONS = 64;

/** The gateway, with and without a sandbox, next to its peers on SQLite. */
export async function measureRequests(bench: Bench): Promise<Row[]> {
  bench.say('starting the gateway, the bare flow, the echo and Prism');
  // First, while the machine is idle.
  const starts = await measureStarts(bench);
  const file = (name: string) => ({ DATABASE_FILE: join(bench.folder, `${name}.db`) });
  const port = await freePort();
  const [bare, gateway, sandbox, prism, echo] = await Promise.all([
    startBareFlow(bench, file('bare')),
    startFleet(bench, file('gateway')),
    startFleet(bench, { ...file('sandbox'), SANDBOX: 'true' }),
    // Prism's own command with its default settings.
    startPeer(bench, [PRISM, 'mock', DOCUMENT, '-p', String(port)], {
      url: `http://127.0.0.1:${port}`,
      ready: /is listening/,
    }),
    startPeer(bench, [BARE_FLOW, 'echo']),
  ]);
  // Before the POSTs, whose background work would compete for the machine.
  const [get, post] = [(fleet: Fleet) => contendGet(bench, fleet), (fleet: Fleet) => contendPost(bench, fleet)];
  const gets = await alternate(bench, 'GET', { echo: get(echo), gateway: get(gateway), prism: get(prism) });
  const all = { bare: post(bare), gateway: post(gateway), sandbox: post(sandbox), prism: post(prism) };
  const posts = await alternate(bench, 'POST', all);
  return [
    createRow('POST /payments, durable', '/s', posts.gateway, ['≥', 10], ['Prism', posts.prism]),
    createRow('POST /payments, durable', '/s', posts.gateway, ['≥', 0.75], ['bare flow', posts.bare]),
    createRow('POST /payments with a sandbox', '/s', posts.sandbox, ['≥', 0.95], ['without', posts.gateway]),
    createRow('GET /payments/{id}', '/s', gets.gateway, ['≥', 10], ['Prism', gets.prism]),
    createRow('GET /payments/{id}', '/s', gets.gateway, ['≥', 0.65], ['bare echo', gets.echo]),
    createRow('Start to first response', 'ms', starts, ['≤', 500]),
    await memoryRow('Memory at full load', gateway, 'VmHWM'),
  ];
}

/** Reads one payment, or the ones at the paths. */
function contendGet(bench: Bench, fleet: Fleet, connections = CALLERS, path?: () => string): Contender {
  const { servers, keys } = fleet;
  const measure = async (round: number) => {
    const created = path ? '' : await createPayment(fleet, `read-${connections}-${round}`);
    return load(servers, { ...bench, key: keys[0], connections, path: path ?? (() => created) });
  };
  return { servers, measure };
}

function contendPost(bench: Bench, { servers, keys: [key] }: Fleet, connections = CALLERS): Contender {
  const createLoad = (round: number) => ({ path: () => '/payments', body: createPayments(`${connections}-${round}`) });
  return { servers, measure: (round) => load(servers, { ...bench, key, connections, ...createLoad(round) }) };
}

/** A row with the server's memory: the peak of all, or the current memory without pages of files. */
async function memoryRow(name: string, { servers }: Fleet, which: Memory): Promise<Row> {
  return createRow(name, 'MB', [(await residentBytes(servers[0], which)) / 1e6], ['≤', MEMORY_MAX_MB]);
}

/**
 * Milliseconds from the start of a process to its first response, once per round. An additional start comes first and
 * stops gracefully, so that Node stores its compile cache.
 */
async function measureStarts(bench: Bench): Promise<number[]> {
  const database = { DATABASE_FILE: join(bench.folder, 'start.db') };
  await addMerchant(database);
  await (await startGateway(bench, database)).end('SIGTERM');
  const times: number[] = [];
  while (times.length < bench.rounds) {
    const { startMs, url, end } = await startGateway(bench, database);
    const listening = performance.now();
    const { ok, status } = await fetch(`${url}/health/ready`);
    if (!ok) throw new Error(`the first request returned ${status}`);
    times.push(startMs + performance.now() - listening);
    await end();
  }
  return times;
}

/** A file with many payments, compared with one small enough for memory. */
export async function measureGrowth(bench: Bench): Promise<Row[]> {
  const name = `${bench.payments.toLocaleString('en-US')} payments in the file`;
  bench.say(`starting gateways with ${name}`);
  const start = async (fileName: string, payments: number) => {
    const template = await writeTemplate(join(bench.folder, fileName));
    seedPayments(template, payments);
    const path = () => `/payments/${formatSeededId(template, Math.floor(Math.random() * payments))}`;
    const fleet: Fleet = {
      servers: [await startGateway(bench, { DATABASE_FILE: template.file })],
      keys: [template.key],
    };
    return { fleet, get: contendGet(bench, fleet, CALLERS, path), post: contendPost(bench, fleet) };
  };
  const full = await start('full.db', bench.payments);
  const few = await start('few.db', Math.min(FEW, bench.payments));
  // Before the POSTs, whose background work would compete for the machine.
  const gets = await alternate(bench, 'GET, few and full', { few: few.get, full: full.get });
  const posts = await alternate(bench, 'POST, few and full', { few: few.post, full: full.post });
  return [
    createRow(`POST, ${name}`, '/s', posts.full, ['≥', GROWTH_MIN], ['few', posts.few]),
    createRow(`GET, ${name}`, '/s', gets.full, ['≥', GROWTH_MIN], ['few', gets.few]),
    // The operating system can reclaim mapped pages of the file.
    await memoryRow(`Memory but for mapped pages, ${name}`, full.fleet, 'RssAnon'),
  ];
}

/** PostgreSQL with one gateway and with two, compared with the bare flow. */
export async function measurePostgres(bench: Bench): Promise<Row[]> {
  bench.say('starting PostgreSQL, and gateways on it');
  const postgres = await startPostgres(bench);
  const one = await startFleet(bench, await createDatabase(postgres, 'one'));
  const two = await startFleet(bench, await createDatabase(postgres, 'two'), 2);
  const bare = await startBareFlow(bench, await createDatabase(postgres, 'bare'));
  const wallet = await createDatabase(postgres, 'wallet');
  const owner = moveMoney(bench, await startFleet(bench, wallet), wallet.DATABASE_URL);
  const measureMethod = async (method: 'POST' | 'GET') => {
    const contend = method === 'POST' ? contendPost : contendGet;
    const rates = await alternate(bench, `${method} on PostgreSQL`, {
      bare: contend(bench, bare),
      one: contend(bench, one),
      many: contend(bench, one, MANY),
      two: contend(bench, two),
    });
    const row = (name: string, values: number[]) =>
      createRow(`${method}, PostgreSQL, ${name}`, '/s', values, ['≥', POSTGRES_MIN[method]], ['bare flow', rates.bare]);
    return [row('1 process', rates.one), row(`1 process, ${MANY} callers`, rates.many), row('2 processes', rates.two)];
  };
  // Before the POSTs of payments, whose background work would compete for the machine.
  const gets = await measureMethod('GET');
  const movements = await alternate(bench, 'movements of one wallet', { owner });
  return [
    ...(await measureMethod('POST')),
    ...gets,
    createRow('Movements of one wallet, PostgreSQL', '/s', movements.owner, ['≥', MOVEMENTS_MIN]),
  ];
}

/** Payouts of one wallet: each moves its money at creation, and again at its end. */
function moveMoney({ seconds }: Bench, { servers, keys: [key] }: Fleet, database: string): Contender {
  const countMovements = async () =>
    Number((await query(database, 'select count(*) from ledger_entries')).rows[0]?.[0]);
  const measure = async (round: number) => {
    const body = createPayouts(`wallet-${round}`);
    const before = await countMovements();
    const began = performance.now();
    await load(servers, { key, seconds, connections: WALLET_CONNECTIONS, path: () => '/payouts', body });
    return ((await countMovements()) - before) / ((performance.now() - began) / 1_000);
  };
  return { servers, measure };
}
