/** Requests per second of the gateway and its peers, in alternating rounds. */
import { join } from 'node:path';
import { sendTaken } from '../load/client.ts';
import { addMerchant, type DatabaseSettings } from '../load/merchants.ts';
import type { Server } from '../tools/server.ts';
import { payments } from './bodies.ts';
import { load } from './load.ts';
import type { Bench } from './part.ts';
import { type Contender, inTurns } from './rounds.ts';
import {
  type BenchGateway,
  startEcho,
  startFloor,
  startGateway,
  startGatewayWithMerchant,
  startPrism,
} from './servers.ts';
import { atMost, comparison, median, memoryRow, type Row } from './table.ts';

const CONNECTIONS = 32;

/** POST and GET, the start, and the memory at full load. */
export async function measureRequests(bench: Bench): Promise<Row[]> {
  const { folder, say } = bench;
  say('starting the gateway, the floor, the echo and Prism');
  // First, while the machine is idle.
  const startMs = await measureStarts(bench);
  const [floor, echo, prism, gateway] = await Promise.all([
    startFloor(folder),
    startEcho(),
    startPrism(),
    startGatewayWithMerchant({ DATABASE_FILE: join(folder, 'gateway.db') }),
  ]);
  try {
    // Before the POSTs, whose background work would compete for the machine.
    const gets = await measureGets(bench, { echo, prism, gateway });
    return [
      ...(await measurePosts(bench, { floor, prism, gateway })),
      ...gets,
      atMost('Start to first response', startMs, 500, 'ms'),
      await memoryRow('Memory at full load', gateway, 'VmHWM'),
    ];
  } finally {
    await Promise.all([floor, echo, prism, gateway].map((server) => server.end()));
  }
}

async function measurePosts(
  bench: Bench,
  { floor, prism, gateway }: { floor: Server; prism: Server; gateway: BenchGateway },
): Promise<Row[]> {
  const posting = (server: Server, name: string): Contender => ({
    servers: [server],
    measure: (round) =>
      load({
        url: `${server.url}/payments`,
        connections: CONNECTIONS,
        seconds: bench.seconds,
        keys: [gateway.key],
        body: payments(`${name}-${round}`),
      }),
  });
  const rates = await inTurns(bench, 'POST', {
    floor: posting(floor, 'floor'),
    gateway: posting(gateway, 'gateway'),
    prism: posting(prism, 'prism'),
  });
  return [
    comparison('POST /payments, durable', rates.gateway, { name: 'Prism', rates: rates.prism }, 10),
    comparison('POST /payments, durable', rates.gateway, { name: 'two inserts', rates: rates.floor }, 0.75),
  ];
}

async function measureGets(
  bench: Bench,
  { echo, prism, gateway }: { echo: Server; prism: Server; gateway: BenchGateway },
): Promise<Row[]> {
  const path = `/payments/${await createPayment(gateway.url, gateway.key)}`;
  const getting = (server: Server): Contender => ({
    servers: [server],
    measure: () =>
      load({ url: server.url + path, connections: CONNECTIONS, seconds: bench.seconds, keys: [gateway.key] }),
  });
  const rates = await inTurns(bench, 'GET', { echo: getting(echo), gateway: getting(gateway), prism: getting(prism) });
  return [
    comparison('GET /payments/{id}', rates.gateway, { name: 'Prism', rates: rates.prism }, 10),
    comparison('GET /payments/{id}', rates.gateway, { name: 'bare echo', rates: rates.echo }, 0.5),
  ];
}

/** Creates a payment and returns its id. */
export async function createPayment(url: string, key: string): Promise<string> {
  const body = payments('read')();
  return (await sendTaken<{ transaction_id: string }>({ url, key }, 'POST', '/payments', body)).transaction_id;
}

/**
 * Milliseconds from the start of a process to its first response: the median of one start per round. An additional
 * start comes first and stops gracefully, so that Node stores its compile cache.
 */
async function measureStarts({ folder, rounds }: Bench): Promise<number> {
  const database = { DATABASE_FILE: join(folder, 'start.db') };
  await addMerchant(database);
  const { end } = await startGateway(database);
  await end('SIGTERM');
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await measureStart(database));
  return median(times);
}

async function measureStart(database: DatabaseSettings): Promise<number> {
  const { startMs, url, end } = await startGateway(database);
  const started = performance.now();
  const { ok, status } = await fetch(`${url}/health/ready`);
  if (!ok) throw new Error(`the first request returned ${status}`);
  const total = startMs + performance.now() - started;
  await end();
  return total;
}
