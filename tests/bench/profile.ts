/** A profile of the whole flow on SQLite: the time of the gateway's thread, as a table and as a flame graph. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { addMerchant } from '../load/merchants.ts';
import { alignedTable } from '../tools/aligned-table.ts';
import { GATEWAY, startServer } from '../tools/server.ts';
import { flameGraph, folderTimes, readProfile } from './cpu-profile.ts';
import { openCheckout, payAll } from './journeys.ts';
import type { Bench } from './part.ts';
import { BENCH_SETTINGS } from './servers.ts';

const CONCURRENT = 64;
/** Folders below this share of the time are summed up. */
const SHOWN = 0.01;

/** Writes the flame graph to the file, and returns the table of folders. */
export async function profileFlow({ folder, seconds, say }: Bench, file: string): Promise<string> {
  const database = { DATABASE_FILE: join(folder, 'profile.db') };
  const { key } = await addMerchant(database);
  const args = ['--cpu-prof', '--cpu-prof-dir', folder, GATEWAY, 'start'];
  const server = await startServer(args, { env: { ...BENCH_SETTINGS, ...database } });
  say(`profile: payments for ${seconds} s`);
  const local = { ...server, url: server.url.replace('//localhost:', '//127.0.0.1:') };
  const checkout = await openCheckout({ servers: [local], keys: [key] });
  const flows = await payAll(checkout, { concurrent: CONCURRENT, seconds }).finally(() => checkout.close());
  await server.end('SIGTERM');
  const name = (await readdir(folder)).find((one) => one.endsWith('.cpuprofile'));
  if (!name) throw new Error('the gateway has written no profile');
  const profile = readProfile(await readFile(join(folder, name), 'utf8'));
  await writeFile(file, flameGraph(profile));

  const times = folderTimes(profile);
  const total = times.reduce((sum, { ms }) => sum + ms, 0);
  const shown = times.filter(({ ms }) => ms >= total * SHOWN);
  const rest = { folder: 'others', ms: total - shown.reduce((sum, { ms }) => sum + ms, 0) };
  const rows = [...shown, rest, { folder: 'all', ms: total }].map(({ folder: of, ms }) => [
    of,
    `${((1_000 * ms) / flows.length).toFixed(0)} µs`,
    `${((100 * ms) / total).toFixed(1)} %`,
  ]);
  return `${alignedTable(['Folder or package', 'For each payment', 'Share'], rows)}\n\n${flows.length} payments. Start and end of the process are in the times. Flame graph: ${resolve(file)}`;
}
