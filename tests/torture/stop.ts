/**
 * PostgreSQL stopped, crashed or frozen under load, and restored. In between, every call is refused, including reads.
 */
import { startPostgres } from '../tools/postgres.ts';
import { pause } from '../tools/wait.ts';
import { type FaultContext, outage, runFaults } from './faults.ts';
import { BASE, describeBadRefusal, type Outcome, type Result, type Torture } from './gateways.ts';

/** Alternates between ways to lose PostgreSQL. A stopped server is noticed immediately, a frozen one by time limits. */
const OUTAGES = [
  { begin: 'stop', end: 'start', refusedWithinMs: 3_000 },
  { begin: 'crash', end: 'start', refusedWithinMs: 3_000 },
  { begin: 'freeze', end: 'thaw', refusedWithinMs: 16_000 },
] as const;

const LOAD_MS = 400;
const PROBES = 10;

/** Stops PostgreSQL under load, and restores it. */
export async function stopDatabase(torture: Torture, rounds: number, outageMs = 1_000): Promise<Result> {
  const postgres = await startPostgres();
  const begin = async (context: FaultContext, round: number) => {
    const way = OUTAGES[(round - 1) % OUTAGES.length] ?? OUTAGES[0];
    await postgres.tell(way.begin);
    await pause(outageMs / 2);
    await probe(context, way.refusedWithinMs);
    await pause(outageMs / 2);
    return () => postgres.tell(way.end);
  };
  const env = { ...BASE, DATABASE_URL: postgres.url };
  const faults = { name: 'stop', plural: 'outages', rounds, env, strike: outage(LOAD_MS, begin) };
  return runFaults(faults, torture).finally(() => postgres.close());
}

/** Every call is refused with the contract's problem, in time, and the gateway reports that it is not ready. */
async function probe({ gateways: [gateway], shop, findings }: FaultContext, withinMs: number): Promise<void> {
  const refused = async (name: string, request: () => Promise<Outcome>) => {
    const began = performance.now();
    const mistake = describeBadRefusal(await request());
    const ms = Math.round(performance.now() - began);
    findings.expect(mistake === undefined, () => `while PostgreSQL was away ${name} returned ${mistake}`);
    findings.expect(ms <= withinMs, () => `while PostgreSQL was away ${name} took ${ms} ms`);
  };
  await Promise.all([
    ...Array.from({ length: PROBES }, () => refused('an order', () => shop.orderAny())),
    ...Array.from({ length: PROBES }, () => refused('a read', () => shop.readAny())),
    ...Array.from({ length: PROBES }, () => refused('the balance', () => shop.request('GET', '/merchant/balance'))),
  ]);
  const { status: live } = await fetch(`${gateway.url}/health/live`);
  findings.expect(live === 200, () => `/health/live returned ${live} while PostgreSQL was away`);
  const { status: ready } = await fetch(`${gateway.url}/health/ready`);
  findings.expect(ready === 503, () => `/health/ready returned ${ready} while PostgreSQL was away`);
}
