/**
 * PostgreSQL stopped, crashed or frozen under load, and brought back. In between every call gets a 503 that says when to
 * come again; afterwards the same gateway goes on, and nothing that it had acknowledged is lost.
 */
import { startPostgres } from '../tools/postgres.ts';
import { pause, until } from '../tools/wait.ts';
import { bringToEnd } from './ending.ts';
import { addAccount, audit, BASE, type Environment, startGateway } from './gateways.ts';
import { type Answer, call, isTaken } from './http.ts';
import { Findings, type Result, type Torture } from './part.ts';
import { seeded } from './random.ts';
import { startReceiver } from './receiver.ts';
import { complaintAboutRefusal, Shop } from './shop.ts';

export interface OutageOptions {
  readonly rounds: number;
  readonly outageMs?: number;
}

/** Takes PostgreSQL away in each way by turns. A server that is gone is noticed at once, a frozen one by time limits. */
const OUTAGES = [
  { begin: 'stop', end: 'start', refusedWithinMs: 3_000 },
  { begin: 'crash', end: 'start', refusedWithinMs: 3_000 },
  { begin: 'freeze', end: 'thaw', refusedWithinMs: 16_000 },
] as const;

const HANDS = 16;
const LOAD_MS = 400;
const PROBES = 10;
/** The end of an outage is noticed within this. */
const BACK_WITHIN_MS = 10_000;

/** Takes PostgreSQL away under load, and brings it back. */
export async function torturedByOutages(
  { seed, say }: Torture,
  { rounds, outageMs = 1_000 }: OutageOptions,
): Promise<Result> {
  const postgres = await startPostgres();
  const env: Environment = { ...BASE, DATABASE_URL: postgres.url };
  const findings = new Findings();
  const random = seeded(seed);
  const account = await addAccount(env, 'Outage');
  const receiver = await startReceiver(account.secret, findings);
  const gateway = await startGateway(env);
  const shop = new Shop({
    urls: () => [gateway.url],
    account,
    receiver,
    random,
    findings,
    name: `outage-${seed}`,
    patient: false,
  });
  const recoveries: number[] = [];
  try {
    for (let round = 1; round <= rounds; round++) {
      const outage = OUTAGES[(round - 1) % OUTAGES.length] ?? OUTAGES[0];
      const stop = new AbortController();
      const working = shop.work(HANDS, stop.signal);
      await pause(LOAD_MS);
      await postgres.tell(outage.begin);
      await pause(outageMs / 2);
      await probe({ url: gateway.url, key: account.key, shop, findings, withinMs: outage.refusedWithinMs });
      await pause(outageMs / 2);
      await postgres.tell(outage.end);
      const recovered = await until(async () => isTaken(await shop.orderAny()), BACK_WITHIN_MS);
      findings.expect(recovered !== undefined, () => 'the gateway has not come back after PostgreSQL had');
      recoveries.push(recovered ?? Number.POSITIVE_INFINITY);
      await pause(LOAD_MS);
      stop.abort();
      await working;
      findings.expect(gateway.alive(), () => 'the gateway has ended');
      if (!gateway.alive()) break;
      await shop.verify('touched');
      await audit(env, findings);
      say(`${round} of ${rounds} outages, ${shop.counts.refused} refusals, ${findings.lines.length} findings`);
    }
    await bringToEnd(shop, env, findings, say);
    return {
      counts: {
        outages: rounds,
        'transactions acknowledged': shop.counts.created,
        'actions acknowledged': shop.counts.actions,
        'reads acknowledged': shop.counts.reads,
        'calls refused with 503': shop.counts.refused,
        'calls without an answer': shop.counts.unanswered,
        'longest recovery': `${Math.round(Math.max(...recoveries))} ms`,
        webhooks: receiver.count,
      },
      findings: findings.all(),
    };
  } finally {
    await gateway.end();
    receiver.close();
    await postgres.close();
  }
}

interface Probe {
  readonly url: string;
  readonly key: string;
  readonly shop: Shop;
  readonly findings: Findings;
  /** The longest that a call may take. */
  readonly withinMs: number;
}

/** Every call is refused in the contract's way, in time, and the gateway itself says that it is not ready. */
async function probe({ url, key, shop, findings, withinMs }: Probe): Promise<void> {
  const asked = async (what: string, ask: () => Promise<Answer>, wanted: number) => {
    const began = performance.now();
    const answer = await ask();
    const ms = Math.round(performance.now() - began);
    const complaint = wanted === 503 ? complaintAboutRefusal(answer) : undefined;
    const said = `while PostgreSQL was away ${what}`;
    findings.expect(answer.status === wanted, () => `${said} was answered ${answer.status}`);
    findings.expect(answer.status !== wanted || !complaint, () => `${said} was answered with ${complaint}`);
    findings.expect(ms <= withinMs, () => `${said} took ${ms} ms`);
  };
  await Promise.all([
    ...Array.from({ length: PROBES }, () => asked('an order', () => shop.orderAny(), 503)),
    ...Array.from({ length: PROBES }, () => asked('a read', () => shop.readAny(), 503)),
    ...Array.from({ length: PROBES }, () => asked('the balance', () => shop.request('GET', '/merchant/balance'), 503)),
    asked('/health/live', () => call(url, key, 'GET', '/health/live'), 200),
  ]);
  const ready = await call(url, key, 'GET', '/health/ready');
  findings.expect(ready.status === 503, () => `/health/ready was answered ${ready.status} while PostgreSQL was away`);
}
