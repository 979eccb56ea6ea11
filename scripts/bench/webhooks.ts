/** Webhooks: how soon after the commit they arrive, at a steady rate. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestExamples } from '../../generated/examples.ts';
import { startGateway } from './servers.ts';
import { figure, type Row } from './table.ts';

/** Payments in a second; each makes one event. */
const RATE = 500;
const TICK_MS = 10;

interface Options {
  folder: string;
  seconds: number;
  say: (text: string) => void;
}

/** Creates payments at a steady rate and times each webhook from the answer of the creation to its arrival. */
export async function measureWebhooks({ folder, seconds, say }: Options): Promise<Row[]> {
  say(`webhooks at ${RATE} a second`);
  const arrivals = new Map<string, number>();
  const receiver = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      arrivals.set((JSON.parse(text) as { merchant_order_id: string }).merchant_order_id, performance.now());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const gateway = await startGateway(folder, { DATABASE_FILE: `${folder}/webhooks.db` });
  try {
    const callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const answers = await createSteadily(gateway.url, gateway.key, callback, RATE * seconds);
    await settled(() => arrivals.size >= answers.size);
    const delays = [...answers]
      .map(([order, answered]) => (arrivals.get(order) ?? Number.POSITIVE_INFINITY) - answered)
      .toSorted((a, b) => a - b);
    const p99 = delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
    return [
      {
        name: `Webhooks at ${RATE}/s, 99%`,
        figure: figure(Math.max(p99, 0), 'ms'),
        target: { text: '≤ 250 ms', met: p99 <= 250 },
      },
    ];
  } finally {
    await gateway.stop();
    receiver.close();
    receiver.closeAllConnections();
  }
}

/** Creates payments at the rate; returns when each was answered. */
async function createSteadily(url: string, key: string, callback: string, count: number): Promise<Map<string, number>> {
  const answers = new Map<string, number>();
  const calls: Promise<void>[] = [];
  const { body } = requestExamples.createPayment['h2h-upi'];
  const create = async (index: number) => {
    const order = `webhook-${index}`;
    const sent = {
      ...body,
      customer: { ...body.customer, id: `customer-${index}` },
      merchant_order_id: order,
      callback_url: callback,
    };
    const response = await fetch(`${url}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    await response.arrayBuffer();
    answers.set(order, performance.now());
  };
  const started = performance.now();
  for (let index = 0; index < count; ) {
    const due = Math.min(count, Math.ceil(((performance.now() - started) / 1_000) * RATE));
    while (index < due) calls.push(create(index++));
    await pause(TICK_MS);
  }
  await Promise.all(calls);
  return answers;
}

async function settled(done: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!done() && performance.now() < deadline) await pause(TICK_MS);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
