/**
 * PostgreSQL stopped, or crashed, and started again under load. In between every call gets a 503 that says when to come
 * again; afterwards the same gateway goes on, and nothing that it had acknowledged is lost.
 */
import { startPostgres } from '../tools/postgres.ts';
import { pause, until } from '../tools/wait.ts';
import { bringToEnd } from './ending.ts';
import { addAccount, audit, BASE, type Environment, openDatabase, startGateway } from './gateways.ts';
import { call } from './http.ts';
import { Findings, type Result, type Torture } from './part.ts';
import { seeded } from './random.ts';
import { startReceiver } from './receiver.ts';
import { complaintAboutRefusal, Shop } from './shop.ts';

export interface OutageOptions {
  readonly rounds: number;
  readonly outageMs?: number;
}

const HANDS = 16;
const LOAD_MS = 400;
const PROBES = 10;
/** An outage is noticed, and its end too, within this. */
const NOTICED_WITHIN_MS = 10_000;

/** Stops and starts PostgreSQL under load. */
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
  let store = openDatabase(env);
  try {
    for (let round = 1; round <= rounds; round++) {
      const stop = new AbortController();
      const working = shop.work(HANDS, stop.signal);
      await pause(LOAD_MS);
      await postgres.tell(round % 2 === 0 ? 'crash' : 'stop');
      await pause(outageMs / 2);
      await probe(gateway.url, account.key, shop, findings);
      await pause(outageMs / 2);
      await postgres.tell('start');
      const recovered = await until(async () => (await shop.orderAny()).status < 300, NOTICED_WITHIN_MS);
      findings.expect(recovered !== undefined, () => 'the gateway has not come back after PostgreSQL had');
      recoveries.push(recovered ?? Number.POSITIVE_INFINITY);
      await pause(LOAD_MS);
      stop.abort();
      await working;
      findings.expect(gateway.alive(), () => 'the gateway has ended');
      if (!gateway.alive()) break;
      await store.close();
      store = openDatabase(env);
      await shop.verify('touched');
      await audit(store, findings);
      say(`${round} of ${rounds} outages, ${shop.counts.refused} refusals, ${findings.lines.length} findings`);
    }
    await bringToEnd(shop, store, findings, say);
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
    await gateway.end('SIGKILL');
    await store.close();
    receiver.close();
    await postgres.close();
  }
}

/** Every call is refused in the contract's way, soon, and the gateway itself says that it is not ready. */
async function probe(url: string, key: string, shop: Shop, findings: Findings): Promise<void> {
  for (let count = 0; count < PROBES; count++) {
    for (const ask of [() => shop.orderAny(), () => shop.readAny(), () => shop.request('GET', '/merchant/balance')]) {
      const answer = await ask();
      const complaint = answer.status === 503 ? complaintAboutRefusal(answer) : `a call was answered ${answer.status}`;
      if (complaint) findings.add(`while PostgreSQL was down ${complaint}`);
    }
  }
  const ready = await call(url, key, 'GET', '/health/ready');
  findings.expect(ready.status === 503, () => `/health/ready was answered ${ready.status} while PostgreSQL was down`);
  const live = await call(url, key, 'GET', '/health/live');
  findings.expect(live.status === 200, () => `/health/live was answered ${live.status} while PostgreSQL was down`);
}
