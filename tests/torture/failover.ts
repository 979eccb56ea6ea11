/**
 * Failover: kill -9 of a PostgreSQL primary under load. Its synchronous standby is promoted, and the gateways follow an
 * address that moves. Whatever was acknowledged is on the standby; what waited for it was not acknowledged.
 */
import { median } from '../bench/table.ts';
import { isTaken } from '../load/client.ts';
import { addMerchant } from '../load/merchants.ts';
import { type Random, seeded } from '../tools/random.ts';
import { ReplicatedPostgres } from '../tools/replicated-postgres.ts';
import type { Server } from '../tools/server.ts';
import { pause, until } from '../tools/wait.ts';
import { bringToEnd } from './ending.ts';
import { audit, BASE, startGateway } from './gateways.ts';
import { Findings, type Result, type Torture } from './part.ts';
import { startReceiver } from './receiver.ts';
import { Shop } from './shop.ts';

export interface FailoverOptions {
  readonly rounds: number;
  /** Whether commits wait for the standby. If they don't, a failover loses some, which this part must report. */
  readonly synchronous?: boolean;
  /** Whether there are orders that take long; they make the end take long as well. */
  readonly patient?: boolean;
}

/** Variations of a round. */
interface Way {
  /** The standby is cut off before the kill, so that commits wait for it then. */
  readonly cutFirst: boolean;
  /** The address leads to the standby before it is promoted. */
  readonly moveFirst: boolean;
}

const WAYS: readonly Way[] = [
  { cutFirst: true, moveFirst: false },
  { cutFirst: false, moveFirst: false },
  { cutFirst: false, moveFirst: true },
];
const PROCESSES = 2;
const HANDS = 16;
const BUSY_WITHIN_MS = 20_000;
/** The shortest and the longest load before a kill, and the time that the standby is cut off. */
const LOAD_MS = { min: 100, max: 500 };
const CUT_OFF_MS = { min: 50, max: 400 };
/** Time for which the gateways meet a standby, in milliseconds. */
const ON_STANDBY_MS = 200;
const RECOVERED_WITHIN_MS = 30_000;

/** The database, what drives it, and what a round adds to. */
interface Scene {
  readonly database: ReplicatedPostgres;
  readonly synchronous: boolean;
  readonly shop: Shop;
  readonly moments: Random;
  readonly findings: Findings;
  /** Milliseconds from each kill until an order was taken. */
  readonly recoveries: number[];
  /** Commits that waited for the standby at each kill. */
  readonly waiting: number[];
}

/** Kills the primary again and again; each standby becomes the next primary. */
export async function torturedByFailovers(
  torture: Torture,
  { rounds, synchronous = true, patient = false }: FailoverOptions,
): Promise<Result> {
  const database = await ReplicatedPostgres.start({ synchronous });
  try {
    return await torturedWith(database, torture, { rounds, synchronous, patient });
  } finally {
    await database.close();
  }
}

async function torturedWith(
  database: ReplicatedPostgres,
  { seed, say }: Torture,
  { rounds, synchronous, patient }: Required<FailoverOptions>,
): Promise<Result> {
  const env = { ...BASE, DATABASE_URL: database.url };
  const findings = new Findings();
  const [moments, random] = [seeded(seed), seeded(seed + 1)];
  const account = await addMerchant(env);
  const receiver = await startReceiver(account.secret, findings);
  const gateways: Server[] = await Promise.all(Array.from({ length: PROCESSES }, () => startGateway(env)));
  const urls = () => gateways.map(({ url }) => url);
  const shop = new Shop({ urls, account, receiver, random, findings, name: `failover-${seed}`, patient });
  const scene: Scene = { database, synchronous, shop, moments, findings, recoveries: [], waiting: [] };
  let verified = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      await survive(scene, wayOf(round));
      verified += await shop.verify('touched');
      await audit(env, findings);
      const recovered = `recovered in ${milliseconds(scene.recoveries.at(-1))}`;
      say(
        `${round} of ${rounds} failovers, ${recovered}, ${shop.counts.created} transactions, ${findings.lines.length} findings`,
      );
    }
    findings.expect(
      gateways.every((gateway) => gateway.alive()),
      () => 'a gateway has ended',
    );
    // A lost order never comes to an end, and waiting for it would show nothing new.
    if (findings.lines.length === 0) await bringToEnd(shop, env, findings, say);
    return {
      counts: { ...countsOf(scene, rounds), 'verified after failovers': verified, webhooks: receiver.count },
      findings: findings.all(),
    };
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.end()));
    await receiver.close();
  }
}

/** One failover under load, until the new primary has a standby. */
async function survive(scene: Scene, way: Way): Promise<void> {
  const { database, shop, moments, findings, recoveries } = scene;
  const stop = new AbortController();
  const working = shop.work(HANDS, stop.signal);
  const loadMs = moments.whole(LOAD_MS.min, LOAD_MS.max);
  const cutOffMs = moments.whole(CUT_OFF_MS.min, CUT_OFF_MS.max);
  await pause(loadMs);
  await untilOrdered(shop);
  if (way.cutFirst) await cutOff(scene, cutOffMs);
  const killed = performance.now();
  await failOver(database, way);
  const recovered = await until(async () => isTaken(await shop.orderAny()), RECOVERED_WITHIN_MS);
  recoveries.push(performance.now() - killed);
  findings.expect(recovered !== undefined, () => `no order was taken within ${RECOVERED_WITHIN_MS} ms of a failover`);
  // Orders keep coming while the next standby is copied.
  await database.attachStandby();
  const acknowledged = await database.reviveFormerPrimary();
  findings.expect(!acknowledged, () => 'a primary that came back acknowledged a write');
  stop.abort();
  await working;
}

/** Cuts the standby off, so that what is committed from now on must not be acknowledged. */
async function cutOff({ database, synchronous, shop, findings, waiting }: Scene, cutOffMs: number): Promise<void> {
  database.cutLink();
  await pause(cutOffMs);
  if (!synchronous) return untilOrdered(shop);
  await until(async () => (await database.waitingCommits()) > 0, BUSY_WITHIN_MS);
  waiting.push(await database.waitingCommits());
  findings.expect(waiting.at(-1) !== 0, () => 'no commit waited for the standby that was cut off');
}

async function failOver(database: ReplicatedPostgres, { moveFirst }: Way): Promise<void> {
  await database.killPrimary();
  if (moveFirst) {
    // Reads of a standby can lag behind what was acknowledged.
    await database.untilReplayed();
    database.moveAddress();
    await pause(ON_STANDBY_MS);
  }
  await database.promote();
  if (!moveFirst) database.moveAddress();
}

/** Waits for an order to be acknowledged; a busy machine may have got nowhere yet. */
async function untilOrdered({ counts }: Shop): Promise<void> {
  const { created } = counts;
  await until(() => counts.created > created, BUSY_WITHIN_MS);
}

function countsOf({ shop, recoveries, waiting }: Scene, rounds: number): Result['counts'] {
  const ways = Array.from({ length: rounds }, (_, index) => wayOf(index + 1));
  return {
    failovers: rounds,
    'of them with the standby cut off before': ways.filter(({ cutFirst }) => cutFirst).length,
    'of them with the address moved before the promotion': ways.filter(({ moveFirst }) => moveFirst).length,
    'commits that waited for the standby at a kill': waiting.reduce((sum, count) => sum + count, 0),
    'median recovery': milliseconds(median(recoveries)),
    'longest recovery': milliseconds(Math.max(...recoveries)),
    ...shop.acknowledged(),
    'calls refused with 503': shop.counts.refused,
  };
}

function wayOf(round: number): Way {
  return WAYS[(round - 1) % WAYS.length] as Way;
}

function milliseconds(value = Number.NaN): string {
  return `${Math.round(value)} ms`;
}
