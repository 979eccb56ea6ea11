/** A service with responses given by a test, and a client that uses it in virtual time. */

import {
  type CallEvent,
  type Clock,
  createPaymentsClient,
  type PaymentsClient,
  type PaymentsClientOptions,
} from '../../client/src/index.ts';

/** Produces the response to one request. */
export type Reply = (request: Request) => Response | Promise<Response>;

export interface Service {
  readonly client: PaymentsClient;
  readonly time: VirtualTime;
  readonly requests: Request[];
  readonly events: CallEvent[];
  /** Delays before retries, in milliseconds. */
  pauses(): number[];
}

/** A service that sends the replies in order, and the last one forever. */
export function serve(replies: readonly Reply[], options: Partial<PaymentsClientOptions> = {}): Service {
  const time = new VirtualTime();
  const requests: Request[] = [];
  const events: CallEvent[] = [];
  const { retry, ...others } = options;
  const client = createPaymentsClient({
    baseUrl: 'http://service.test',
    ...(!options.auth && { apiKey: 'sk_test_key' }),
    clock: time,
    onEvent: (event) => events.push(event),
    async fetch(url, init) {
      const request = new Request(url, init);
      requests.push(request.clone());
      const reply = replies[Math.min(requests.length, replies.length) - 1];
      if (!reply) throw new Error('the service has no reply');
      return reply(request);
    },
    retry: { random: () => 1, ...retry },
    ...others,
  });
  const pauses = () => events.flatMap((event) => (event.type === 'retry' ? [event.pauseMs] : []));
  return { client, time, requests, events, pauses };
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  () =>
    Response.json(body, { status, headers });

export const problem = (status: number, headers: Record<string, string> = {}): Reply =>
  json({ type: 'https://service.test/problems/x', title: 'A problem', status }, status, {
    'content-type': 'application/problem+json',
    ...headers,
  });

export const disconnected: Reply = () => Promise.reject(new TypeError('fetch failed'));

/** Sends no response until the request is aborted. */
export const hanging: Reply = (request) =>
  new Promise((_, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason));
  });

/** A success whose body breaks off. */
export const cutOff: Reply = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"transaction_id":'));
        controller.error(new TypeError('terminated'));
      },
    }),
  );

/** A success whose body never ends. It ignores the abort of its request. */
export const stalled: Reply = () =>
  new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) }));

/** Enough ticks for work that waits for no timer to continue. */
const TURNS = 8;

export class VirtualTime implements Clock {
  #now = Date.UTC(2026, 2, 2, 9);
  readonly #timers = new Set<{ at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }
  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(ms, 0), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }
  /** Advances the time until the promise is settled, and returns or throws its outcome. */
  async pass<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    for (;;) {
      for (let turn = 0; turn < TURNS && !settled; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (settled) return promise;
      const next = [...this.#timers].toSorted((a, b) => a.at - b.at)[0];
      if (!next) throw new Error('nothing will ever settle this promise');
      this.#timers.delete(next);
      this.#now = next.at;
      next.run();
    }
  }
}
