/** Webhooks: the delay from the commit to their arrival at a steady rate, and the time to deliver a long backlog. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { webhookHeaders } from '../../generated/webhook-headers.ts';
import { sendTaken } from '../load/client.ts';
import { until } from '../tools/wait.ts';
import { createPayments, repeat, startFleet, startGateway, timeArrivals } from './gateways.ts';
import { type Bench, createRow, quantile, type Row } from './measure.ts';
import { seedBacklog, writeTemplate } from './seed.ts';

/** Payments per second, each with one event. */
const RATE = 500;
const DELAY_MAX_MS = 250;
const ARRIVED_WITHIN_MS = 30_000;
const DRAIN_TARGET = 2_000;
const WRITTEN_WITHIN_MS = 10_000;

export const measureWebhooks = async (bench: Bench) => [await measureDelay(bench), await measureBacklog(bench)];

/** Creates payments at a steady rate and times each webhook from the response to the creation until its arrival. */
async function measureDelay(bench: Bench): Promise<Row> {
  bench.say(`webhooks at ${RATE} a second`);
  const receiver = await timeArrivals(({ body }) => String(JSON.parse(body).merchant_order_id));
  bench.atEnd(receiver.close);
  const fleet = await startFleet(bench, { DATABASE_FILE: join(bench.folder, 'delay.db') });
  const agent = new Agent({ keepAlive: true });
  bench.atEnd(() => agent.destroy());
  const caller = { url: fleet.servers[0].url, key: fleet.keys[0], agent };
  const next = createPayments('webhook', receiver.url);
  const created = new Map<string, number>();
  await repeat({ rate: RATE, seconds: bench.seconds }, async () => {
    const body = next();
    await sendTaken(caller, 'POST', '/payments', body);
    created.set(body.merchant_order_id, performance.now());
  });
  await until(() => receiver.arrivals.size >= created.size, ARRIVED_WITHIN_MS);
  await fleet.servers[0].end();
  const delays = [...created].map(([order, at]) =>
    Math.max((receiver.arrivals.get(order) ?? Number.POSITIVE_INFINITY) - at, 0),
  );
  return createRow(`Webhooks at ${RATE}/s, 99%`, 'ms', quantile(delays, 0.99), ['≤', DELAY_MAX_MS]);
}

/** Starts a gateway on a file with waiting webhooks, and measures the time until the last one has arrived. */
async function measureBacklog(bench: Bench): Promise<Row> {
  const { folder, backlog } = bench;
  const name = `Backlog of ${backlog.toLocaleString('en-US')} webhooks`;
  bench.say(name);
  const receiver = await timeArrivals(({ headers }) => String(headers[webhookHeaders.id]));
  bench.atEnd(receiver.close);
  const template = await writeTemplate(join(folder, 'backlog.db'));
  seedBacklog(template, backlog, receiver.url);
  const began = performance.now();
  await startGateway(bench, { DATABASE_FILE: template.file });
  await until(() => receiver.arrivals.size >= backlog, ARRIVED_WITHIN_MS + (backlog / DRAIN_TARGET) * 10_000);
  const { size } = receiver.arrivals;
  if (size < backlog) throw new Error(`only ${size} of ${backlog} webhooks have arrived`);
  const seconds = (([...receiver.arrivals.values()].at(-1) ?? 0) - began) / 1_000;
  const db = new DatabaseSync(template.file, { readOnly: true });
  bench.atEnd(() => db.close());
  const waiting = db.prepare('select count(*) as count from events where next_at is not null');
  if ((await until(() => waiting.get()?.['count'] === 0, WRITTEN_WITHIN_MS)) === undefined)
    throw new Error(`${waiting.get()?.['count']} webhooks have arrived, but aren't marked as delivered`);
  return createRow(name, '/s', [backlog / seconds], ['≥', DRAIN_TARGET]);
}
