/**
 * kill -9 under load, again and again: at a random moment, or while webhooks are under way. After each start the
 * acknowledged transactions are read again, and the books are audited; at the end everything is checked again.
 */
import { join } from 'node:path';
import { addMerchant } from '../load/merchants.ts';
import { seeded } from '../tools/random.ts';
import type { Server } from '../tools/server.ts';
import { pause, until } from '../tools/wait.ts';
import { bringToEnd } from './ending.ts';
import { audit, BASE, type Environment, startGateway } from './gateways.ts';
import { Findings, type Result, type Torture } from './part.ts';
import { startReceiver } from './receiver.ts';
import { Shop } from './shop.ts';

export interface KillOptions {
  readonly rounds: number;
  /** Processes on the database; one of them is killed in each round. */
  readonly processes?: number;
  /** PostgreSQL to use instead of an SQLite file in the folder. */
  readonly databaseUrl?: string;
  /** Whether there are orders that take long; they make the end take long as well. */
  readonly patient?: boolean;
}

const HANDS = 16;
/** A round in so many is killed in the middle of deliveries. */
const DELIVERY_EVERY = 3;
const HELD_WITHIN_MS = 5_000;
/** The longest and the shortest load before the other kills. */
const LOAD_MS = { min: 30, max: 400 };
const SAY_EVERY = 10;

/** Kills gateways under load. */
export async function torturedByKills(
  { seed, folder, say }: Torture,
  { rounds, processes = 1, databaseUrl, patient = false }: KillOptions,
): Promise<Result> {
  const env: Environment = databaseUrl
    ? { ...BASE, DATABASE_URL: databaseUrl }
    : { ...BASE, DATABASE_FILE: join(folder, 'gateway.db') };
  const findings = new Findings();
  // The orders are dealt as responses arrive, so that their numbers are not drawn in the same order again.
  const [moments, random] = [seeded(seed), seeded(seed + 1)];
  const account = await addMerchant(env);
  const receiver = await startReceiver(account.secret, findings);
  const gateways: Server[] = await Promise.all(Array.from({ length: processes }, () => startGateway(env)));
  const urls = () => gateways.filter((gateway) => gateway.alive()).map(({ url }) => url);
  const shop = new Shop({ urls, account, receiver, random, findings, name: `kill-${seed}`, patient });
  let duringDelivery = 0;
  let verified = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const stop = new AbortController();
      const working = shop.work(HANDS, stop.signal);
      if (round % DELIVERY_EVERY === 0) {
        receiver.hold();
        const held = await until(() => receiver.held > 0, HELD_WITHIN_MS);
        findings.expect(held !== undefined, () => `no webhook came within ${HELD_WITHIN_MS} ms of load`);
        if (held !== undefined) duringDelivery++;
      } else await pause(moments.whole(LOAD_MS.min, LOAD_MS.max));
      const index = moments.whole(0, gateways.length - 1);
      await gateways[index]?.end();
      stop.abort();
      await working;
      receiver.release();
      gateways[index] = await startGateway(env);
      verified += await shop.verify('touched');
      await audit(env, findings);
      if (round % SAY_EVERY === 0 || round === rounds)
        say(`${round} of ${rounds} kills, ${shop.counts.created} transactions, ${findings.lines.length} findings`);
    }
    await bringToEnd(shop, env, findings, say);
    const { writesCut } = shop.counts;
    findings.expect(writesCut >= rounds, () => `only ${writesCut} writes were under way at ${rounds} kills`);
    return {
      counts: {
        kills: rounds,
        'of them during delivery': duringDelivery,
        ...shop.acknowledged(),
        'writes under way at a kill': writesCut,
        'verified after kills': verified,
        webhooks: receiver.count,
      },
      findings: findings.all(),
    };
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.end()));
    await receiver.close();
  }
}
