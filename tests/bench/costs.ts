/**
 * The cost of a request: SQL statements, bytes in SQLite's write-ahead log, and time. The gateway runs in this process,
 * so that the time excludes HTTP transport. Its workers are stopped, except for the measurements of background work.
 */

import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createChannels } from '../../gateway/src/channels/channels.ts';
import { simulatedChannels } from '../../gateway/src/channels/simulator.ts';
import { DEFAULTS } from '../../gateway/src/config/settings.ts';
import { bindOperations } from '../../gateway/src/core.ts';
import { sandboxMethods } from '../../gateway/src/domain/methods.ts';
import { type App, createApp } from '../../gateway/src/http/app.ts';
import { readContract } from '../../gateway/src/http/contract.ts';
import { NO_METRICS } from '../../gateway/src/http/metrics.ts';
import type { Clock } from '../../gateway/src/platform/clock.ts';
import { randomIds } from '../../gateway/src/platform/ids.ts';
import { NO_LOG } from '../../gateway/src/platform/log.ts';
import { storeTime } from '../../gateway/src/platform/merchant-time.ts';
import { createGateway, type Gateway } from '../../gateway/src/server.ts';
import type { Services } from '../../gateway/src/transactions/services.ts';
import { requestExamples } from '../../generated/examples.ts';
import { webhookHeaders } from '../../generated/webhook-headers.ts';
import { inject } from '../gateway/harness/inject.ts';
import { insertLoadMerchant, openDatabase } from '../load/merchants.ts';
import { alignedTable } from '../tools/aligned-table.ts';
import { type CountingStore, counting } from '../tools/counting.ts';
import { until } from '../tools/wait.ts';
import { timeArrivals } from './arrivals.ts';
import { payments, payouts, sequence } from './bodies.ts';
import type { Bench } from './part.ts';

/** Consecutive requests of each kind, per second of a measurement. */
const RUNS = 100;
/** Groups per second, and concurrent requests per group. */
const GROUPS = 4;
const GROUP = 32;
const WARM_UP = 20;
const EMPTIED_WITHIN_MS = 5_000;

/** A repeated operation. */
interface Kind {
  readonly name: string;
  /** Prepares one request without measuring it. */
  readonly prepare?: () => Promise<string>;
  /** Runs the operation for all prepared IDs concurrently. */
  readonly run: (prepared: readonly string[]) => Promise<unknown>;
}

interface Cost {
  readonly statements: number;
  /** Bytes in the write-ahead log. */
  readonly bytes: number;
  readonly microseconds: number;
}

type Call = (method: 'GET' | 'POST', url: string, payload?: object) => Promise<{ transaction_id: string }>;

/** Real time without timers: workers run only when woken. */
const clock: Clock = {
  now: Date.now,
  until: async (_time, signal) => {
    if (!signal.aborted) await once(signal, 'abort');
  },
};

const COLUMNS = [
  'What',
  'SQL statements',
  'Log, one at a time (bytes)',
  `Log, ${GROUP} at a time (bytes)`,
  'Time, one at a time (µs)',
];

/** Returns the table of costs as text. */
export async function measureCosts({ folder, seconds, say }: Bench): Promise<string> {
  const file = join(folder, 'gateway.db');
  const store = counting(await openDatabase({ DATABASE_FILE: file }));
  // Without checkpoints, the length of the log is the number of bytes written.
  await store.unit((db) => db.get('pragma wal_autocheckpoint = 0'));
  const { key } = await insertLoadMerchant(store);
  const call = caller(appOnly(store), key);
  const receiver = await timeArrivals(({ headers }) => String(headers[webhookHeaders.id]));
  const lines: string[][] = [];
  const measure = async (kind: Kind) => {
    say(`the cost of ${kind.name}`);
    const cost = (groups: number, size: number) => measureCost(kind, store, file, { groups, size });
    await cost(WARM_UP, 1);
    const alone = await cost(Math.ceil(RUNS * seconds), 1);
    const together = await cost(Math.ceil(GROUPS * seconds), GROUP);
    lines.push([kind.name, ...[alone.statements, alone.bytes, together.bytes, alone.microseconds].map(shown)]);
  };
  for (const kind of await requestKinds(call)) await measure(kind);
  await forgetWork(store);
  const gateway = await createGateway({
    store,
    clock,
    publicUrl: () => 'http://localhost',
    callbackAllow: ['127.0.0.0/8'],
  });
  try {
    await measure(background(call, gateway, payments('background', receiver.url)));
  } finally {
    await gateway.close();
    await receiver.close();
  }
  return alignedTable(COLUMNS, lines);
}

/** Drops background work, whose cost is measured separately. */
function forgetWork(store: CountingStore): Promise<void> {
  return store.unit(async (db) => {
    await db.run('update transactions set next_attempt_at = null');
    await db.run('update events set next_at = null');
  });
}

/** The average cost of a request of this kind, in groups of concurrent requests. */
async function measureCost(
  { prepare = async () => '', run }: Kind,
  store: CountingStore,
  file: string,
  { groups, size }: { groups: number; size: number },
): Promise<Cost> {
  if ((await until(() => emptyLog(file), EMPTIED_WITHIN_MS)) === undefined) throw new Error('the log is not emptied');
  const sum = { statements: 0, bytes: 0, microseconds: 0 };
  for (let group = 0; group < groups; group++) {
    const prepared = await Promise.all(Array.from({ length: size }, prepare));
    const before = { statements: store.statements(), bytes: logBytes(file), time: performance.now() };
    await run(prepared);
    sum.microseconds += (performance.now() - before.time) * 1_000;
    sum.statements += store.statements() - before.statements;
    sum.bytes += logBytes(file) - before.bytes;
  }
  const count = groups * size;
  return {
    statements: sum.statements / count,
    bytes: sum.bytes / count,
    microseconds: sum.microseconds / count,
  };
}

function logBytes(file: string): number {
  return statSync(`${file}-wal`).size;
}

/** Truncates the log, since a long log slows reads. Returns false while there are readers. */
function emptyLog(file: string): boolean {
  const db = new DatabaseSync(file);
  try {
    return db.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0;
  } finally {
    db.close();
  }
}

/** Small numbers have one decimal. */
function shown(value: number): string {
  const digits = value < 100 ? 1 : 0;
  return Number(value.toFixed(digits)).toLocaleString('en-US');
}

/** The gateway's HTTP app without its workers. */
function appOnly(store: CountingStore): App {
  const services: Services = {
    store,
    clock,
    time: storeTime(clock),
    ids: randomIds,
    methods: sandboxMethods,
    channels: createChannels(sandboxMethods, simulatedChannels(sandboxMethods)),
    checkoutUrl: (token) => `http://localhost/checkout/${token}`,
    report: () => undefined,
  };
  return createApp({
    contract: readContract(),
    services,
    handlers: bindOperations(services),
    log: NO_LOG,
    bodyBytesMax: DEFAULTS.bodyBytesMax,
    requestsPerSecond: 1_000_000,
    metrics: NO_METRICS,
  });
}

function caller(app: App, key: string): Call {
  return async (method, url, payload) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await inject(app, { method, url, headers, ...(payload && { payload }) });
    if (response.statusCode >= 300)
      throw new Error(`${method} ${url} returned ${response.statusCode}: ${response.body}`);
    return response.json();
  };
}

/** The contract's requests, each on transactions in the preceding status. */
async function requestKinds(call: Call): Promise<Kind[]> {
  const create = async (path: string, body: object) => (await call('POST', path, body)).transaction_id;
  const each = (one: (id: string) => Promise<unknown>) => (ids: readonly string[]) => Promise.all(ids.map(one));
  const act = (action: string, body: object) => (id: string) => call('POST', `/payments/${id}/${action}`, body);
  const direct = payments('direct');
  const payout = payouts('payout');
  const redirected = variants('redirected', requestExamples.createPayment['redirect-upi'].body);
  // Without a name and a phone, the payment waits for them.
  const incomplete = variants('incomplete', requestExamples.createPayment['h2h-upi-incomplete'].body);
  const clarify = act('clarify', requestExamples.clarifyPayment['name-and-phone'].body);
  const { tid } = requestExamples.confirmPayment['tid-and-amount'].body.confirm_data;
  const { amount } = requestExamples.createPayment['h2h-upi-incomplete'].body;
  const confirm = act('confirm', { confirm_data: { tid, amount: String(amount) } });
  const unclarified = () => create('/payments', incomplete());
  const unconfirmed = async () => (await clarify(await unclarified())).transaction_id;
  const payment = await create('/payments', direct());
  const paidOut = await create('/payouts', payout());
  return [
    { name: 'createPayment, h2h', run: each(() => create('/payments', direct())) },
    { name: 'createPayment, redirect', run: each(() => create('/payments', redirected())) },
    { name: 'getPayment', run: each(() => call('GET', `/payments/${payment}`)) },
    { name: 'clarifyPayment', prepare: unclarified, run: each(clarify) },
    { name: 'confirmPayment', prepare: unconfirmed, run: each(confirm) },
    { name: 'createPayout', run: each(() => create('/payouts', payout())) },
    { name: 'getPayout', run: each(() => call('GET', `/payouts/${paidOut}`)) },
    { name: 'getBalance', run: each(() => call('GET', '/merchant/balance')) },
  ];
}

/** The same body with different customers and order IDs. */
function variants<Body extends { customer: object }>(tag: string, body: Body): () => Body {
  return sequence((index) => ({
    ...body,
    customer: { ...body.customer, id: `${tag}-${index}` },
    merchant_order_id: `${tag}-${index}`,
  }));
}

/** From creation until the webhook is recorded as delivered. */
function background(call: Call, gateway: Gateway, next: () => object): Kind {
  return {
    name: 'a payment in the background',
    prepare: async () => (await call('POST', '/payments', next())).transaction_id,
    run: () => gateway.idle(),
  };
}
