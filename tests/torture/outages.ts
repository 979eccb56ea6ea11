/**
 * A gateway under load that cannot write for a while, again and again. In between, what would write gets a 503 that says
 * when to come again; afterwards the same gateway continues, and nothing that it had acknowledged is lost.
 */

import { isTaken } from '../load/client.ts';
import { addMerchant, type LoadMerchant } from '../load/merchants.ts';
import { seeded } from '../tools/random.ts';
import type { Server } from '../tools/server.ts';
import { pause, until } from '../tools/wait.ts';
import { bringToEnd } from './ending.ts';
import { audit, type Environment, startGateway } from './gateways.ts';
import { Findings, type Result, type Torture } from './part.ts';
import { startReceiver } from './receiver.ts';
import { Shop } from './shop.ts';

/** The gateway and who works with it. */
export interface Scene {
  readonly env: Environment;
  readonly account: LoadMerchant;
  readonly gateway: Server;
  readonly shop: Shop;
  readonly findings: Findings;
}

export interface Outages {
  /** Part of each order id. */
  readonly name: string;
  /** Name of the outages, in the plural. */
  readonly what: string;
  readonly rounds: number;
  readonly env: Environment;
  /** Milliseconds of load before each outage. */
  readonly loadMs: number;
  /** Begins the outage of the round and looks at how the gateway takes it. Resolves to what ends it. */
  readonly begin: (scene: Scene, round: number) => Promise<() => Promise<void>>;
  /** Looks at the database in the end. */
  readonly check?: (scene: Scene) => Promise<void>;
}

const HANDS = 16;
const BUSY_WITHIN_MS = 20_000;
/** The end of an outage is noticed within this. */
const BACK_WITHIN_MS = 10_000;

/** Runs the outages. `counts` are those of the part itself, which come first. */
export async function torturedBy(
  outages: Outages,
  { seed, say }: Pick<Torture, 'seed' | 'say'>,
  counts: () => Result['counts'] = () => ({}),
): Promise<Result> {
  const { name, what, rounds, env } = outages;
  const findings = new Findings();
  const account = await addMerchant(env);
  const receiver = await startReceiver(account.secret, findings);
  const gateway = await startGateway(env);
  const shop = new Shop({
    urls: () => [gateway.url],
    account,
    receiver,
    random: seeded(seed),
    findings,
    name: `${name}-${seed}`,
    patient: false,
  });
  const scene = { env, account, gateway, shop, findings };
  let longestMs = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      longestMs = Math.max(longestMs, await survive(outages, scene, round));
      if (!gateway.alive()) break;
      await shop.verify('touched');
      await audit(env, findings);
      say(`${round} of ${rounds} ${what}, ${shop.counts.refused} refusals, ${findings.lines.length} findings`);
    }
    await bringToEnd(shop, env, findings, say);
    await outages.check?.(scene);
    return {
      counts: {
        [what]: rounds,
        ...counts(),
        ...shop.acknowledged(),
        'calls refused with 503': shop.counts.refused,
        'longest recovery': `${Math.round(longestMs)} ms`,
        webhooks: receiver.count,
      },
      findings: findings.all(),
    };
  } finally {
    await gateway.end();
    await receiver.close();
  }
}

/** One outage under load. Returns the milliseconds from its end until an order was taken again. */
async function survive({ begin, loadMs }: Outages, scene: Scene, round: number): Promise<number> {
  const { gateway, shop, findings } = scene;
  const stop = new AbortController();
  const working = shop.work(HANDS, stop.signal);
  const { created } = shop.counts;
  await pause(loadMs);
  // A busy machine may have got nowhere in this time.
  await until(() => shop.counts.created > created, BUSY_WITHIN_MS);
  const end = await begin(scene, round);
  await end();
  const recoveredMs = await until(async () => isTaken(await shop.orderAny()), BACK_WITHIN_MS);
  findings.expect(recoveredMs !== undefined, () => 'the gateway does not take orders although the outage has ended');
  await pause(loadMs);
  stop.abort();
  await working;
  findings.expect(gateway.alive(), () => 'the gateway has ended');
  return recoveredMs ?? Number.POSITIVE_INFINITY;
}
