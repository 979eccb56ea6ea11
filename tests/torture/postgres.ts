/**
 * PostgreSQL stopped, crashed or frozen under load, and restored. In between, every call is refused, including reads.
 */
import { startPostgres } from '../tools/postgres.ts';
import { pause } from '../tools/wait.ts';
import { type FaultContext, runFaults } from './faults.ts';
import { BASE } from './gateways.ts';
import { call, type Outcome } from './http.ts';
import { outage } from './outages.ts';
import type { Result, Torture } from './part.ts';
import { complaintAboutRefusal } from './shop.ts';

export interface OutageOptions {
  readonly rounds: number;
  readonly outageMs?: number;
}

/** Alternates between ways to lose PostgreSQL. A stopped server is noticed immediately, a frozen one by time limits. */
const OUTAGES = [
  { begin: 'stop', end: 'start', refusedWithinMs: 3_000 },
  { begin: 'crash', end: 'start', refusedWithinMs: 3_000 },
  { begin: 'freeze', end: 'thaw', refusedWithinMs: 16_000 },
] as const;

const LOAD_MS = 400;
const PROBES = 10;

/** Stops PostgreSQL under load, and restores it. */
export async function torturedByOutages(
  torture: Torture,
  { rounds, outageMs = 1_000 }: OutageOptions,
): Promise<Result> {
  const postgres = await startPostgres();
  const env = { ...BASE, DATABASE_URL: postgres.url };
  const begin = async (context: FaultContext, round: number) => {
    const way = OUTAGES[(round - 1) % OUTAGES.length] ?? OUTAGES[0];
    await postgres.tell(way.begin);
    await pause(outageMs / 2);
    await probe(context, way.refusedWithinMs);
    await pause(outageMs / 2);
    return () => postgres.tell(way.end);
  };
  try {
    const strike = outage(LOAD_MS, begin);
    return await runFaults({ name: 'outage', what: 'outages', rounds, env, strike }, torture);
  } finally {
    await postgres.close();
  }
}

/** Every call is refused with the contract's problem, in time, and the gateway reports that it is not ready. */
async function probe({ gateways: [gateway], account, shop, findings }: FaultContext, withinMs: number): Promise<void> {
  const asked = async (what: string, ask: () => Promise<Outcome>, wanted: number) => {
    const began = performance.now();
    const answer = await ask();
    const ms = Math.round(performance.now() - began);
    const complaint = wanted === 503 ? complaintAboutRefusal(answer) : undefined;
    const said = `while PostgreSQL was away ${what}`;
    findings.expect(answer.status === wanted, () => `${said} returned ${answer.status}`);
    findings.expect(answer.status !== wanted || !complaint, () => `${said} returned ${complaint}`);
    findings.expect(ms <= withinMs, () => `${said} took ${ms} ms`);
  };
  await Promise.all([
    ...Array.from({ length: PROBES }, () => asked('an order', () => shop.orderAny(), 503)),
    ...Array.from({ length: PROBES }, () => asked('a read', () => shop.readAny(), 503)),
    ...Array.from({ length: PROBES }, () => asked('the balance', () => shop.request('GET', '/merchant/balance'), 503)),
    asked('/health/live', () => call(gateway.url, account.key, 'GET', '/health/live'), 200),
  ]);
  const ready = await call(gateway.url, account.key, 'GET', '/health/ready');
  findings.expect(ready.status === 503, () => `/health/ready returned ${ready.status} while PostgreSQL was away`);
}
