/**
 * Overhead of the client over openapi-fetch alone, with the same types and headers against the same gateway. Both send
 * the same requests in short alternating runs, so that variations of the machine affect both.
 */
import { join } from 'node:path';
import createOpenapiFetch from 'openapi-fetch';
import manifest from '../../client/package.json' with { type: 'json' };
import { createPaymentsClient, type PaymentsClient } from '../../client/src/index.ts';
import { createPayment, createPayments, startFleet } from './gateways.ts';
import { type Bench, createRow, type Row } from './measure.ts';

/** Per second of a measurement. */
const WARM_UP_CALLS = 250;
/** Per second, too. Many short runs give a steadier median than a few long ones. */
const RUNS = 50;
const CALLS_IN_RUN = 20;
const RATIO_MAX = 1.03;

type Call = () => Promise<unknown>;

/** The overhead of a read and of a creation. */
export async function measureClient(bench: Bench): Promise<Row[]> {
  bench.say('the client against openapi-fetch');
  const fleet = await startFleet(bench, { DATABASE_FILE: join(bench.folder, 'gateway.db') });
  const { url: baseUrl } = fleet.servers[0];
  const [apiKey] = fleet.keys;
  const client = createPaymentsClient({ baseUrl, apiKey });
  const headers = { 'user-agent': `${manifest.name}/${manifest.version}`, authorization: `Bearer ${apiKey}` };
  const peer = createOpenapiFetch<object>({ baseUrl, headers }) as unknown as PaymentsClient;
  const next = createPayments('client');
  const params = { path: { transaction_id: (await createPayment(fleet, 'read')).replace('/payments/', '') } };
  const get = (one: PaymentsClient) => () => one.GET('/payments/{transaction_id}', { params });
  const post = (one: PaymentsClient) => () => one.POST('/payments', { body: next() });
  return [
    await compare('Client, GET', bench.seconds, get(client), get(peer)),
    await compare('Client, POST', bench.seconds, post(client), post(peer)),
  ];
}

async function compare(name: string, seconds: number, client: Call, peer: Call): Promise<Row> {
  for (const call of [peer, client]) await timeCalls(call, WARM_UP_CALLS * seconds);
  const [own, values]: [number[], number[]] = [[], []];
  const both = [[peer, values] as const, [client, own] as const];
  for (let round = 0; round < RUNS * seconds; round++)
    for (const [call, times] of round % 2 === 0 ? both : both.toReversed())
      times.push(await timeCalls(call, CALLS_IN_RUN));
  return createRow(name, 'µs', own, ['≤', RATIO_MAX], ['openapi-fetch', values]);
}

/** The average microseconds of one call. */
async function timeCalls(call: Call, calls: number): Promise<number> {
  const began = performance.now();
  for (let number = 0; number < calls; number++) await call();
  return ((performance.now() - began) * 1_000) / calls;
}
