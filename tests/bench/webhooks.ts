/** Webhooks: the delay from the commit to their arrival at a steady rate, and the time to deliver a long backlog. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { webhookHeaders } from '../../generated/webhook-headers.ts';
import { sendTaken } from '../load/client.ts';
import { until } from '../tools/wait.ts';
import { createPayments, endAll, startFleet, startGateway } from './gateways.ts';
import { repeat, timeArrivals } from './journeys.ts';
import { type Bench, createRow, type Row } from './measure.ts';
import { seedBacklog, writeTemplate } from './seed.ts';

/** Payments per second, each with one event. */
const RATE = 500;
const DELAY_MAX_MS = 250;
const ARRIVED_WITHIN_MS = 30_000;
const DRAIN_TARGET = 2_000;
const WRITTEN_WITHIN_MS = 10_000;

export async function measureWebhooks(bench: Bench): Promise<Row[]> {
  return [await measureDelay(bench), await measureBacklog(bench)];
}

/** Creates payments at a steady rate and times each webhook from the response to the creation until its arrival. */
async function measureDelay({ folder, seconds, say }: Bench): Promise<Row> {
  say(`webhooks at ${RATE} a second`);
  const receiver = await timeArrivals(({ body }) => String(JSON.parse(body).merchant_order_id));
  const fleet = await startFleet({ DATABASE_FILE: join(folder, 'delay.db') });
  const agent = new Agent({ keepAlive: true });
  const caller = { url: fleet.servers[0].url, key: fleet.keys[0], agent };
  const next = createPayments('webhook', receiver.url);
  const created = new Map<string, number>();
  try {
    await repeat({ rate: RATE, seconds }, async () => {
      const body = next();
      await sendTaken(caller, 'POST', '/payments', body);
      created.set(body.merchant_order_id, performance.now());
    });
    await until(() => receiver.arrivals.size >= created.size, ARRIVED_WITHIN_MS);
    const delays = [...created]
      .map(([order, at]) => Math.max((receiver.arrivals.get(order) ?? Number.POSITIVE_INFINITY) - at, 0))
      .toSorted((a, b) => a - b);
    const p99 = delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
    return createRow(`Webhooks at ${RATE}/s, 99%`, 'ms', [p99], ['≤', DELAY_MAX_MS]);
  } finally {
    agent.destroy();
    await endAll(fleet);
    await receiver.close();
  }
}

/** Starts a gateway on a file with waiting webhooks, and measures the time until the last one has arrived. */
async function measureBacklog({ folder, backlog, say }: Bench): Promise<Row> {
  const name = `Backlog of ${backlog.toLocaleString('en-US')} webhooks`;
  say(name);
  const receiver = await timeArrivals(({ headers }) => String(headers[webhookHeaders.id]));
  const template = await writeTemplate(join(folder, 'backlog.db'));
  seedBacklog(template, backlog, receiver.url);
  const began = performance.now();
  const gateway = await startGateway({ DATABASE_FILE: template.file });
  const db = new DatabaseSync(template.file, { readOnly: true });
  const waiting = db.prepare('select count(*) as count from events where next_at is not null');
  try {
    await until(() => receiver.arrivals.size >= backlog, ARRIVED_WITHIN_MS + (backlog / DRAIN_TARGET) * 10_000);
    const { size } = receiver.arrivals;
    if (size < backlog) throw new Error(`only ${size} of ${backlog} webhooks have arrived`);
    const seconds = (([...receiver.arrivals.values()].at(-1) ?? 0) - began) / 1_000;
    if ((await until(() => waiting.get()?.['count'] === 0, WRITTEN_WITHIN_MS)) === undefined)
      throw new Error(`${waiting.get()?.['count']} webhooks have arrived, but aren't marked as delivered`);
    return createRow(name, '/s', [backlog / seconds], ['≥', DRAIN_TARGET]);
  } finally {
    db.close();
    await gateway.end();
    await receiver.close();
  }
}
