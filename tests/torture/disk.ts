/**
 * The disk of an SQLite file fills up under load, and has room again later. In between what would write gets a 503 that
 * says when to come again, and reads go on; afterwards the same gateway writes again, and nothing is lost.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pause, until } from '../tools/wait.ts';
import { bringToEnd } from './ending.ts';
import { addAccount, audit, BASE, type Environment, inDatabase, startGateway } from './gateways.ts';
import { isTaken } from './http.ts';
import { Findings, type Result, type Torture } from './part.ts';
import { seeded } from './random.ts';
import { startReceiver } from './receiver.ts';
import { complaintAboutRefusal, Shop } from './shop.ts';
import { type Disk, limitedDisk, type Way } from './small-disk.ts';

export interface DiskOptions {
  readonly rounds: number;
  readonly fullMs?: number;
  /** How the disk may be made full; the first that works here is taken. */
  readonly ways?: readonly Way[];
}

const HANDS = 16;
const LOAD_MS = 300;
const READS = 50;
const NOTICED_WITHIN_MS = 10_000;

/** Fills the disk under load and empties it again. */
export async function torturedByFullDisks(
  { seed, folder, say }: Torture,
  { rounds, fullMs = 500, ways }: DiskOptions,
): Promise<Result> {
  const place = join(folder, 'disk');
  await mkdir(place, { recursive: true });
  const disk = await limitedDisk(place, ways);
  if (!disk) return { counts: {}, findings: [], skipped: 'this machine offers neither mount nor prlimit' };
  try {
    return await fillAgain(
      disk,
      { DATABASE_FILE: join(place, 'gateway.db') },
      { seed, folder, say },
      { rounds, fullMs },
    );
  } finally {
    await disk.remove();
  }
}

async function fillAgain(
  disk: Disk,
  database: Environment,
  { seed, say }: Torture,
  { rounds, fullMs }: { rounds: number; fullMs: number },
): Promise<Result> {
  const env = { ...BASE, ...database };
  const findings = new Findings();
  const random = seeded(seed);
  const account = await addAccount(env, 'Disk');
  const receiver = await startReceiver(account.secret, findings);
  const gateway = await startGateway(env);
  const shop = new Shop({
    urls: () => [gateway.url],
    account,
    receiver,
    random,
    findings,
    name: `disk-${seed}`,
    patient: false,
  });
  const recoveries: number[] = [];
  let readsWhileFull = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const stop = new AbortController();
      const working = shop.work(HANDS, stop.signal);
      await pause(LOAD_MS);
      const refused = shop.counts.refused;
      await disk.fill(gateway.pid);
      const noticed = await until(() => shop.counts.refused > refused, NOTICED_WITHIN_MS);
      findings.expect(noticed !== undefined, () => 'no call was refused although the disk was full');
      readsWhileFull += await readOn(shop, findings);
      await pause(fullMs);
      await refuseInform(shop, findings);
      await disk.free(gateway.pid);
      const recovered = await until(async () => isTaken(await shop.orderAny()), NOTICED_WITHIN_MS);
      findings.expect(recovered !== undefined, () => 'the gateway does not write although there is room again');
      recoveries.push(recovered ?? Number.POSITIVE_INFINITY);
      stop.abort();
      await working;
      findings.expect(gateway.alive(), () => 'the gateway has ended');
      if (!gateway.alive()) break;
      await shop.verify('touched');
      await audit(env, findings);
      say(`${round} of ${rounds} full disks, ${shop.counts.refused} refusals, ${findings.lines.length} findings`);
    }
    await bringToEnd(shop, env, findings, say);
    await checkFile(env, findings);
    return {
      counts: {
        'full disks': rounds,
        'by way of': disk.kind,
        'transactions acknowledged': shop.counts.created,
        'actions acknowledged': shop.counts.actions,
        'calls refused with 503': shop.counts.refused,
        'reads while it was full': readsWhileFull,
        'longest recovery': `${Math.round(Math.max(...recoveries))} ms`,
        webhooks: receiver.count,
      },
      findings: findings.all(),
    };
  } finally {
    await gateway.end();
    receiver.close();
  }
}

async function readOn(shop: Shop, findings: Findings): Promise<number> {
  for (let count = 0; count < READS; count++) {
    const answer = await (count % 5 === 0 ? shop.request('GET', '/merchant/balance') : shop.readAny());
    findings.expect(answer.status === 200, () => `a read was answered ${answer.status} while the disk was full`);
  }
  return READS;
}

async function refuseInform(shop: Shop, findings: Findings): Promise<void> {
  const answer = await shop.orderAny();
  const complaint = answer.status === 503 ? complaintAboutRefusal(answer) : `an order was answered ${answer.status}`;
  if (complaint) findings.add(`while the disk was full ${complaint}`);
}

async function checkFile(env: Environment, findings: Findings): Promise<void> {
  const found = await inDatabase(env, ({ read }) => read.get('pragma integrity_check'));
  findings.expect(found?.['integrity_check'] === 'ok', () => `the file is damaged: ${JSON.stringify(found)}`);
}
