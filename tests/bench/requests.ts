/** Requests per second of the gateway and its peers on SQLite, and the gateway's start and memory. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../scripts/tools/process.ts';
import { sendTaken } from '../load/client.ts';
import { addMerchant } from '../load/merchants.ts';
import { freePort } from '../tools/loopback.ts';
import { residentBytes, startServer } from '../tools/server.ts';
import { createPayments, endAll, type Fleet, startBareFlow, startEcho, startFleet, startGateway } from './gateways.ts';
import { alternate, type Bench, createRow, load, type Row } from './measure.ts';

const MEMORY_MAX_MB = 250;
const PRISM = fileURLToPath(import.meta.resolve('@stoplight/prism-cli'));

export async function measureRequests(bench: Bench): Promise<Row[]> {
  bench.say('starting the gateway, the bare flow, the echo and Prism');
  // First, while the machine is idle.
  const starts = await measureStarts(bench);
  const [bare, gateway, sandbox, prism, echo] = await Promise.all([
    startBareFlow({ DATABASE_FILE: join(bench.folder, 'bare.db') }),
    startFleet({ DATABASE_FILE: join(bench.folder, 'gateway.db') }),
    startFleet({ DATABASE_FILE: join(bench.folder, 'sandbox.db'), SANDBOX: 'true' }),
    startPrism(),
    startEcho(),
  ]);
  try {
    // Before the POSTs, whose background work would compete for the machine.
    const path = `/payments/${await createPayment(gateway)}`;
    const get = ({ servers, keys: [key] }: Fleet) => ({
      servers,
      measure: () => load([servers[0].url + path], { ...bench, key }),
    });
    const gets = await alternate(bench, 'GET', { echo: get(echo), gateway: get(gateway), prism: get(prism) });
    const post = ({ servers, keys: [key] }: Fleet) => ({
      servers,
      measure: (round: number) =>
        load([`${servers[0].url}/payments`], { ...bench, key, body: createPayments(`round-${round}`) }),
    });
    const posts = await alternate(bench, 'POST', {
      bare: post(bare),
      gateway: post(gateway),
      sandbox: post(sandbox),
      prism: post(prism),
    });
    return [
      createRow('POST /payments, durable', '/s', posts.gateway, ['≥', 10], { name: 'Prism', values: posts.prism }),
      createRow('POST /payments, durable', '/s', posts.gateway, ['≥', 0.75], { name: 'bare flow', values: posts.bare }),
      createRow('POST /payments with a sandbox', '/s', posts.sandbox, ['≥', 0.95], {
        name: 'without',
        values: posts.gateway,
      }),
      createRow('GET /payments/{id}', '/s', gets.gateway, ['≥', 10], { name: 'Prism', values: gets.prism }),
      createRow('GET /payments/{id}', '/s', gets.gateway, ['≥', 0.65], { name: 'bare echo', values: gets.echo }),
      createRow('Start to first response', 'ms', starts, ['≤', 500]),
      await memoryRow('Memory at full load', gateway, 'VmHWM'),
    ];
  } finally {
    await endAll(bare, gateway, sandbox, prism, echo);
  }
}

/** Prism's own command with its default settings. */
async function startPrism(): Promise<Fleet> {
  const port = await freePort();
  const options = { url: `http://127.0.0.1:${port}`, ready: /is listening/ };
  const args = [PRISM, 'mock', join(ROOT, 'generated/openapi.json'), '-p', String(port)];
  return { servers: [await startServer(args, options)], keys: ['key'] };
}

/** Creates a payment and returns its id. */
export async function createPayment({ servers: [{ url }], keys: [key] }: Fleet, name = 'read'): Promise<string> {
  const body = createPayments(name)();
  return (await sendTaken<{ transaction_id: string }>({ url, key }, 'POST', '/payments', body)).transaction_id;
}

/** A row with the server's memory: the peak of all, or the current memory without pages of files. */
export async function memoryRow(name: string, { servers }: Fleet, which: 'VmHWM' | 'RssAnon'): Promise<Row> {
  return createRow(name, 'MB', [(await residentBytes(servers[0], which)) / 1e6], ['≤', MEMORY_MAX_MB]);
}

/**
 * Milliseconds from the start of a process to its first response, once per round. An additional start comes first and
 * stops gracefully, so that Node stores its compile cache.
 */
async function measureStarts({ folder, rounds }: Bench): Promise<number[]> {
  const database = { DATABASE_FILE: join(folder, 'start.db') };
  await addMerchant(database);
  await (await startGateway(database)).end('SIGTERM');
  const times: number[] = [];
  while (times.length < rounds) {
    const { startMs, url, end } = await startGateway(database);
    const listening = performance.now();
    const { ok, status } = await fetch(`${url}/health/ready`);
    if (!ok) throw new Error(`the first request returned ${status}`);
    times.push(startMs + performance.now() - listening);
    await end();
  }
  return times;
}
