/**
 * Repeats faults under load. After each fault, all acknowledged data is read again and the ledger is audited. At the
 * end all orders reach a final status, and all data is compared again.
 */
import { median } from '../bench/table.ts';
import { isTaken } from '../load/client.ts';
import { addMerchant, type LoadMerchant } from '../load/merchants.ts';
import { type Random, seeded } from '../tools/random.ts';
import type { Server } from '../tools/server.ts';
import { until } from '../tools/wait.ts';
import { audit, type Environment, inDatabase, startGateway } from './gateways.ts';
import { Findings, type Result, type Torture } from './part.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { Shop } from './shop.ts';

/** The gateways of one database, and their merchant. */
export interface FaultContext {
  readonly env: Environment;
  readonly account: LoadMerchant;
  readonly receiver: Receiver;
  /** A fault that stops a gateway starts a replacement. */
  readonly gateways: [Server, ...Server[]];
  readonly shop: Shop;
  /**
   * The random choices of faults. The shop draws its choices as responses arrive, so a seed does not repeat their
   * order.
   */
  readonly moments: Random;
  readonly findings: Findings;
  /** Milliseconds of each recovery. */
  readonly recoveries: number[];
}

export interface Faults {
  /** Part of each order id. */
  readonly name: string;
  /** Name of the faults, in the plural. */
  readonly what: string;
  readonly rounds: number;
  readonly env: Environment;
  /** Number of gateways on the database, one by default. */
  readonly processes?: number;
  /** Whether some orders are slow, which prolongs the end as well. */
  readonly patient?: boolean;
  /** Runs the round's fault under load. */
  readonly strike: (context: FaultContext, round: number) => Promise<void>;
  /** Repairs the damage of the fault, after the load. */
  readonly repair?: (context: FaultContext) => Promise<void>;
  /** Runs final checks. */
  readonly check?: (context: FaultContext) => Promise<void>;
  /** The part's own counts, which come first. */
  readonly counts?: (context: FaultContext) => Result['counts'];
}

const HANDS = 16;
const SAID_MAX = 20;
const BUSY_WITHIN_MS = 20_000;

export async function runFaults(faults: Faults, { seed, say }: Pick<Torture, 'seed' | 'say'>): Promise<Result> {
  const { name, what, rounds, env, processes = 1, patient = false, repair, check, counts } = faults;
  const findings = new Findings();
  const [moments, random] = [seeded(seed), seeded(seed + 1)];
  const account = await addMerchant(env);
  const receiver = await startReceiver(account.secret, findings);
  const others = Array.from({ length: processes - 1 }, () => startGateway(env));
  const gateways: FaultContext['gateways'] = [await startGateway(env), ...(await Promise.all(others))];
  const urls = () => gateways.filter((gateway) => gateway.alive()).map(({ url }) => url);
  const shop = new Shop({ urls, account, receiver, random, findings, name: `${name}-${seed}`, patient });
  const context: FaultContext = { env, account, receiver, gateways, shop, moments, findings, recoveries: [] };
  let verified = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      await shop.workDuring(HANDS, () => faults.strike(context, round));
      await repair?.(context);
      if (!gateways.every((gateway) => gateway.alive())) {
        findings.add('a gateway has ended');
        break;
      }
      verified += await shop.verify('touched');
      await audit(env, findings);
      if (round % Math.ceil(rounds / SAID_MAX) === 0)
        say(`${round} of ${rounds} ${what}, ${shop.counts.created} transactions, ${findings.lines.length} findings`);
    }
    // A lost order never completes, and waiting for it reveals no more.
    if (findings.lines.length === 0) await bringToEnd(context, say);
    await check?.(context);
    return {
      counts: {
        [what]: rounds,
        ...counts?.(context),
        ...recovered(context),
        ...shop.acknowledged(),
        [`verified after ${what}`]: verified,
        webhooks: receiver.count,
      },
      findings: findings.all(),
    };
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.end()));
    await receiver.close();
  }
}

/** Waits for an acknowledged order, since a busy machine may be slow. */
export async function untilOrdered({ counts }: Shop): Promise<void> {
  const { created } = counts;
  await until(() => counts.created > created, BUSY_WITHIN_MS);
}

/** Waits until an order is accepted again, and records the time since a `performance.now()`. */
export async function untilRecovered(context: FaultContext, since: number, withinMs: number): Promise<void> {
  const { shop, findings, recoveries } = context;
  const recoveredMs = await until(async () => isTaken(await shop.orderAny()), withinMs);
  recoveries.push(performance.now() - since);
  findings.expect(recoveredMs !== undefined, () => `no order was taken for ${withinMs} ms after a fault`);
}

async function bringToEnd({ shop, env, findings }: FaultContext, say: Torture['say']): Promise<void> {
  say('bringing everything to its end');
  await shop.settle(async () => {
    const row = await inDatabase(env, ({ read }) => read.get('select count(*) as count from transactions'));
    return Number(row?.['count']);
  });
  await shop.verify('all');
  await audit(env, findings);
}

function recovered({ recoveries }: FaultContext): Result['counts'] {
  if (recoveries.length === 0) return {};
  const shown = (ms: number) => `${Math.round(ms)} ms`;
  return { 'median recovery': shown(median(recoveries)), 'longest recovery': shown(Math.max(...recoveries)) };
}
