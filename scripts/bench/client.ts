/**
 * What the client adds to a call, against bare fetch to the same server. Both read the same payment one call after the
 * other, in runs that take turns, so that a slow moment of the machine falls on both.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createPaymentsClient } from '../../client/src/index.ts';
import { responseExamples } from '../../generated/examples.ts';

export interface ClientOverhead {
  /** Microseconds of a call by bare fetch, median of the runs. */
  readonly fetchUs: number;
  readonly clientUs: number;
  /** Median of each round's quotient; 1.05 is 5 % more. */
  readonly ratio: number;
}

export interface OverheadOptions {
  /** Pairs of runs. */
  readonly rounds?: number;
  readonly callsInRun?: number;
}

const KEY = 'sk_test_overhead';
/** Runs in a thread of its own, so that the server's time is not on the client's. */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const body = Buffer.from(workerData);
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const server = createServer((request, response) => response.writeHead(200, headers).end(body));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** Measures the overhead of a typical call, getPayment. */
export async function measureClientOverhead({
  rounds = 40,
  callsInRun = 250,
}: OverheadOptions = {}): Promise<ClientOverhead> {
  const payment = responseExamples.getPayment[200].succeeded;
  const server = new Worker(SERVER, { eval: true, workerData: JSON.stringify(payment) });
  try {
    const [port] = await once(server, 'message');
    const baseUrl = `http://127.0.0.1:${port}`;
    const client = createPaymentsClient({ baseUrl, apiKey: KEY });
    const init = { params: { path: { transaction_id: payment.transaction_id } } };
    const calls = {
      async fetch() {
        const url = `${baseUrl}/payments/${payment.transaction_id}`;
        const response = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } });
        return response.json();
      },
      async client() {
        const { data } = await client.GET('/payments/{transaction_id}', init);
        return data;
      },
    };
    return await compare(calls, rounds, callsInRun);
  } finally {
    await server.terminate();
  }
}

type Calls = Record<'fetch' | 'client', () => Promise<unknown>>;

async function compare(calls: Calls, rounds: number, callsInRun: number): Promise<ClientOverhead> {
  // The first rounds compile.
  for (const call of [calls.fetch, calls.client]) for (let round = 0; round < 4; round++) await run(call, callsInRun);
  const pairs: { fetch: number; client: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? 'fetch' : 'client';
    const second = first === 'fetch' ? 'client' : 'fetch';
    const took = { [first]: await run(calls[first], callsInRun), [second]: await run(calls[second], callsInRun) };
    pairs.push(took as { fetch: number; client: number });
  }
  return {
    fetchUs: median(pairs.map((pair) => pair.fetch)),
    clientUs: median(pairs.map((pair) => pair.client)),
    ratio: median(pairs.map((pair) => pair.client / pair.fetch)),
  };
}

/** Microseconds for one call. */
async function run(call: () => Promise<unknown>, calls: number): Promise<number> {
  const began = performance.now();
  for (let number = 0; number < calls; number++) await call();
  return ((performance.now() - began) * 1_000) / calls;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
