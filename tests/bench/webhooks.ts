/** Webhooks: the delay from the commit to their arrival at a steady rate, and the time to deliver a long backlog. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { webhookHeaders } from '../../generated/webhook-headers.ts';
import { sendTaken } from '../load/client.ts';
import { until } from '../tools/wait.ts';
import { timeArrivals } from './arrivals.ts';
import { payments } from './bodies.ts';
import { travel } from './journeys.ts';
import type { Bench } from './part.ts';
import { seedBacklog } from './seed.ts';
import { startGateway, startGatewayWithMerchant } from './servers.ts';
import { atMost, figure, type Row } from './table.ts';
import { writeTemplate } from './template.ts';

/** Payments per second, each with one event. */
const RATE = 500;
const ARRIVED_WITHIN_MS = 30_000;
/** Below a tenth of its target, the delivery of a backlog has failed. */
const DRAIN_TARGET = 2_000;
const DRAIN_WORST = DRAIN_TARGET / 10;
const WRITTEN_WITHIN_MS = 10_000;

/** Creates payments at a steady rate and times each webhook from the response to the creation until its arrival. */
export async function measureWebhooks({ folder, seconds, say }: Bench): Promise<Row[]> {
  say(`webhooks at ${RATE} a second`);
  const receiver = await timeArrivals(({ body }) => String(JSON.parse(body).merchant_order_id));
  const gateway = await startGatewayWithMerchant({ DATABASE_FILE: join(folder, 'gateway.db') });
  try {
    const answers = await createSteadily(gateway, payments('webhook', receiver.url), seconds);
    await until(() => receiver.arrivals.size >= answers.size, ARRIVED_WITHIN_MS);
    const delays = [...answers]
      .map(([order, answered]) => (receiver.arrivals.get(order) ?? Number.POSITIVE_INFINITY) - answered)
      .toSorted((a, b) => a - b);
    const p99 = delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
    return [atMost(`Webhooks at ${RATE}/s, 99%`, Math.max(p99, 0), 250, 'ms')];
  } finally {
    await gateway.end();
    await receiver.close();
  }
}

/** Creates payments at the rate. Returns the time of each response. */
async function createSteadily(
  { url, key }: { url: string; key: string },
  next: ReturnType<typeof payments>,
  seconds: number,
): Promise<Map<string, number>> {
  const answers = new Map<string, number>();
  const agent = new Agent({ keepAlive: true });
  await travel({ rate: RATE, seconds }, async () => {
    const body = next();
    await sendTaken({ url, key, agent }, 'POST', '/payments', body);
    answers.set(body.merchant_order_id, performance.now());
  });
  agent.destroy();
  return answers;
}

/** Starts a gateway on a file with waiting webhooks, and measures the time until the last one has arrived. */
export async function measureBacklog({ folder, backlog, say }: Bench): Promise<Row[]> {
  say(`a backlog of ${backlog.toLocaleString('en-US')} webhooks`);
  const receiver = await timeArrivals(({ headers }) => String(headers[webhookHeaders.id]));
  const template = await writeTemplate(join(folder, 'gateway.db'));
  seedBacklog(template, backlog, receiver.url);
  const began = performance.now();
  const gateway = await startGateway({ DATABASE_FILE: template.file });
  try {
    await until(() => receiver.arrivals.size >= backlog, ARRIVED_WITHIN_MS + (backlog / DRAIN_WORST) * 1_000);
    const { size } = receiver.arrivals;
    if (size < backlog) throw new Error(`of ${backlog} webhooks ${size} have arrived`);
    const seconds = (([...receiver.arrivals.values()].at(-1) ?? 0) - began) / 1_000;
    if ((await until(() => waiting(template.file) === 0, WRITTEN_WITHIN_MS)) === undefined)
      throw new Error(`of ${backlog} webhooks that have arrived ${waiting(template.file)} are not marked as delivered`);
    return [
      {
        name: `Backlog of ${backlog.toLocaleString('en-US')} webhooks`,
        figure: figure(backlog / seconds, '/s'),
        target: { text: `≥ ${DRAIN_TARGET.toLocaleString('en-US')} /s`, met: backlog / seconds >= DRAIN_TARGET },
      },
    ];
  } finally {
    await gateway.end();
    await receiver.close();
  }
}

function waiting(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(db.prepare('select count(*) as count from events where next_at is not null').get()?.['count']);
  } finally {
    db.close();
  }
}
