/** Throughput on a file with many payments, compared with one small enough for memory. */
import { join } from 'node:path';
import { sendTaken } from '../load/client.ts';
import type { Server } from '../tools/server.ts';
import { scatteredPayments } from './bodies.ts';
import { load } from './load.ts';
import type { Bench } from './part.ts';
import { type Contender, inTurns } from './rounds.ts';
import { seededId, seedPayments } from './seed.ts';
import { startGateway } from './servers.ts';
import { comparison, memoryRow, type Row } from './table.ts';
import { writeTemplate } from './template.ts';

const CONNECTIONS = 32;
/** Within 10 % of the small file. */
const TARGET = 0.9;
/** Enough that consecutive reads are of different payments, as in production. */
const SMALL = 1_000;
/** Seeded payments to read before the measurement, as a check of the seeding. */
const CHECKED = 10;

interface Filled {
  readonly server: Server;
  readonly key: string;
  /** A random payment's id. */
  readonly anyId: () => string;
}

/** Measures POST and GET with a full and with a small file. */
export async function measureGrowth(bench: Bench): Promise<Row[]> {
  const { folder, payments, say } = bench;
  say(`filling a file with ${payments.toLocaleString('en-US')} payments`);
  const full = await start(join(folder, 'full.db'), payments);
  const small = await start(join(folder, 'small.db'), Math.min(SMALL, payments));
  try {
    for (let count = 0; count < CHECKED; count++) await checkPayment(full);
    // Before the POSTs, whose background work would compete for the machine.
    const gets = await inTurns(bench, 'GET, small and full', {
      small: getting(bench, small),
      full: getting(bench, full),
    });
    const posts = await inTurns(bench, 'POST, small and full', {
      small: posting(bench, small),
      full: posting(bench, full),
    });
    const name = `${payments.toLocaleString('en-US')} payments in the file`;
    return [
      comparison(`POST, ${name}`, posts.full, { name: 'few', rates: posts.small }, TARGET),
      comparison(`GET, ${name}`, gets.full, { name: 'few', rates: gets.small }, TARGET),
      // Mapped pages of the file don't count, since the operating system can reclaim them.
      await memoryRow(`Memory but for mapped pages, ${name}`, full.server, 'RssAnon'),
    ];
  } finally {
    await Promise.all([full, small].map(({ server }) => server.end()));
  }
}

async function start(file: string, payments: number): Promise<Filled> {
  const template = await writeTemplate(file);
  seedPayments(template, payments);
  const anyId = () => seededId(template, Math.floor(Math.random() * payments));
  return { server: await startGateway({ DATABASE_FILE: file }), key: template.key, anyId };
}

function getting({ seconds }: Bench, { server, key, anyId }: Filled): Contender {
  const path = () => `/payments/${anyId()}`;
  return {
    servers: [server],
    measure: () => load({ url: server.url, connections: CONNECTIONS, seconds, keys: [key], path }),
  };
}

function posting({ seconds }: Bench, { server, key }: Filled): Contender {
  const url = `${server.url}/payments`;
  return {
    servers: [server],
    measure: (round) =>
      load({ url, connections: CONNECTIONS, seconds, keys: [key], body: scatteredPayments(`round-${round}`) }),
  };
}

async function checkPayment({ server, key, anyId }: Filled): Promise<void> {
  const id = anyId();
  const { url } = server;
  const found = await sendTaken<{ transaction_id: string }>({ url, key }, 'GET', `/payments/${id}`);
  if (found.transaction_id !== id) throw new Error(`GET of the seeded payment ${id} returned ${found.transaction_id}`);
}
