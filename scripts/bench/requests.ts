/** Requests per second of the gateway beside its peers, in turns. */
import { readFile } from 'node:fs/promises';
import { requestExamples } from '../../generated/examples.ts';
import type { CreatePaymentRequest } from '../../generated/types.ts';
import { load } from './load.ts';
import { type BenchGateway, type Server, startEcho, startFloor, startGateway, startPrism } from './servers.ts';
import { comparison, figure, type Row } from './table.ts';

export interface Bench {
  folder: string;
  seconds: number;
  rounds: number;
  /** Says what is being measured. */
  say: (text: string) => void;
}

const CONNECTIONS = 32;
const PRISM_PORT = 4019;
const CUSTOMERS = 10_000;
/** Nothing listens there: deliveries fail at once and are retried later. */
const CALLBACK = 'http://127.0.0.1:9/';

/** POST and GET, the start, and the memory at full load. */
export async function measureRequests(bench: Bench): Promise<Row[]> {
  const { folder, say } = bench;
  say('starting the floor, the echo, Prism and the gateway');
  const [floor, echo, prism, gateway] = await Promise.all([
    startFloor(folder),
    startEcho(),
    startPrism(PRISM_PORT),
    startGateway(folder),
  ]);
  try {
    // Before the POSTs, since what they leave to be done in the background takes its share for a while.
    const gets = await measureGets(bench, { echo, prism, gateway });
    return [
      ...(await measurePosts(bench, { floor, prism, gateway })),
      ...gets,
      { name: 'Start to first answer', ...limit(await measureStart(folder), 500, 'ms') },
      { name: 'Memory at full load', ...limit((await residentBytes(gateway)) / 2 ** 20, 250, 'MiB') },
    ];
  } finally {
    await Promise.all([floor, echo, prism, gateway].map((server) => server.stop()));
  }
}

async function measurePosts(
  { seconds, rounds, say }: Bench,
  servers: { floor: Server; prism: Server; gateway: BenchGateway },
): Promise<Row[]> {
  const { floor, prism, gateway } = servers;
  const rates = { floor: [] as number[], prism: [] as number[], gateway: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    say(`POST, round ${round + 1} of ${rounds}`);
    for (const [name, { url }] of Object.entries({ floor, gateway, prism })) {
      const result = await load({
        url: `${url}/payments`,
        connections: CONNECTIONS,
        seconds,
        key: gateway.key,
        body: payments(`${name}-${round}`),
      });
      rates[name as keyof typeof rates].push(answered(name, result));
    }
  }
  return [
    comparison('POST /payments, durable', pairs(rates.gateway, rates.prism), 'Prism', 10),
    comparison('POST /payments, durable', pairs(rates.gateway, rates.floor), 'two inserts', 0.8),
  ];
}

async function measureGets(
  { seconds, rounds, say }: Bench,
  servers: { echo: Server; prism: Server; gateway: BenchGateway },
): Promise<Row[]> {
  const { echo, prism, gateway } = servers;
  const created = await fetch(`${gateway.url}/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(payments('read')(0)),
  });
  const path = `/payments/${((await created.json()) as { transaction_id: string }).transaction_id}`;
  const rates = { echo: [] as number[], prism: [] as number[], gateway: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    say(`GET, round ${round + 1} of ${rounds}`);
    for (const [name, { url }] of Object.entries({ echo, gateway, prism })) {
      const result = await load({ url: url + path, connections: CONNECTIONS, seconds, key: gateway.key });
      rates[name as keyof typeof rates].push(answered(name, result));
    }
  }
  return [
    comparison('GET /payments/{id}', pairs(rates.gateway, rates.prism), 'Prism', 10),
    comparison('GET /payments/{id}', pairs(rates.gateway, rates.echo), 'bare echo', 0.5),
  ];
}

/** Milliseconds from the start of the process to the first answered request. */
async function measureStart(folder: string): Promise<number> {
  const { child, startMs, url, stop } = await startGateway(folder, { DATABASE_FILE: `${folder}/start.db` });
  const started = performance.now();
  await fetch(`${url}/health/ready`);
  const total = startMs + performance.now() - started;
  if (child.pid) await stop();
  return total;
}

async function residentBytes({ child }: Server): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  return Number(status.match(/VmHWM:\s+(\d+) kB/)?.[1] ?? Number.NaN) * 1024;
}

/** Bodies of creations, each with an order id of its own. */
export function payments(tag: string): (index: number) => CreatePaymentRequest {
  const { body } = requestExamples.createPayment['h2h-upi'];
  return (index) => ({
    ...body,
    customer: { ...body.customer, id: `customer-${index % CUSTOMERS}` },
    merchant_order_id: `${tag}-${index}`,
    callback_url: CALLBACK,
  });
}

function answered(
  name: string,
  { requestsPerSecond, failures }: { requestsPerSecond: number; failures: number },
): number {
  if (failures > 0) throw new Error(`${name} answered ${failures} requests with an error`);
  return requestsPerSecond;
}

function pairs(own: readonly number[], other: readonly number[]): [number, number][] {
  return own.map((value, index) => [value, other[index] ?? Number.NaN]);
}

function limit(value: number, most: number, unit: string): Pick<Row, 'figure' | 'target'> {
  return { figure: figure(value, unit), target: { text: `≤ ${most} ${unit}`, met: value <= most } };
}
