/** Requests of a transaction from its creation to its last webhook, with many concurrent transactions. */
import { Agent } from 'node:http';
import { sendTaken } from '../load/client.ts';
import type { Received } from '../tools/endpoint.ts';
import type { Server } from '../tools/server.ts';
import { pause } from '../tools/wait.ts';
import { timeArrivals } from './arrivals.ts';
import { payments, payouts, sequence } from './bodies.ts';

/** The members of responses and webhooks used here. */
interface Shown {
  readonly transaction_id: string;
  readonly amount: number;
  readonly status: string;
}

/** Sends a POST to one of the gateways in turn. Throws on failure. */
type Post = (path: string, body: unknown) => Promise<Shown>;

/** Gateways of one database, with API keys of merchants. */
export interface Fleet {
  readonly servers: readonly Server[];
  readonly keys: readonly string[];
}

/** The merchants of a fleet, and their endpoint. */
export interface Checkout {
  /** The requests of each merchant in turn. */
  nextMerchant(): Post;
  /** Resolves when a webhook reports the transaction's status. */
  arrival(id: string, status: string): Promise<void>;
  /** Address for webhooks. */
  readonly callbackUrl: string;
  close(): Promise<void>;
}

/** A number of concurrent journeys, or a steady rate per second. */
export type Pace = { readonly seconds: number } & ({ readonly concurrent: number } | { readonly rate: number });

/** Runs journeys for some seconds. Returns the milliseconds of each one that ended within them. */
export type Journey = (checkout: Checkout, pace: Pace) => Promise<number[]>;

const TICK_MS = 5;
/** Timeout of a webhook. */
const MISSING_MS = 60_000;

let runs = 0;

/** Payments: created, confirmed, and reported as SUCCESS. */
export const payAll: Journey = (checkout, pace) => {
  const next = payments(`flow-${process.pid}-${runs++}`, checkout.callbackUrl);
  return travel(pace, async () => {
    const post = checkout.nextMerchant();
    const { transaction_id: id, amount } = await post('/payments', next());
    await checkout.arrival(id, 'PAY_CONFIRMATION_NEEDED');
    await post(`/payments/${id}/confirm`, { confirm_data: { tid: id.slice(-12), amount: String(amount) } });
    await checkout.arrival(id, 'SUCCESS');
  });
};

/** Payouts of one wallet: created, and reported as SUCCESS. */
export const payOut: Journey = (checkout, pace) => {
  const next = payouts(`flow-${process.pid}-${runs++}`);
  return travel(pace, async () => {
    const post = checkout.nextMerchant();
    const { transaction_id: id } = await post('/payouts', { ...next(), callback_url: checkout.callbackUrl });
    await checkout.arrival(id, 'SUCCESS');
  });
};

/** Runs journeys at a pace. Returns the milliseconds of each one that ended in time. */
export async function travel(pace: Pace, journey: () => Promise<void>): Promise<number[]> {
  const ended: number[] = [];
  const stopAt = performance.now() + pace.seconds * 1_000;
  const go = async () => {
    const began = performance.now();
    await journey();
    const now = performance.now();
    if (now <= stopAt) ended.push(now - began);
  };
  if ('concurrent' in pace) {
    const lane = async () => {
      while (performance.now() < stopAt) await go();
    };
    await Promise.all(Array.from({ length: pace.concurrent }, lane));
    return ended;
  }
  const journeys: Promise<void>[] = [];
  const began = performance.now();
  for (let now = began; now < stopAt; now = performance.now()) {
    const due = Math.ceil(((now - began) / 1_000) * pace.rate);
    while (journeys.length < due) journeys.push(go());
    await pause(TICK_MS);
  }
  await Promise.all(journeys);
  return ended;
}

/** Opens an endpoint for the webhooks of the fleet's merchants. */
export async function openCheckout({ servers, keys }: Fleet): Promise<Checkout> {
  const agent = new Agent({ keepAlive: true });
  const waiting = new Map<string, () => void>();
  const { url: callbackUrl, arrivals, close } = await timeArrivals(nameWebhook, (name) => waiting.get(name)?.());
  const nextUrl = inTurn(servers.map(({ url }) => url));
  const nextKey = inTurn(keys);

  return {
    callbackUrl,
    nextMerchant() {
      const key = nextKey();
      return (path, body) => sendTaken({ url: nextUrl(), key, agent }, 'POST', path, body);
    },
    arrival(id, status) {
      const name = `${id} ${status}`;
      if (arrivals.has(name)) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.set(name, resolve);
      const late = setTimeout(() => reject(new Error(`no webhook says that ${id} is ${status}`)), MISSING_MS);
      return promise.finally(() => {
        clearTimeout(late);
        waiting.delete(name);
      });
    },
    async close() {
      agent.destroy();
      await close();
    },
  };
}

/** Each of the texts in turn. */
function inTurn(texts: readonly string[]): () => string {
  return sequence((index) => texts[index % texts.length] as string);
}

function nameWebhook({ body }: Received): string {
  const { transaction_id: id, status } = JSON.parse(body) as Shown;
  return `${id} ${status}`;
}
