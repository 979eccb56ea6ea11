/** Requests reach the service once, whatever it does with its connections, and as fast as it takes them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type ConnectionOptions,
  connectToService,
  type ServiceConnection,
} from '../../conformance/src/service/connection.ts';
import { openJournal, type ServiceCall } from '../../conformance/src/service/exchange.ts';
import { InFlight, Pace } from '../../conformance/src/service/pace.ts';
import { operations, readBundle } from '../../contract/src/model.ts';
import { listenOnLoopback } from '../tools/loopback.ts';

const OPERATIONS = operations(readBundle());
const LIMITS = { timeoutMs: 5_000, maxRequests: 1_000, maxAmount: 1_000, maxTime: 60 };

function createCall(id: string, rest: Partial<ServiceCall> = {}): ServiceCall {
  const operation = OPERATIONS.find((one) => one.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  return { operation, ...rest };
}

const creation = (order: number): ServiceCall =>
  createCall('createPayment', { body: { merchant_order_id: `order-${order}`, amount: 1, currency: 'INR' } });

/** A server that responds in its own way, and the bodies and methods that it has received. */
async function serving(
  respond: (response: ServerResponse, request: IncomingMessage) => void,
  use: (connection: ServiceConnection, received: readonly string[], baseUrl: string) => Promise<void>,
  limits: Partial<ConnectionOptions> = {},
): Promise<void> {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push((await text(request)) || String(request.method));
    respond(response, request);
  });
  const site = await listenOnLoopback(server);
  const options = { baseUrl: site.url, key: 'key', headers: {}, ...LIMITS, ...limits };
  await use(connectToService(options, openJournal()), received, site.url).finally(() => site.close());
}

afterEach(() => {
  vi.restoreAllMocks();
});

function endless(): Readable {
  return Readable.from(
    (function* () {
      for (;;) yield 'x'.repeat(100_000);
    })(),
  );
}

const ok = (response: ServerResponse): ServerResponse => response.writeHead(200).end('{}');

describe('a connection', () => {
  it('sends a POST once if the service closes without a response, and reports that', async () => {
    const respond = (response: ServerResponse) => response.destroy();
    await serving(respond, async (connection, received) => {
      const sent = connection.send(creation(1), 'check');
      await expect(sent).rejects.toThrow('the connection was closed without a response');
      expect(received).toHaveLength(1);
    });
  });

  it('repeats a GET on a new connection if the service closes the idle one', async () => {
    const used = new Set<unknown>();
    const respond = (response: ServerResponse, { socket }: IncomingMessage) => {
      if (used.has(socket)) response.destroy();
      else ok(response);
      used.add(socket);
    };
    await serving(respond, async (connection, received) => {
      for (let count = 0; count < 2; count += 1) {
        expect(await connection.send(createCall('getBalance'), 'check')).toMatchObject({ status: 200 });
      }
      expect(received).toEqual(['GET', 'GET', 'GET']);
    });
  });

  it('has at most 40 requests in flight', async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    const respond = (response: ServerResponse) => {
      held.push(response);
      most = Math.max(most, held.length);
      if (held.length === 40) for (const one of held.splice(0)) ok(one);
    };
    const use = async (connection: ServiceConnection) => {
      const sent = Array.from({ length: 80 }, () => connection.send(createCall('getBalance'), 'check'));
      expect((await Promise.all(sent)).every(({ status }) => status === 200)).toBe(true);
      expect(most).toBe(40);
    };
    // A busy machine takes a while to send 40.
    await serving(respond, use, { timeoutMs: 60_000 });
  });

  it('rejects if a 429 asks to wait longer than the timeout', async () => {
    const respond = (response: ServerResponse) => response.writeHead(429, { 'retry-after': '60' }).end('{}');
    await serving(respond, async (connection, received) => {
      const sent = connection.send(createCall('getBalance'), 'check');
      await expect(sent).rejects.toMatchObject({
        message: 'the service returns 429 and asks to wait 60 s in Retry-After',
        remedy: 'raise --timeout',
      });
      expect(received).toHaveLength(1);
    });
  });

  it.each([429, 503])('repeats a request of a driver refused with %i', async (status) => {
    let count = 0;
    const respond = (response: ServerResponse) => {
      count += 1;
      response.writeHead(count === 1 ? status : 200, { 'retry-after': '0' }).end('{}');
    };
    await serving(respond, async ({ fetch }, _received, baseUrl) => {
      expect(await fetch(`${baseUrl}/sandbox/chaos`)).toMatchObject({ status: 200 });
      expect(count).toBe(2);
    });
  });

  it.each([
    ['an endless body', (response: ServerResponse) => void pipeline(endless(), response, () => undefined)],
    [
      'a body that grows when it is decompressed',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(40_000_000))),
    ],
  ])('reads at most 4 MB of %s', async (_what, respond) => {
    await serving(respond, async (connection) => {
      const sent = connection.send(createCall('getBalance'), 'check');
      await expect(sent).rejects.toThrow('the body of the response has more than 4 MB');
    });
  });

  it('does not count the amount of a refused creation', async () => {
    let count = 0;
    const respond = (response: ServerResponse) => {
      count += 1;
      response.writeHead(count === 2 ? 200 : 429, { 'retry-after': '0' }).end('{}');
    };
    const once = { maxAmount: 1 };
    await serving(
      respond,
      async (connection) => {
        expect(await connection.send(creation(1), 'check')).toMatchObject({ status: 200 });
      },
      once,
    );
  });
});

/** Sends requests up to the limit, and returns their number. */
async function sendAll(inFlight: InFlight): Promise<{ count: number; end(): Promise<unknown> }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const sent = Array.from({ length: 40 }, () =>
    inFlight.run(() => {
      count += 1;
      return promise;
    }),
  );
  await setImmediate();
  const end = () => {
    resolve();
    return Promise.all(sent);
  };
  return { count, end };
}

it('halves the requests in flight while responses are slow, and adds more once they are quick', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const inFlight = new InFlight(100);
  const counts: number[] = [];
  for (const tookMs of [101, 101, 1]) {
    const { count, end } = await sendAll(inFlight);
    counts.push(count);
    now += tookMs;
    await end();
  }
  // The last half of the second round waited, and was quick.
  expect(counts).toEqual([40, 20, 30]);
});

/** Sends for some seconds to a service with a rate limit, and returns the counts of each second. */
async function sendForSeconds(limit: number, seconds: number): Promise<{ taken: number; refused: number }[]> {
  let now = 0;
  const pause = async (ms: number): Promise<void> => {
    now += ms;
  };
  const pace = new Pace({ now: () => now, pause });
  const counts = Array.from({ length: seconds }, () => ({ taken: 0, refused: 0 }));
  for (;;) {
    await pace.turn();
    await pause(1);
    const second = counts[Math.floor(now / 1_000)];
    if (!second) return counts;
    const isRefusal = second.taken >= limit;
    second[isRefusal ? 'refused' : 'taken'] += 1;
    pace.note(isRefusal);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe('the pace of a run', () => {
  it('is not limited by a service that refuses every fifteenth request', async () => {
    let now = 0;
    const pause = async (ms: number): Promise<void> => {
      now += ms;
    };
    const pace = new Pace({ now: () => now, pause });
    for (let request = 1; request <= 3_000; request += 1) {
      await pace.turn();
      await pause(1);
      pace.note(request % 15 === 0);
    }
    expect(now).toBe(3_000);
  });

  it.each([10, 60, 200])('settles near the limit of a service that takes %i requests in a second', async (limit) => {
    const late = (await sendForSeconds(limit, 30)).slice(5);
    expect(sum(late.map(({ refused }) => refused))).toBeLessThan(0.2 * limit * late.length);
    expect(sum(late.map(({ taken }) => taken))).toBeGreaterThan(0.7 * limit * late.length);
  });
});
