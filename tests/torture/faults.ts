/**
 * Repeats a fault under load. After each fault, all acknowledged data is read again and the ledger is audited. At the
 * end all orders reach a final status, and all data is compared again.
 */
import { isTaken } from '../load/client.ts';
import { addMerchant } from '../load/merchants.ts';
import { type Random, seeded } from '../tools/random.ts';
import type { Server } from '../tools/server.ts';
import { pause, until } from '../tools/wait.ts';
import { audit, type Environment, Findings, inDatabase, type Result, startGateway, type Torture } from './gateways.ts';
import { startReceiver } from './receiver.ts';
import { Shop } from './shop.ts';

export interface FaultContext {
  readonly env: Environment;
  /** A fault that ends a gateway starts a replacement. */
  readonly gateways: [Server, ...Server[]];
  readonly shop: Shop;
  /** For choices of the faults. A seed repeats them, but not the order of the shop's responses. */
  readonly random: Random;
  readonly findings: Findings;
  /** Milliseconds of each recovery. */
  readonly recoveries: number[];
}

export interface Faults {
  /** Part of each order id. */
  readonly name: string;
  /** Name of the faults, in the plural. */
  readonly plural: string;
  readonly rounds: number;
  readonly env: Environment;
  /** Number of gateways on the database, one by default. */
  readonly processes?: number;
  /** Runs the round's fault under load. */
  readonly strike: (context: FaultContext, round: number) => Promise<void>;
  /** Runs final checks. */
  readonly check?: (context: FaultContext) => Promise<void>;
  /** The part's own counts, which come first. */
  readonly counts?: (context: FaultContext) => Result['counts'];
}

const WORKERS = 16;
const REPORTS_MAX = 20;
const ORDERED_WITHIN_MS = 20_000;
/** Maximum time to notice the end of an outage. */
const BACK_WITHIN_MS = 10_000;

export async function runFaults(faults: Faults, { seed, say }: Pick<Torture, 'seed' | 'say'>): Promise<Result> {
  const { name, plural, rounds, env, processes = 1 } = faults;
  const findings = new Findings();
  const account = await addMerchant(env);
  const receiver = await startReceiver(account.secret, findings);
  const others = Array.from({ length: processes - 1 }, () => startGateway(env));
  const gateways: FaultContext['gateways'] = [await startGateway(env), ...(await Promise.all(others))];
  const shop = new Shop({
    ...{ account, receiver, findings, name: `${name}-${seed}`, random: seeded(seed + 1) },
    urls: () => gateways.filter((gateway) => gateway.alive()).map(({ url }) => url),
    // They prolong the end.
    hasSlowOrders: rounds >= 10,
  });
  const context = { env, gateways, shop, random: seeded(seed), findings, recoveries: [] };
  let verified = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      await shop.workDuring(WORKERS, () => faults.strike(context, round));
      if (!gateways.every((gateway) => gateway.alive())) {
        findings.add('a gateway has ended');
        break;
      }
      verified += await shop.verify('touched');
      await audit(env, findings);
      if (round % Math.ceil(rounds / REPORTS_MAX) === 0)
        say(`${round} of ${rounds} ${plural}, ${shop.counts.created} transactions, ${findings.lines.length} findings`);
    }
    // A lost order never completes, and waiting for it reveals no more.
    if (findings.lines.length === 0) await bringToEnd(context, say);
    await faults.check?.(context);
    return { counts: count(faults, context, verified), findings: findings.lines };
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.end()));
    await receiver.close();
  }
}

/**
 * A fault during which the gateway can't write for a while. `begin` starts the round's outage, checks the gateway's
 * behavior, and resolves to a function that ends the outage.
 */
export function outage(
  loadMs: number,
  begin: (context: FaultContext, round: number) => Promise<() => Promise<void>>,
): Faults['strike'] {
  return async (context, round) => {
    await pause(loadMs);
    await untilOrdered(context.shop);
    const end = await begin(context, round);
    await end();
    await untilRecovered(context, performance.now(), BACK_WITHIN_MS);
    await pause(loadMs);
  };
}

/** Waits for an acknowledged order, since a busy machine may be slow. */
export async function untilOrdered({ counts }: Shop): Promise<void> {
  const { created } = counts;
  await until(() => counts.created > created, ORDERED_WITHIN_MS);
}

/** Waits until an order is accepted again, and records the time since a `performance.now()`. */
export async function untilRecovered(context: FaultContext, since: number, withinMs: number): Promise<void> {
  const { shop, findings, recoveries } = context;
  const recoveredMs = await until(async () => isTaken(await shop.orderAny()), withinMs);
  recoveries.push(performance.now() - since);
  findings.expect(recoveredMs !== undefined, () => `no order was accepted for ${withinMs} ms after a fault`);
}

async function bringToEnd({ shop, env, findings }: FaultContext, say: Torture['say']): Promise<void> {
  say('bringing all orders to their end');
  await shop.settle(async () => {
    const row = await inDatabase(env, ({ read }) => read.get('select count(*) as count from transactions'));
    return Number(row?.['count']);
  });
  await shop.verify('all');
  await audit(env, findings);
}

function count({ plural, rounds, counts }: Faults, context: FaultContext, verified: number): Result['counts'] {
  const { shop, recoveries } = context;
  return {
    [plural]: rounds,
    ...counts?.(context),
    ...(recoveries.length > 0 && { 'longest recovery': `${Math.round(Math.max(...recoveries))} ms` }),
    'transactions acknowledged': shop.counts.created,
    'actions acknowledged': shop.counts.actions,
    'requests refused with 503': shop.counts.refused,
    [`verified after ${plural}`]: verified,
  };
}
