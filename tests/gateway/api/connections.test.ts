/** Requests over raw sockets: connection limits, malformed and late requests, pipelining. */
import { once } from 'node:events';
import { maxHeaderSize } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../gateway/src/platform/clock.ts';
import { problemType } from '../../tools/problems.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { afterwards, inject, startTestGateway, type TestGatewayOptions } from '../harness.ts';
import { BODY_LENGTHS, get, HEADS, insertKey, TARGETS } from './hostile-requests.ts';

/** Longer than any test. */
const PATIENT = { headerTimeoutMs: 600_000, requestTimeoutMs: 600_000 };

async function start({ limits, ...options }: TestGatewayOptions = {}) {
  const lines: object[] = [];
  const ignore = () => undefined;
  const log = { debug: ignore, info: ignore, warn: (fields: object) => lines.push(fields), error: ignore };
  const { gateway, port } = await listen({ limits: { ...PATIENT, ...limits }, log, ...options });
  const { server } = gateway;
  let peer = '127.0.0.1';
  const accepted: Socket[] = [];
  server.prependListener('connection', (socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: peer });
    accepted.push(socket);
  });

  /** Opens a connection from the address, and returns both of its ends. */
  async function open(from: string): Promise<{ socket: Socket; end: Socket | undefined }> {
    peer = from;
    const arrived = once(server, 'connection');
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    afterwards(async () => socket.destroy());
    await arrived;
    return { socket, end: accepted.at(-1) };
  }

  /** Opens more connections from the address. Returns whether each stays open. */
  async function admitted(from: string, count: number): Promise<boolean[]> {
    const found: boolean[] = [];
    for (let number = 0; number < count; number++) found.push((await open(from)).end?.destroyed === false);
    return found;
  }

  return { gateway, open, admitted, lines, port };
}

describe('connections', () => {
  it('leave room for other addresses, even with a low total limit', async () => {
    const { open, admitted } = await start({ limits: { connectionsMax: 20 } });
    expect(await admitted('203.0.113.1', 4)).toEqual([true, true, false, false]);
    const { socket } = await open('203.0.113.2');
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('make room when they end', async () => {
    const { open, admitted } = await start({ limits: { connectionsPerAddress: 1 } });
    const { end } = await open('203.0.113.1');
    expect(await admitted('203.0.113.1', 1)).toEqual([false]);
    const closed = once(end as Socket, 'close');
    end?.destroy();
    await closed;
    expect(await admitted('203.0.113.1', 2)).toEqual([true, false]);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3'])(
    'from loopback and trusted proxies represent many clients: %s',
    async (address) => {
      const { admitted } = await start({
        network: { trustProxy: ['10.0.0.0/8'] },
        limits: { connectionsPerAddress: 1 },
      });
      expect(await admitted(address, 3)).toEqual([true, true, true]);
    },
  );

  it('from an IPv6 network count together', async () => {
    const { admitted } = await start({ limits: { connectionsPerAddress: 1 } });
    expect(await admitted('2001:db8::1', 1)).toEqual([true]);
    expect(await admitted('2001:db8::2', 1)).toEqual([false]);
    expect(await admitted('2001:db8:0:1::1', 1)).toEqual([true]);
  });

  it('are counted when refused, and logged once per address', async () => {
    const { gateway, admitted, lines } = await start({ limits: { connectionsPerAddress: 1 } });
    await admitted('203.0.113.1', 3);
    await admitted('203.0.113.2', 2);
    const { body } = await inject(gateway, { url: '/metrics' });
    expect(body).toContain('gateway_connections_refused_total{limit="CONNECTIONS_PER_ADDRESS"} 3');
    expect(lines).toEqual([
      { address: '203.0.113.1', connections: 1 },
      { address: '203.0.113.2', connections: 1 },
    ]);
  });
});

interface Ended {
  /** 0 when the connection ended without a response. */
  readonly status: number;
  readonly type: string | undefined;
  readonly requestId: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: problems have members of their own.
  readonly problem: any;
}

const LIMIT_MS = 100;
const TRICKLE_MS = 5;

async function listen(options: TestGatewayOptions = {}) {
  const test = await startTestGateway({ clock: systemClock, closeMsMax: 0, ...options });
  await test.gateway.listen({ port: 0, host: '127.0.0.1' });
  return { ...test, port: (test.gateway.server.address() as AddressInfo).port };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  afterwards(async () => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Reads until the gateway ends the connection. */
async function end(socket: Socket): Promise<Ended> {
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  // Bytes in transit at the end.
  socket.on('error', () => undefined);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return {
    status: Number(head.match(/^HTTP\/1\.1 (\d{3}) /)?.[1] ?? 0),
    type: head.match(/^content-type: (.*)$/im)?.[1],
    requestId: head.match(/^x-request-id: (.*)$/im)?.[1],
    problem: body === '' ? undefined : JSON.parse(body),
  };
}

/** Sends the lines of a head, and a body, and reads the response. */
async function send(port: number, head: readonly string[], body = ''): Promise<Ended> {
  const socket = await open(port);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return end(socket);
}

/** Keeps sending a little at a time, so that the connection is never idle. */
function trickle(socket: Socket, text: string): Socket {
  const timer = setInterval(() => socket.write(text), TRICKLE_MS);
  socket.on('close', () => clearInterval(timer));
  return socket;
}

/** Retries if a byte sent after the end has reset the connection, which discards the unread response. */
async function endOfTrickle(attempt: () => Promise<Ended>): Promise<Ended> {
  for (let left = 10; ; left -= 1) {
    const ended = await attempt();
    if (ended.status !== 0 || left === 0) return ended;
  }
}

function expectProblem(ended: Ended, status: number, name: string): void {
  expect(ended).toMatchObject({ status, type: 'application/problem+json; charset=utf-8' });
  expect(ended.problem).toMatchObject({ type: problemType(name), status, request_id: ended.requestId });
}

const CLOSE = 'Connection: close';
const JSON_BODY = ['Content-Type: application/json', 'Content-Length: 2'];
const TOO_LARGE = `must be at most ${maxHeaderSize} bytes in all`;
const violation = (message: string, pointer = '') => ({ violations: [{ in: 'header', pointer, message }] });
const health = (...headers: string[]) => ['GET /health/live HTTP/1.1', 'Host: a', ...headers];

type Refused = [what: string, head: string[], body: string, status: number, name: string, told: object];
const unreadable = (what: string, head: string[], message: string, pointer?: string): Refused => {
  return [what, head, '', 400, 'validation-failed', violation(message, pointer)];
};

it.each<Refused>([
  ...['PROPFIND', 'TRACE', 'PURGE', 'LINK', 'M-SEARCH', 'OPTIONS'].map((method): Refused => {
    const told = { detail: `Route not found: ${method} /payments.` };
    return [method, [`${method} /payments HTTP/1.1`, 'Host: a', CLOSE], '', 404, 'not-found', told];
  }),
  ['QUERY with JSON', ['QUERY /payments HTTP/1.1', 'Host: a', CLOSE, ...JSON_BODY], '{}', 404, 'not-found', {}],
  ['QUERY without a type', ['QUERY /payments HTTP/1.1', 'Host: a', CLOSE], '', 415, 'unsupported-media-type', {}],
  unreadable('FETCH', ['FETCH /payments HTTP/1.1', 'Host: a'], 'is not valid HTTP/1.1'),
  unreadable('no host', ['GET /health/live HTTP/1.1', CLOSE], 'is missing', '/host'),
  unreadable('a large header', health(`Cookie: ${'a'.repeat(maxHeaderSize)}`), TOO_LARGE),
  unreadable('many headers', health(...Array.from({ length: maxHeaderSize / 8 }, (_, n) => `a${n}: b`)), TOO_LARGE),
  unreadable('a large path', [`GET /${'a'.repeat(maxHeaderSize)} HTTP/1.1`, 'Host: a'], TOO_LARGE),
])('a request over a socket gets a problem for %s', async (_what, head, body, status, name, told) => {
  const { port } = await listen();
  const answer = await send(port, head, body);
  expectProblem(answer, status, name);
  expect(answer.problem).toMatchObject(told);
});

describe('an incomplete request', () => {
  const LATE = [{ in: 'header', pointer: '', message: 'did not arrive in time' }];
  const HEADERS_LATE = { ...PATIENT, headerTimeoutMs: LIMIT_MS };
  const BODY_LATE = { headerTimeoutMs: LIMIT_MS, requestTimeoutMs: LIMIT_MS };

  it.each([
    ['nothing', ''],
    ['half a line', 'GET /hea'],
    ['some headers', 'GET /health/live HTTP/1.1\r\nHost: a\r\n'],
  ])('is ended after the header timeout if the client has sent %s', async (_what, text) => {
    const { port } = await listen({ limits: HEADERS_LATE });
    const socket = await open(port);
    socket.write(text);
    const answer = await end(socket);
    expectProblem(answer, 400, 'validation-failed');
    expect(answer.problem.violations).toEqual(LATE);
  });

  it('is ended while headers trickle in', async () => {
    const { port } = await listen({ limits: HEADERS_LATE });
    const answer = await endOfTrickle(async () => {
      const socket = await open(port);
      socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n');
      return end(trickle(socket, 'a: b\r\n'));
    });
    expect(answer.problem.violations).toEqual(LATE);
  });

  it('is ended after the request timeout while a body trickles in', async () => {
    const { port, key } = await listen({ limits: BODY_LATE });
    const headers = [
      'Host: a',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      'Content-Length: 60000',
    ];
    const answer = await endOfTrickle(async () => {
      const socket = await open(port);
      socket.write(`${['POST /payments HTTP/1.1', ...headers].join('\r\n')}\r\n\r\n`);
      return end(trickle(socket, ' '));
    });
    expect(answer.problem.violations).toEqual(LATE);
  });
});

it.each([
  ['headers', ['GET /health/live HTTP/1.1', 'Host: a', '']],
  ['a body', ['POST /payments HTTP/1.1', 'Host: a', 'KEY', 'Content-Length: 9', '', '{']],
])('the end of the gateway does not wait for the rest of %s', async (_what, lines) => {
  const { gateway, port, key } = await listen({ limits: PATIENT, closeMsMax: LIMIT_MS });
  const connection = once(gateway.server, 'connection');
  const socket = await open(port);
  const [accepted] = (await connection) as [Socket];
  const text = lines.join('\r\n').replace('KEY', `Authorization: Bearer ${key}\r\nContent-Type: application/json`);
  socket.write(text);
  // A connection without any data is idle and would be closed immediately.
  while (accepted.bytesRead < text.length) await setImmediate();
  const ended = end(socket);
  await gateway.close();
  expect(await ended).toMatchObject({ status: 0 });
});

const PUBLIC = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';

function creation(body = JSON.stringify(paymentRequest())): string {
  const headers = ['Host: a', 'KEY', 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return `${['POST /payments HTTP/1.1', ...headers].join('\r\n')}\r\n\r\n${body}`;
}

/** Starts a gateway, and a function that sends bytes in one packet. */
async function startSending(options: TestGatewayOptions = {}) {
  const test = await listen(options);
  const send = async (bytes: string) => {
    const socket = await open(test.port);
    socket.on('error', () => undefined);
    socket.write(insertKey(test.key, bytes));
    return socket;
  };
  return { ...test, send };
}

/** The statuses of all responses until the gateway ends the connection. */
async function readStatuses(socket: Socket): Promise<number[]> {
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

describe('requests in one packet', () => {
  it('are served one at a time', async () => {
    const { gateway, send } = await startSending();
    let inFlight = 0;
    let most = 0;
    gateway.routes.get('/slow', async (c) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await setImmediate();
      inFlight -= 1;
      return c.text('');
    });
    const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';
    const last = slow.replace('Host', 'Connection: close\r\nHost');
    expect(await readStatuses(await send(slow.repeat(50) + last))).toEqual(Array(51).fill(200));
    expect(most).toBe(1);
  });

  it('end the connection beyond a limit', async () => {
    const { gateway, send, call } = await startSending();
    const served: unknown[] = [];
    gateway.server.prependListener('request', (_incoming, outgoing) => outgoing.on('finish', () => served.push(1)));
    // The maximum of one socket read.
    const socket = await send(PUBLIC.repeat(1_600));
    await once(socket, 'close');
    expect(served.length).toBeLessThanOrEqual(1);
    const { text } = await call('GET', '/metrics');
    expect(text).toContain('gateway_connections_refused_total{limit="PIPELINED_MAX"} 1');
  });
});

describe('a complete request', () => {
  it('gets its response before the refusal of garbage after it', async () => {
    const { send, call } = await startSending();
    const body = paymentRequest();
    const socket = await send(`${creation(JSON.stringify(body))}garbage\r\n\r\n`);
    expect(await readStatuses(socket)).toEqual([200, 400]);
    expect((await call('GET', `/payments?merchant_order_id=${body.merchant_order_id}`)).status).toBe(200);
  });

  it('gets its response even if the client has ended its side', async () => {
    const { gateway, send } = await startSending();
    const accepted: Socket[] = [];
    gateway.server.on('connection', (socket) => accepted.push(socket));
    const socket = await send(creation());
    socket.end();
    expect(await readStatuses(socket)).toEqual([200]);
    while (accepted[0]?.destroyed === false) await setImmediate();
  });
});

describe('a hostile request', () => {
  let send: (bytes: string) => Promise<Socket>;
  beforeAll(async () => {
    ({ send } = await startSending({ sandbox: true }));
  });

  it.each([...BODY_LENGTHS, ...HEADS])('is read strictly: %s', async (_what, statuses, bytes) => {
    expect(await readStatuses(await send(bytes))).toEqual(statuses);
  });

  it.each(TARGETS)('has its target decoded once: %s', async (target, status) => {
    expect(await readStatuses(await send(get(target)))).toEqual([status]);
  });
});
