/**
 * Two processes compared with one on PostgreSQL, with whole payment flows of many merchants. Unlike the single merchant
 * of the flow, they rarely share a wallet.
 */
import { startCluster, withPostgres } from './clusters.ts';
import { contender, counting } from './flow.ts';
import { payAll } from './journeys.ts';
import type { Bench } from './part.ts';
import { inTurns } from './rounds.ts';
import { comparison, figure, median, type Row } from './table.ts';

const MERCHANTS = 50;
/** Target relative to one process, on cores shared with the load generator. */
const TARGET = 1;

export function measureMerchants(bench: Bench): Promise<Row[]> {
  bench.say(`starting gateways with ${MERCHANTS} merchants`);
  return withPostgres(async (server) => {
    const one = await startCluster(server, 'merchants_one', 1, MERCHANTS);
    const two = await startCluster(server, 'merchants_two', 2, MERCHANTS);
    const costs = { one: [] as number[], two: [] as number[] };
    const contenders = { one: contender(bench, one, payAll), two: contender(bench, two, payAll) };
    try {
      const what = `Payments, whole flow, ${MERCHANTS} merchants`;
      // Not measured: each merchant's first payment reads its key and its secret.
      await inTurns({ ...bench, rounds: 1 }, `${what}, at first`, contenders);
      const rates = await inTurns(bench, what, {
        one: counting(contenders.one, bench, server, costs.one),
        two: counting(contenders.two, bench, server, costs.two),
      });
      const cost = `CPU of a payment's whole flow, gateways and server, ${MERCHANTS} merchants`;
      return [
        comparison(`${what}, 2 processes`, rates.two, { name: '1 process', rates: rates.one }, TARGET),
        { name: `${cost}, 1 process`, figure: figure(median(costs.one), 'ms') },
        { name: `${cost}, 2 processes`, figure: figure(median(costs.two), 'ms') },
      ];
    } finally {
      await Promise.all([one, two].flatMap(({ servers }) => servers.map((gateway) => gateway.end())));
    }
  });
}
