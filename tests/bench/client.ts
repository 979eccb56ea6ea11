/**
 * What the client adds to a call, against bare fetch to the same gateway. Both make the same call one after the other,
 * in runs that take turns, so that a slow moment of the machine falls on both.
 */

import { join } from 'node:path';
import { createPaymentsClient } from '../../client/src/index.ts';
import { payments } from './bodies.ts';
import type { Bench } from './part.ts';
import { startGatewayWithMerchant } from './servers.ts';
import { figure, median, type Row } from './table.ts';

/** For each second that a measurement may take. */
const WARM_UP_CALLS = 250;
/** Likewise. Many short runs give a steadier median than few long ones. */
const RUNS = 50;
const CALLS_IN_RUN = 20;
const RATIO_MAX = 1.05;

type Call = () => Promise<unknown>;

/** The overhead of a read and of a creation. */
export async function measureClient({ folder, seconds, say }: Bench): Promise<Row[]> {
  say('the client against bare fetch');
  const { url, key, end } = await startGatewayWithMerchant({ DATABASE_FILE: join(folder, 'gateway.db') });
  try {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const client = createPaymentsClient({ baseUrl: url, apiKey: key });
    const next = payments('client');
    const post = async () =>
      (await fetch(`${url}/payments`, { method: 'POST', headers, body: JSON.stringify(next()) })).json();
    const { transaction_id } = (await post()) as { transaction_id: string };
    return [
      await overhead(
        'Client, GET',
        seconds,
        async () => (await fetch(`${url}/payments/${transaction_id}`, { headers })).json(),
        () => client.GET('/payments/{transaction_id}', { params: { path: { transaction_id } } }),
      ),
      await overhead('Client, POST', seconds, post, () => client.POST('/payments', { body: next() })),
    ];
  } finally {
    await end();
  }
}

async function overhead(name: string, seconds: number, bare: Call, client: Call): Promise<Row> {
  for (const call of [bare, client]) await microseconds(call, WARM_UP_CALLS * seconds);
  const pairs: [client: number, bare: number][] = [];
  for (let round = 0; round < RUNS * seconds; round++) {
    if (round % 2 === 0) {
      const first = await microseconds(bare, CALLS_IN_RUN);
      pairs.push([await microseconds(client, CALLS_IN_RUN), first]);
    } else {
      pairs.push([await microseconds(client, CALLS_IN_RUN), await microseconds(bare, CALLS_IN_RUN)]);
    }
  }
  const ratio = median(pairs.map(([own, other]) => own / other));
  return {
    name,
    figure: figure(median(pairs.map(([own]) => own)), 'µs'),
    peer: `bare fetch ${figure(median(pairs.map(([, other]) => other)), 'µs')}`,
    ratio,
    target: { text: `≤ ${RATIO_MAX}`, met: ratio <= RATIO_MAX },
  };
}

/** For one call, on average. */
async function microseconds(call: Call, calls: number): Promise<number> {
  const began = performance.now();
  for (let number = 0; number < calls; number++) await call();
  return ((performance.now() - began) * 1_000) / calls;
}
