/** What requests cost once a file holds many payments, against one that has just been created. */
import { join } from 'node:path';
import { scatteredPayments } from './bodies.ts';
import { load } from './load.ts';
import type { Bench } from './part.ts';
import { seededId, seedPayments } from './seed.ts';
import { type Server, startGateway } from './servers.ts';
import { comparison, type Row } from './table.ts';
import { type Template, writeTemplate } from './template.ts';
import { type Contender, inTurns } from './turns.ts';

const CONNECTIONS = 32;
/** Within 10 % of the empty file. */
const TARGET = 0.9;
/** Seeded payments that are read before the measurement, to see that they are there. */
const CHECKED = 10;

interface Filled {
  readonly server: Server;
  readonly key: string;
  /** The id of any of its payments. */
  readonly anyId: () => string;
}

/** POST and GET, with so many payments in the file and with none. */
export async function measureGrowth(bench: Bench): Promise<Row[]> {
  const { folder, payments, say } = bench;
  say(`filling a file with ${payments.toLocaleString('en-US')} payments`);
  const template = await writeTemplate(join(folder, 'full.db'));
  seedPayments(template, payments);
  const full = await start(template, () => seededId(template, Math.floor(Math.random() * payments)));
  const fresh = await writeTemplate(join(folder, 'empty.db'));
  const empty = await start(fresh, () => fresh.id);
  try {
    for (let count = 0; count < CHECKED; count++) await checkPayment(full);
    // Before the POSTs, since what they leave to be done in the background takes its share for a while.
    const gets = await inTurns(bench, 'GET, empty and full', {
      empty: getting(bench, empty),
      full: getting(bench, full),
    });
    const posts = await inTurns(bench, 'POST, empty and full', {
      empty: posting(bench, empty),
      full: posting(bench, full),
    });
    const name = `${payments.toLocaleString('en-US')} payments in the file`;
    return [
      comparison(`POST, ${name}`, posts.full, { name: 'began empty', rates: posts.empty }, TARGET),
      comparison(`GET, ${name}`, gets.full, { name: 'one payment', rates: gets.empty }, TARGET),
    ];
  } finally {
    await Promise.all([full, empty].map(({ server }) => server.stop()));
  }
}

async function start({ file, key }: Template, anyId: () => string): Promise<Filled> {
  return { server: await startGateway({ DATABASE_FILE: file }), key, anyId };
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
  const response = await fetch(`${server.url}/payments/${id}`, { headers: { authorization: `Bearer ${key}` } });
  const { transaction_id: found } = (await response.json()) as { transaction_id?: string };
  if (found !== id) throw new Error(`the seeded payment ${id} was answered ${response.status} with ${found}`);
}
