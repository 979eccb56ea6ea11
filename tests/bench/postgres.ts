/**
 * The gateway on PostgreSQL, with one and two processes, compared with a bare client that sends the same statements.
 */
import { fileURLToPath } from 'node:url';
import { run } from '../../scripts/tools/process.ts';
import { addMerchant } from '../load/merchants.ts';
import { type Postgres, query } from '../tools/postgres.ts';
import { payments, payouts } from './bodies.ts';
import { type Cluster, createDatabase, POOL, startCluster, withPostgres } from './clusters.ts';
import { spreadLoad } from './load.ts';
import type { Bench } from './part.ts';
import { createPayment } from './requests.ts';
import { type Contender, inTurns } from './rounds.ts';
import { atLeast, comparison, median, type Row } from './table.ts';

const CLIENT = fileURLToPath(new URL('postgres-client.ts', import.meta.url));
const CONNECTIONS = 32;
/** Enough callers to fill a commit. */
const MANY = 128;

type Method = 'POST' | 'GET';

/**
 * Targets relative to the bare client's rate. The bare client commits each creation alone; a gateway groups commits.
 */
const TARGETS: Readonly<Record<Method, number>> = { POST: 1.2, GET: 0.5 };
/** Per second, on one wallet. */
const MOVEMENTS_MIN = 3_000;
const WALLET_CONNECTIONS = 64;

/** POST and GET, with one gateway and with two. */
export function measurePostgres(bench: Bench): Promise<Row[]> {
  bench.say('starting PostgreSQL, and gateways on it');
  return withPostgres(async (postgres) => {
    const one = await startCluster(postgres, 'one', 1);
    const two = await startCluster(postgres, 'two', 2);
    const bare = await createDatabase(postgres, 'bare');
    await addMerchant({ DATABASE_URL: bare });
    try {
      // Before the POSTs of payments, whose background work would compete for the machine.
      const gets = await measure(bench, 'GET', bare, { one, two });
      const movements = await measureWallet(bench, postgres);
      return [...(await measure(bench, 'POST', bare, { one, two })), ...gets, movements];
    } finally {
      await Promise.all([...one.servers, ...two.servers].map((server) => server.end()));
    }
  });
}

async function measure(
  bench: Bench,
  method: Method,
  bare: string,
  { one, two }: { one: Cluster; two: Cluster },
): Promise<Row[]> {
  const rates = await inTurns(bench, `${method} on PostgreSQL`, {
    oneBare: bareClient(bench, method, bare, one),
    one: throughGateways(bench, method, one),
    many: throughGateways(bench, method, one, MANY),
    twoBare: bareClient(bench, method, bare, two),
    two: throughGateways(bench, method, two),
  });
  const target = TARGETS[method];
  const peer = { name: `bare Node client, ${POOL} connections`, rates: rates.oneBare };
  const peers = { name: `bare Node client, ${2 * POOL} connections`, rates: rates.twoBare };
  return [
    comparison(`${method}, PostgreSQL, 1 process`, rates.one, peer, target),
    comparison(`${method}, PostgreSQL, 1 process, ${MANY} callers`, rates.many, peer, target),
    comparison(`${method}, PostgreSQL, 2 processes`, rates.two, peers, target),
  ];
}

/** Payouts of one wallet: each moves its money at creation, and again at its end. */
async function measureWallet(bench: Bench, postgres: Postgres): Promise<Row> {
  const { url, servers, keys } = await startCluster(postgres, 'wallet', 1);
  const addresses = servers.map((server) => `${server.url}/payouts`);
  const { movements } = await inTurns(bench, 'movements of one wallet', {
    movements: {
      servers,
      async measure(round) {
        const body = payouts(`wallet-${round}`);
        const before = await countMovements(url);
        const began = performance.now();
        await spreadLoad(addresses, { connections: WALLET_CONNECTIONS, seconds: bench.seconds, keys, body });
        return ((await countMovements(url)) - before) / ((performance.now() - began) / 1_000);
      },
    },
  });
  await Promise.all(servers.map((server) => server.end()));
  return atLeast('Movements of one wallet, PostgreSQL', median(movements), MOVEMENTS_MIN, '/s');
}

async function countMovements(url: string): Promise<number> {
  const { rows } = await query(url, 'select count(*) from ledger_entries');
  return Number(rows[0]?.[0]);
}

function throughGateways(
  { seconds }: Bench,
  method: Method,
  { servers, keys }: Cluster,
  connections = CONNECTIONS,
): Contender {
  const spread = (path: string, body?: () => unknown) =>
    spreadLoad(
      servers.map(({ url }) => url + path),
      { connections, seconds, keys, ...(body && { body }) },
    );
  const measure = {
    POST: (round: number) => spread('/payments', payments(`${connections}-${round}`)),
    GET: async () => spread(`/payments/${await createPayment(servers[0]?.url ?? '', keys[0] ?? '')}`),
  };
  return { servers, measure: measure[method] };
}

/** As many connections as the gateways have in total. */
function bareClient({ seconds }: Bench, method: Method, url: string, { servers }: Cluster): Contender {
  const args = [CLIENT, url, String(servers.length * POOL), String(seconds), method.toLowerCase()];
  return { servers: [], measure: async () => requireRate((await run(process.execPath, args)).stdout) };
}

function requireRate(printed: string): number {
  const rate = Number(printed);
  if (!(rate > 0)) throw new Error(`the bare client has printed '${printed}' instead of a rate`);
  return rate;
}
