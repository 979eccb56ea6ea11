/** Throughput on a file with many payments, compared with one small enough for memory. */
import { join } from 'node:path';
import { createPayments, endAll, type Fleet, startGateway } from './gateways.ts';
import { alternate, type Bench, createRow, load, type Row } from './measure.ts';
import { memoryRow } from './requests.ts';
import { formatSeededId, seedPayments, writeTemplate } from './seed.ts';

const RATIO_MIN = 0.95;
/** Enough that consecutive reads are of different payments, as in production. */
const FEW = 1_000;

interface Filled extends Fleet {
  /** The path of a random payment. */
  readonly path: () => string;
}

/** Measures POST and GET with a full and with a small file. */
export async function measureGrowth(bench: Bench): Promise<Row[]> {
  const { folder, payments, say } = bench;
  const name = `${payments.toLocaleString('en-US')} payments in the file`;
  say(`starting gateways with ${name}`);
  const full = await start(join(folder, 'full.db'), payments);
  const few = await start(join(folder, 'few.db'), Math.min(FEW, payments));
  const get = ({ servers, keys: [key], path }: Filled) => ({
    servers,
    measure: () => load([servers[0].url], { ...bench, key, path }),
  });
  const post = ({ servers, keys: [key] }: Filled) => ({
    servers,
    measure: (round: number) =>
      load([`${servers[0].url}/payments`], { ...bench, key, body: createPayments(`round-${round}`) }),
  });
  try {
    // Before the POSTs, whose background work would compete for the machine.
    const gets = await alternate(bench, 'GET, few and full', { few: get(few), full: get(full) });
    const posts = await alternate(bench, 'POST, few and full', { few: post(few), full: post(full) });
    return [
      createRow(`POST, ${name}`, '/s', posts.full, ['≥', RATIO_MIN], { name: 'few', values: posts.few }),
      createRow(`GET, ${name}`, '/s', gets.full, ['≥', RATIO_MIN], { name: 'few', values: gets.few }),
      // The operating system can reclaim mapped pages of the file.
      await memoryRow(`Memory but for mapped pages, ${name}`, full, 'RssAnon'),
    ];
  } finally {
    await endAll(full, few);
  }
}

async function start(file: string, payments: number): Promise<Filled> {
  const template = await writeTemplate(file);
  seedPayments(template, payments);
  const path = () => `/payments/${formatSeededId(template, Math.floor(Math.random() * payments))}`;
  return { servers: [await startGateway({ DATABASE_FILE: file })], keys: [template.key], path };
}
