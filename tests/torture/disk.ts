/** The disk of an SQLite file fills up under load, and is freed later. Reads continue in between. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { limitedDisk, type Way } from '../tools/small-disk.ts';
import { pause, until } from '../tools/wait.ts';
import { type FaultContext, runFaults } from './faults.ts';
import { BASE, inDatabase } from './gateways.ts';
import { outage } from './outages.ts';
import type { Findings, Result, Torture } from './part.ts';
import { complaintAboutRefusal, type Shop } from './shop.ts';

export interface DiskOptions {
  readonly rounds: number;
  readonly fullMs?: number;
  /** Ways to fill the disk. The first one that works here is used. */
  readonly ways?: readonly Way[];
}

const LOAD_MS = 300;
const READS = 50;
const NOTICED_WITHIN_MS = 10_000;

/** Fills the disk under load and empties it again. */
export async function torturedByFullDisks(
  torture: Torture,
  { rounds, fullMs = 500, ways }: DiskOptions,
): Promise<Result> {
  const place = join(torture.folder, 'disk');
  await mkdir(place, { recursive: true });
  const disk = await limitedDisk(place, ways);
  if (!disk) return { counts: {}, findings: [], skipped: 'this machine offers neither mount nor prlimit' };
  let reads = 0;
  const begin = async ({ gateways: [gateway], shop, findings }: FaultContext) => {
    const refused = shop.counts.refused;
    await disk.fill(gateway.pid);
    const noticed = await until(() => shop.counts.refused > refused, NOTICED_WITHIN_MS);
    findings.expect(noticed !== undefined, () => 'no call was refused although the disk was full');
    reads += await keepReading(shop, findings);
    await pause(fullMs);
    await refuseInform(shop, findings);
    return () => disk.free(gateway.pid);
  };
  const env = { ...BASE, DATABASE_FILE: join(place, 'gateway.db') };
  try {
    const strike = outage(LOAD_MS, begin);
    const counts = () => ({ 'by way of': disk.kind, 'reads while it was full': reads });
    return await runFaults(
      { name: 'disk', what: 'full disks', rounds, env, strike, check: checkFile, counts },
      torture,
    );
  } finally {
    await disk.remove();
  }
}

async function keepReading(shop: Shop, findings: Findings): Promise<number> {
  for (let count = 0; count < READS; count++) {
    const answer = await (count % 5 === 0 ? shop.request('GET', '/merchant/balance') : shop.readAny());
    findings.expect(answer.status === 200, () => `a read returned ${answer.status} while the disk was full`);
  }
  return READS;
}

async function refuseInform(shop: Shop, findings: Findings): Promise<void> {
  const answer = await shop.orderAny();
  const complaint = answer.status === 503 ? complaintAboutRefusal(answer) : `an order returned ${answer.status}`;
  if (complaint) findings.add(`while the disk was full ${complaint}`);
}

async function checkFile({ env, findings }: FaultContext): Promise<void> {
  const found = await inDatabase(env, ({ read }) => read.get('pragma integrity_check'));
  findings.expect(found?.['integrity_check'] === 'ok', () => `the file is damaged: ${JSON.stringify(found)}`);
}
