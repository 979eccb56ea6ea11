/**
 * Bad requests of every kind, generated from a seed. Each must be refused with a problem of the contract, without a
 * 5xx. The store must stay unchanged, and the gateway must not grow.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject } from '../../contract/src/model.ts';
import type { Store } from '../../gateway/src/database/store.ts';
import { requestExamples } from '../../generated/examples.ts';
import { addMerchant, type LoadMerchant } from '../load/merchants.ts';
import { type Random, seeded } from '../tools/random.ts';
import type { Server } from '../tools/server.ts';
import { until } from '../tools/wait.ts';
import { BASE, type Environment, inDatabase, startGateway } from './gateways.ts';
import { call } from './http.ts';
import { Findings, type Result, type Torture } from './part.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { BODIES } from './requests/bodies.ts';
import { CALLS } from './requests/calls.ts';
import type { Bad, RequestFixture } from './requests/case.ts';
import { complaintAbout } from './requests/judge.ts';
import { Memory } from './requests/memory.ts';
import { slowCallers } from './requests/slow.ts';
import { encodeRequest, Line } from './requests/wire.ts';

export interface RequestOptions {
  readonly requests: number;
}

const MAKERS = Object.entries({ ...BODIES, ...CALLS });
const LINES = 8;
const ANSWERED_WITHIN_MS = 10_000;
const SLOW_CALLERS = 30;
/** The gateway's timeouts for unfinished requests, and the deadline for their end. */
const PATIENCE_MS = 1_000;
const SLOW_GONE_WITHIN_MS = 5_000;
/** With this many requests per kind, a kind without one is a mistake. */
const CHANCES = 20;
const SAY_EVERY = 10_000;
const QUIET_WITHIN_MS = 15_000;

/** Sends bad requests. */
export async function torturedByRequests(
  { seed, folder, say }: Torture,
  { requests }: RequestOptions,
): Promise<Result> {
  const env: Environment = {
    ...BASE,
    DATABASE_FILE: join(folder, 'gateway.db'),
    HEADER_TIMEOUT_MS: String(PATIENCE_MS),
    REQUEST_TIMEOUT_MS: String(2 * PATIENCE_MS),
  };
  const findings = new Findings();
  const account = await addMerchant(env);
  const other = await addMerchant(env);
  const receivers = await Promise.all([account, other].map(({ secret }) => startReceiver(secret, findings)));
  const gateway = await startGateway(env);
  try {
    const fixture = await populate(gateway, [account, other], receivers);
    const quiet = await until(() => inDatabase(env, isQuiet), QUIET_WITHIN_MS);
    findings.expect(quiet !== undefined, () => 'the gateway has not come to rest before the requests');
    const before = await inDatabase(env, contents);
    const port = Number(new URL(gateway.url).port);
    const slow = slowCallers(port, SLOW_CALLERS, SLOW_GONE_WITHIN_MS);
    const memory = new Memory(gateway, requests);
    const counts = await bombard({ port, fixture, random: seeded(seed), findings, requests, gateway, memory, say });
    const lasting = await slow;
    findings.expect(lasting === 0, () => `${lasting} of ${SLOW_CALLERS} slow callers still had their connection`);
    compare(before, await inDatabase(env, contents), findings);
    const alive = await call(gateway.url, account.key, 'GET', '/merchant/balance');
    findings.expect(alive.status === 200, () => `a good request returned ${alive.status} afterwards`);
    const complaint = memory.complaint();
    if (complaint) findings.add(complaint);
    return {
      counts: {
        'bad requests': requests,
        'of so many kinds': counts.kinds.size,
        'refused well': counts.refused,
        'slow callers ended': SLOW_CALLERS - lasting,
        'rows compared': [...before.values()].reduce((sum, { rows }) => sum + rows, 0),
        'memory in use': memory.shown(),
      },
      findings: findings.all(),
    };
  } finally {
    await gateway.end();
    for (const receiver of receivers) await receiver.close();
  }
}

interface Bombardment {
  readonly port: number;
  readonly fixture: RequestFixture;
  readonly random: Random;
  readonly findings: Findings;
  readonly requests: number;
  readonly gateway: Server;
  readonly memory: Memory;
  readonly say: (text: string) => void;
}

async function bombard({ port, fixture, random, findings, requests, gateway, memory, say }: Bombardment) {
  const counts = { kinds: new Set<string>(), refused: 0 };
  let sent = 0;
  await Promise.all(
    Array.from({ length: LINES }, async () => {
      const line = new Line(port, ANSWERED_WITHIN_MS);
      const other = new Line(port, ANSWERED_WITHIN_MS);
      while (sent < requests && gateway.alive()) {
        const number = sent++;
        const [kind, make] = random.of(MAKERS);
        const bad = make(random, fixture);
        // A request that may close its connection uses a separate one.
        const complaint = await fire('raw' in bad || bad.unfinished ? other : line, bad);
        if (complaint) findings.add(`${kind} (request ${number}): ${complaint}; sent was ${shown(bad)}`);
        else counts.refused++;
        counts.kinds.add(kind);
        await memory.look(number);
        if (number > 0 && number % SAY_EVERY === 0)
          say(`${number} of ${requests} bad requests, ${findings.lines.length} findings`);
      }
      line.close();
      other.close();
    }),
  );
  findings.expect(gateway.alive(), () => 'the gateway has ended');
  const missing = requests < MAKERS.length * CHANCES ? [] : MAKERS.filter(([kind]) => !counts.kinds.has(kind));
  findings.expect(missing.length === 0, () => `none were sent of: ${missing.map(([kind]) => kind).join(', ')}`);
  return counts;
}

async function fire(line: Line, bad: Bad): Promise<string | undefined> {
  if ('raw' in bad) {
    const reply = await line.exchange(bad.raw);
    line.close();
    return complaintAbout(reply, { mayClose: true, hasBody: true, wanted: bad.status });
  }
  const hasBody = bad.wire.method !== 'HEAD';
  const reply = await line.exchange(encodeRequest(bad.wire), hasBody);
  if (bad.unfinished) line.close();
  return complaintAbout(reply, { mayClose: false, hasBody, wanted: bad.status });
}

function shown(bad: Bad): string {
  return JSON.stringify(('raw' in bad ? bad.raw : encodeRequest(bad.wire)).toString('latin1').slice(0, 500));
}

/** Transactions of two merchants, without background changes while the requests are sent. */
async function populate(
  { url }: Server,
  accounts: readonly LoadMerchant[],
  receivers: readonly Receiver[],
): Promise<RequestFixture> {
  let orders = 0;
  const request = (body: object, callback = receivers[0]?.url): JsonObject =>
    ({ ...structuredClone(body), merchant_order_id: `bad-${orders++}`, callback_url: callback }) as JsonObject;
  const { 'h2h-upi': payment } = requestExamples.createPayment;
  const { 'imps-inr': payout } = requestExamples.createPayout;
  const [own, others] = await Promise.all(
    accounts.map(async ({ key }, index) => {
      const create = async (path: string, body: object) => {
        const sent = request(body, receivers[index]?.url);
        const answer = await call(url, key, 'POST', path, sent);
        return { id: (answer.body as { transaction_id: string }).transaction_id, request: sent };
      };
      return {
        key,
        waiting: await create('/payments', payment.body),
        payment: (await create('/payments', { ...payment.body, payment_method_type: 'NONE' })).id,
        payout: await create('/payouts', payout.body),
      };
    }),
  );
  if (!own || !others) throw new Error('there must be two merchants');
  return { ...own, others, newPayment: () => request(payment.body), newPayout: () => request(payout.body) };
}

/** No event is in delivery, and only distant session expiries are due. */
async function isQuiet({ read }: Store): Promise<boolean> {
  const events = await read.get('select count(*) as count from events where next_at is not null');
  const due = await read.get(
    'select count(*) as count from transactions where next_attempt_at < ?',
    Date.now() + 60_000,
  );
  return events?.['count'] === 0 && due?.['count'] === 0;
}

type Contents = ReadonlyMap<string, { rows: number; hash: string }>;

async function contents({ read }: Store): Promise<Contents> {
  // The sandbox logs requests, including bad ones.
  const tables = await read.all(
    "select name from sqlite_master where type = 'table' and name <> 'sandbox_requests' order by name",
  );
  const read1 = async (name: string) => {
    const rows = (await read.all(`select * from ${name}`)).map((row) => JSON.stringify(row)).sort();
    return { rows: rows.length, hash: createHash('sha256').update(rows.join('\n')).digest('hex') };
  };
  return new Map(await Promise.all(tables.map(async ({ name }) => [String(name), await read1(String(name))] as const)));
}

function compare(before: Contents, after: Contents, findings: Findings): void {
  for (const [table, { rows, hash }] of after) {
    const known = before.get(table);
    findings.expect(hash === known?.hash, () => `the table ${table} has changed, from ${known?.rows} rows to ${rows}`);
  }
}
