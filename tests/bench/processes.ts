/** Throughput of several processes on one PostgreSQL, with many wallets and with a single one. */
import { alignedTable } from '../tools/aligned-table.ts';
import { payments, payouts } from './bodies.ts';
import { type Cluster, DURABLE_NOTE, startCluster, withPostgres } from './clusters.ts';
import { spreadLoad } from './load.ts';
import type { Bench } from './part.ts';
import { type Contender, inTurns } from './rounds.ts';
import { figure, median } from './table.ts';

const CONNECTIONS = 32;
const WALLETS = 32;

interface Candidate {
  readonly name: string;
  readonly processes: number;
  readonly merchants: number;
  readonly path: string;
  readonly bodies: (tag: string) => () => unknown;
}

const PAYMENTS = { merchants: 1, path: '/payments', bodies: payments };
const PAYOUTS = { processes: 2, path: '/payouts', bodies: payouts };

const SCENES: readonly Candidate[] = [
  { ...PAYMENTS, name: 'POST /payments, 1 process', processes: 1 },
  { ...PAYMENTS, name: 'POST /payments, 2 processes', processes: 2 },
  { ...PAYMENTS, name: 'POST /payments, 3 processes', processes: 3 },
  { ...PAYOUTS, name: 'POST /payouts, 2 processes, one wallet', merchants: 1 },
  { ...PAYOUTS, name: `POST /payouts, 2 processes, ${WALLETS} wallets`, merchants: WALLETS },
];

/** Returns the table as text. */
export function measureProcesses(bench: Bench): Promise<string> {
  bench.say('starting PostgreSQL, and gateways on it');
  return withPostgres(async (postgres) => {
    const scenes = await Promise.all(
      SCENES.map(async (scene, number) => {
        const cluster = await startCluster(postgres, `scene_${number}`, scene.processes, scene.merchants);
        return [scene.name, contender(bench, scene, cluster)] as const;
      }),
    );
    try {
      const rates = await inTurns(bench, 'processes', Object.fromEntries(scenes));
      const lines = Object.entries(rates).map(([name, measured]) => [name, figure(median(measured), '/s')]);
      return `${alignedTable(['What', 'Figure'], lines)}\n\n${DURABLE_NOTE}`;
    } finally {
      await Promise.all(scenes.flatMap(([, { servers }]) => servers.map((server) => server.end())));
    }
  });
}

function contender({ seconds }: Bench, { path, bodies }: Candidate, { servers, keys }: Cluster): Contender {
  const urls = servers.map(({ url }) => url + path);
  return {
    servers,
    measure: (round) => spreadLoad(urls, { connections: CONNECTIONS, seconds, keys, body: bodies(`round-${round}`) }),
  };
}
