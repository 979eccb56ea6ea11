/** Transactions from their creation to their last webhook, many at a time. */
import { Agent } from 'node:http';
import { sendTaken } from '../load/client.ts';
import { openEndpoint, type Received } from '../tools/endpoint.ts';
import { pause } from '../tools/wait.ts';
import { createPayments, createPayouts, type Fleet } from './gateways.ts';

/** The members of responses and webhooks used here. */
interface Shown {
  readonly transaction_id: string;
  readonly amount: number;
  readonly status: string;
}

/** A number of concurrent journeys, or a steady rate per second. */
export type Pace = { readonly seconds: number } & ({ readonly concurrent: number } | { readonly rate: number });

/** Runs journeys for some seconds. Returns the milliseconds of each one that ended within them. */
export type Journey = (fleet: Fleet, pace: Pace) => Promise<number[]>;

const TICK_MS = 5;
/** Timeout of a webhook. */
const MISSING_MS = 60_000;

let runs = 0;

/** Payments: created, confirmed, and reported as SUCCESS. */
export const payAll: Journey = (fleet, pace) =>
  withCheckout(fleet, (checkout) => {
    const next = createPayments(`flow-${process.pid}-${runs++}`, checkout.callbackUrl);
    return repeat(pace, async () => {
      const post = checkout.nextMerchant();
      const { transaction_id: id, amount } = await post('/payments', next());
      await checkout.arrival(id, 'PAY_CONFIRMATION_NEEDED');
      await post(`/payments/${id}/confirm`, { confirm_data: { tid: id.slice(-12), amount: String(amount) } });
      await checkout.arrival(id, 'SUCCESS');
    });
  });

/** Payouts of one wallet: created, and reported as SUCCESS. */
export const payOut: Journey = (fleet, pace) =>
  withCheckout(fleet, (checkout) => {
    const next = createPayouts(`flow-${process.pid}-${runs++}`, checkout.callbackUrl);
    return repeat(pace, async () => {
      const { transaction_id: id } = await checkout.nextMerchant()('/payouts', next());
      await checkout.arrival(id, 'SUCCESS');
    });
  });

/** Runs journeys at a pace. Returns the milliseconds of each one that ended in time. */
export async function repeat(pace: Pace, journey: () => Promise<void>): Promise<number[]> {
  const ended: number[] = [];
  const began = performance.now();
  const stopAt = began + pace.seconds * 1_000;
  const run = async () => {
    const start = performance.now();
    await journey();
    const now = performance.now();
    if (now <= stopAt) ended.push(now - start);
  };
  const begin = () => {
    const running = run();
    // Handled at the end, so that a failure ends only its part of the bench.
    running.catch(() => undefined);
    return running;
  };
  const journeys: Promise<void>[] = [];
  if ('concurrent' in pace) {
    const worker = async () => {
      while (performance.now() < stopAt) await run();
    };
    journeys.push(...Array.from({ length: pace.concurrent }, worker));
  } else {
    for (let now = began; now < stopAt; now = performance.now()) {
      const due = Math.ceil(((now - began) / 1_000) * pace.rate);
      while (journeys.length < due) journeys.push(begin());
      await pause(TICK_MS);
    }
  }
  await Promise.all(journeys);
  return ended;
}

/**
 * Opens a webhook endpoint that records only the arrival of the first request with each name, by performance.now(),
 * since there may be millions of webhooks.
 */
export async function timeArrivals(readName: (received: Received) => string, onArrival?: (name: string) => void) {
  const arrivals = new Map<string, number>();
  const endpoint = await openEndpoint((response, received) => {
    const name = readName(received);
    if (!arrivals.has(name)) arrivals.set(name, performance.now());
    response.writeHead(204).end();
    onArrival?.(name);
  });
  return { ...endpoint, arrivals };
}

/** The merchants of a fleet, and their endpoint. */
interface Checkout {
  /** The requests of each merchant in turn. Throw on failure. */
  nextMerchant(): (path: string, body: unknown) => Promise<Shown>;
  /** Resolves when a webhook reports the transaction's status. */
  arrival(id: string, status: string): Promise<void>;
  readonly callbackUrl: string;
}

async function withCheckout<T>({ servers, keys }: Fleet, work: (checkout: Checkout) => Promise<T>): Promise<T> {
  const agent = new Agent({ keepAlive: true });
  const waiting = new Map<string, () => void>();
  const readName = ({ body }: Received) => {
    const { transaction_id: id, status } = JSON.parse(body) as Shown;
    return `${id} ${status}`;
  };
  const { url, arrivals, close } = await timeArrivals(readName, (name) => waiting.get(name)?.());
  let merchants = 0;
  let requests = 0;
  const checkout: Checkout = {
    callbackUrl: url,
    nextMerchant() {
      const key = keys[merchants++ % keys.length] ?? keys[0];
      const nextUrl = () => (servers[requests++ % servers.length] ?? servers[0]).url;
      return (path, body) => sendTaken({ url: nextUrl(), key, agent }, 'POST', path, body);
    },
    arrival(id, status) {
      const name = `${id} ${status}`;
      if (arrivals.has(name)) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.set(name, resolve);
      const timer = setTimeout(() => reject(new Error(`no webhook reports ${name}`)), MISSING_MS);
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(name);
      });
    },
  };
  return work(checkout).finally(() => {
    agent.destroy();
    return close();
  });
}
