/** Requests reach the service once, whatever it does with its connections, and as fast as it takes them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ConnectionOptions, connectToService } from '../../conformance/src/service/connection.ts';
import { openJournal, type ServiceCall } from '../../conformance/src/service/exchange.ts';
import { InFlight, Pace } from '../../conformance/src/service/pace.ts';
import { afterwards } from '../gateway/harness.ts';
import { listenOnLoopback } from '../tools/loopback.ts';
import { contract } from './report/synthetic.ts';

const LIMITS = { timeoutMs: 5_000, maxRequests: 1_000, maxAmount: 1_000, maxTime: 60 };
const READ: ServiceCall = { operation: contract.operation('getBalance') };
const CREATION: ServiceCall = {
  operation: contract.operation('createPayment'),
  body: { merchant_order_id: 'order-1', amount: 1, currency: 'INR' },
};

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** Connects to a server that responds in its own way. `received` has the bodies and methods that reached it. */
async function connect(respond: Respond, limits: Partial<ConnectionOptions> = {}) {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push((await text(request)) || String(request.method));
    respond(response, request);
  });
  const { url, close } = await listenOnLoopback(server);
  afterwards(close);
  const { send, fetch } = connectToService(
    { baseUrl: url, key: 'key', headers: {}, ...LIMITS, ...limits },
    openJournal(),
  );
  return { send: (call: ServiceCall) => send(call, 'check'), fetch, received, url };
}

afterEach(() => {
  vi.restoreAllMocks();
});

const ok = (response: ServerResponse): ServerResponse => response.writeHead(200).end('{}');

/** Refuses the first request with the status. */
function refuseFirst(status: number): Respond {
  const statuses = [status].values();
  return (response) => response.writeHead(statuses.next().value ?? 200, { 'retry-after': '0' }).end('{}');
}

describe('a connection', () => {
  it('sends a POST once if the service closes without a response, and reports that', async () => {
    const { send, received } = await connect((response) => response.destroy());
    await expect(send(CREATION)).rejects.toThrow('the connection was closed without a response');
    expect(received).toHaveLength(1);
  });

  it('repeats a GET on a new connection if the service closes the idle one', async () => {
    const used = new Set<unknown>();
    const { send, received } = await connect((response, { socket }) => {
      if (used.has(socket)) response.destroy();
      else ok(response);
      used.add(socket);
    });
    for (let count = 0; count < 2; count += 1) expect(await send(READ)).toMatchObject({ status: 200 });
    expect(received).toEqual(['GET', 'GET', 'GET']);
  });

  it('opens a connection for each request of a driver, and names the cause of an error', async () => {
    const sockets = new Set<unknown>();
    const { fetch, url } = await connect((response, { socket, url: path }) => {
      sockets.add(socket);
      if (path === '/lost') response.destroy();
      else ok(response);
    });
    for (let count = 0; count < 4; count += 1) {
      const response = await fetch(url, { method: 'POST', body: 'paid' });
      expect([response.status, await response.text()]).toEqual([200, '{}']);
    }
    expect(sockets.size).toBe(4);
    await expect(fetch(`${url}/lost`)).rejects.toThrow('the connection was closed without a response');
  });

  it('has at most 40 requests in flight', async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    const respond = (response: ServerResponse) => {
      held.push(response);
      most = Math.max(most, held.length);
      if (held.length === 40) for (const one of held.splice(0)) ok(one);
    };
    // A busy machine takes a while to send 40.
    const { send } = await connect(respond, { timeoutMs: 60_000 });
    const exchanges = await Promise.all(Array.from({ length: 80 }, () => send(READ)));
    expect(exchanges.every(({ status }) => status === 200)).toBe(true);
    expect(most).toBe(40);
  });

  it.each([429, 503])('repeats a request of a driver refused with %i', async (status) => {
    const { fetch, received, url } = await connect(refuseFirst(status));
    expect(await fetch(`${url}/sandbox/chaos`)).toMatchObject({ status: 200 });
    expect(received).toHaveLength(2);
  });

  it.each<[string, Respond]>([
    ['large', (response) => response.end(Buffer.alloc(5_000_000))],
    ['compressed', (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(5_000_000)))],
  ])('reads at most 4 MB of a %s body', async (_what, respond) => {
    const { send } = await connect(respond);
    await expect(send(READ)).rejects.toThrow('the body of the response has more than 4 MB');
  });

  it('does not count the amount of a refused creation', async () => {
    const { send } = await connect(refuseFirst(429), { maxAmount: 1 });
    expect(await send(CREATION)).toMatchObject({ status: 200 });
  });

  it('sends no more requests once the run is out of time, and names the option to raise', async () => {
    const { send, received } = await connect(ok, { maxTime: 0 });
    // The time is up once some has passed.
    await setImmediate();
    await expect(send(READ)).rejects.toMatchObject({ message: 'the run may take 0 s', remedy: 'raise --max-time' });
    expect(received).toEqual([]);
  });
});

it('halves the requests in flight while responses are slow, and adds more once they are quick', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const inFlight = new InFlight(100);
  const counts: number[] = [];
  for (const tookMs of [101, 101, 1]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    let count = 0;
    const send = () => {
      count += 1;
      return promise;
    };
    const sent = Array.from({ length: 40 }, () => inFlight.run(send));
    await setImmediate();
    counts.push(count);
    now += tookMs;
    resolve();
    await Promise.all(sent);
  }
  // The last half of the second round waited, and was quick.
  expect(counts).toEqual([40, 20, 30]);
});

/** Sends for some seconds to a service that refuses some requests, and returns the counts of each second. */
async function sendForSeconds(seconds: number, refuses: (taken: number, sent: number) => boolean) {
  let now = 0;
  const pause = async (ms: number): Promise<void> => {
    now += ms;
  };
  const pace = new Pace({ now: () => now, pause });
  const counts = Array.from({ length: seconds }, () => ({ taken: 0, refused: 0 }));
  for (let sent = 1; ; sent += 1) {
    await pace.turn();
    await pause(1);
    const second = counts[Math.floor(now / 1_000)];
    if (!second) return counts;
    const isRefusal = refuses(second.taken, sent);
    second[isRefusal ? 'refused' : 'taken'] += 1;
    pace.note(isRefusal);
  }
}

it('does not slow down for a service that refuses every fifteenth request', async () => {
  const [, second] = await sendForSeconds(3, (_taken, sent) => sent % 15 === 0);
  expect((second?.taken ?? 0) + (second?.refused ?? 0)).toBe(1_000);
});

it.each([10, 200])('settles near the limit of a service that takes %i requests in a second', async (limit) => {
  const late = (await sendForSeconds(30, (taken) => taken >= limit)).slice(5);
  const sum = (kind: 'taken' | 'refused') => late.reduce((total, second) => total + second[kind], 0);
  expect(sum('refused')).toBeLessThan(0.2 * limit * late.length);
  expect(sum('taken')).toBeGreaterThan(0.7 * limit * late.length);
});
