/**
 * Overhead of the client over openapi-fetch alone, with the same types and headers against the same gateway. Both send
 * the same requests in short alternating runs, so that variations of the machine affect both.
 */

import { join } from 'node:path';
import createOpenapiFetch from 'openapi-fetch';
import manifest from '../../client/package.json' with { type: 'json' };
import { createPaymentsClient, type PaymentsClient } from '../../client/src/index.ts';
import { payments } from './bodies.ts';
import type { Bench } from './part.ts';
import { startGatewayWithMerchant } from './servers.ts';
import { figure, median, type Row } from './table.ts';

/** Per second of a measurement. */
const WARM_UP_CALLS = 250;
/** Per second, too. Many short runs give a steadier median than a few long ones. */
const RUNS = 50;
const CALLS_IN_RUN = 20;
const RATIO_MAX = 1.03;

type Call = () => Promise<unknown>;

/** The overhead of a read and of a creation. */
export async function measureClient({ folder, seconds, say }: Bench): Promise<Row[]> {
  say('the client against openapi-fetch');
  const { url, key, end } = await startGatewayWithMerchant({ DATABASE_FILE: join(folder, 'gateway.db') });
  try {
    const client = createPaymentsClient({ baseUrl: url, apiKey: key });
    const headers = { 'user-agent': `${manifest.name}/${manifest.version}`, authorization: `Bearer ${key}` };
    const peer = createOpenapiFetch<object>({ baseUrl: url, headers }) as unknown as PaymentsClient;
    const next = payments('client');
    const { data } = await peer.POST('/payments', { body: next() });
    if (!data) throw new Error(`the gateway at ${url} creates no payment`);
    const params = { path: { transaction_id: data.transaction_id } };
    return [
      await overhead(
        'Client, GET',
        seconds,
        () => peer.GET('/payments/{transaction_id}', { params }),
        () => client.GET('/payments/{transaction_id}', { params }),
      ),
      await overhead(
        'Client, POST',
        seconds,
        () => peer.POST('/payments', { body: next() }),
        () => client.POST('/payments', { body: next() }),
      ),
    ];
  } finally {
    await end();
  }
}

async function overhead(name: string, seconds: number, peer: Call, client: Call): Promise<Row> {
  for (const call of [peer, client]) await microseconds(call, WARM_UP_CALLS * seconds);
  const pairs: [client: number, peer: number][] = [];
  for (let round = 0; round < RUNS * seconds; round++) {
    if (round % 2 === 0) {
      const first = await microseconds(peer, CALLS_IN_RUN);
      pairs.push([await microseconds(client, CALLS_IN_RUN), first]);
    } else {
      pairs.push([await microseconds(client, CALLS_IN_RUN), await microseconds(peer, CALLS_IN_RUN)]);
    }
  }
  const ratio = median(pairs.map(([own, other]) => own / other));
  return {
    name,
    figure: figure(median(pairs.map(([own]) => own)), 'µs'),
    peer: `openapi-fetch ${figure(median(pairs.map(([, other]) => other)), 'µs')}`,
    ratio,
    target: { text: `≤ ${RATIO_MAX}`, met: ratio <= RATIO_MAX },
  };
}

/** The average of one call. */
async function microseconds(call: Call, calls: number): Promise<number> {
  const began = performance.now();
  for (let number = 0; number < calls; number++) await call();
  return ((performance.now() - began) * 1_000) / calls;
}
