/** The gateway on PostgreSQL, one process and two, against a bare client that sends the same statements. */
import { fileURLToPath } from 'node:url';
import { run } from '../../scripts/tools/process.ts';
import { payments } from './bodies.ts';
import { type Cluster, createDatabase, POOL, startCluster, withPostgres } from './clusters.ts';
import { spreadLoad } from './load.ts';
import { addMerchants } from './merchants.ts';
import type { Bench } from './part.ts';
import { createPayment } from './requests.ts';
import { type Contender, inTurns } from './rounds.ts';
import { comparison, type Row } from './table.ts';

const CLIENT = fileURLToPath(new URL('postgres-client.ts', import.meta.url));
const CONNECTIONS = 32;
const TARGET = 0.5;

type Method = 'POST' | 'GET';

/** POST and GET, with one gateway and with two. */
export function measurePostgres(bench: Bench): Promise<Row[]> {
  bench.say('starting PostgreSQL, and gateways on it');
  return withPostgres(async (postgres) => {
    const one = await startCluster(postgres, 'one', 1);
    const two = await startCluster(postgres, 'two', 2);
    const bare = await createDatabase(postgres, 'bare');
    await addMerchants({ DATABASE_URL: bare }, 1);
    try {
      // Before the POSTs, since what they leave to be done in the background takes its share for a while.
      const gets = await measure(bench, 'GET', bare, { one, two });
      return [...(await measure(bench, 'POST', bare, { one, two })), ...gets];
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
    twoBare: bareClient(bench, method, bare, two),
    two: throughGateways(bench, method, two),
  });
  const peer = (connections: number) => `bare Node client, ${connections} connections`;
  return [
    comparison(`${method}, PostgreSQL, 1 process`, rates.one, { name: peer(POOL), rates: rates.oneBare }, TARGET),
    comparison(`${method}, PostgreSQL, 2 processes`, rates.two, { name: peer(2 * POOL), rates: rates.twoBare }, TARGET),
  ];
}

function throughGateways({ seconds }: Bench, method: Method, { servers, keys }: Cluster): Contender {
  const spread = (path: string, body?: () => unknown) =>
    spreadLoad(
      servers.map(({ url }) => url + path),
      { connections: CONNECTIONS, seconds, keys, ...(body && { body }) },
    );
  const measure = {
    POST: (round: number) => spread('/payments', payments(`round-${round}`)),
    GET: async () => spread(`/payments/${await createPayment(servers[0]?.url ?? '', keys[0] ?? '')}`),
  };
  return { servers, measure: measure[method] };
}

/** With as many connections as the gateways have together. */
function bareClient({ seconds }: Bench, method: Method, url: string, { servers }: Cluster): Contender {
  const args = [CLIENT, url, String(servers.length * POOL), String(seconds), method.toLowerCase()];
  return { servers: [], measure: async () => requireRate((await run(process.execPath, args)).stdout) };
}

function requireRate(printed: string): number {
  const rate = Number(printed);
  if (!(rate > 0)) throw new Error(`the bare client has printed '${printed}' instead of a rate`);
  return rate;
}
