/** The disk of an SQLite file fills up under load, and is freed later. Reads continue in between. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { limitedDisk } from '../tools/small-disk.ts';
import { pause, until } from '../tools/wait.ts';
import { type FaultContext, outage, runFaults } from './faults.ts';
import { BASE, describeBadRefusal, inDatabase, type Result, type Torture } from './gateways.ts';

const LOAD_MS = 300;
const READS = 50;
const NOTICED_WITHIN_MS = 10_000;

/** Fills the disk under load and empties it again. */
export async function fillDisk(torture: Torture, rounds: number, fullMs = 500): Promise<Result> {
  const folder = join(torture.folder, 'disk');
  await mkdir(folder, { recursive: true });
  const disk = await limitedDisk(folder);
  if (!disk) return { counts: { skipped: 'this machine has neither mount nor prlimit' }, findings: [] };
  let reads = 0;
  const begin = async ({ gateways, shop, findings }: FaultContext) => {
    const { refused } = shop.counts;
    await disk.fill(gateways[0].pid);
    const noticed = await until(() => shop.counts.refused > refused, NOTICED_WITHIN_MS);
    findings.expect(noticed !== undefined, () => 'no call was refused although the disk was full');
    for (let read = 0; read < READS; read++, reads++) {
      const { status } = await shop.readAny();
      findings.expect(status === 200, () => `a read returned ${status} while the disk was full`);
    }
    await pause(fullMs);
    const mistake = describeBadRefusal(await shop.orderAny());
    findings.expect(mistake === undefined, () => `while the disk was full an order returned ${mistake}`);
    return () => disk.free(gateways[0].pid);
  };
  const env = { ...BASE, DATABASE_FILE: join(folder, 'gateway.db') };
  const counts = () => ({ 'by way of': disk.kind, 'reads while it was full': reads });
  const faults = { name: 'disk', plural: 'full disks', rounds, env, strike: outage(LOAD_MS, begin), counts };
  return runFaults({ ...faults, check: checkFile }, torture).finally(() => disk.remove());
}

async function checkFile({ env, findings }: FaultContext): Promise<void> {
  const found = await inDatabase(env, ({ read }) => read.get('pragma integrity_check'));
  findings.expect(found?.['integrity_check'] === 'ok', () => `the file is damaged: ${JSON.stringify(found)}`);
}
