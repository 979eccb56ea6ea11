/** Requests over raw sockets: connection limits, malformed and late requests, pipelining. */
import { once } from 'node:events';
import { maxHeaderSize } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../gateway/src/platform/clock.ts';
import { problemType } from '../../tools/problems.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { afterwards, inject, startTestGateway, type TestGatewayOptions } from '../harness.ts';

/** Longer than any test. */
const PATIENT = { headerTimeoutMs: 600_000, requestTimeoutMs: 600_000 };
const LIMIT_MS = 100;
const TRICKLE_MS = 5;

interface Response {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The bytes of a merchant's request. */
function insertKey(key: string, bytes: string): Buffer {
  return Buffer.from(bytes.replaceAll('KEY', `Authorization: Bearer ${key}`), 'latin1');
}

/** Starts a gateway that listens, and a function that connects and sends bytes in one packet. */
async function listen(options: TestGatewayOptions = {}) {
  const test = await startTestGateway({ clock: systemClock, closeMsMax: 0, ...options });
  await test.gateway.listen({ port: 0, host: '127.0.0.1' });
  const { port } = test.gateway.server.address() as AddressInfo;
  const send = async (bytes: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    // Bytes in transit at the end.
    socket.on('error', () => undefined);
    afterwards(async () => socket.destroy());
    await once(socket, 'connect');
    socket.write(insertKey(test.key, bytes));
    return socket;
  };
  return { ...test, send };
}

/** Reads all responses until the gateway ends the connection. */
async function readResponses(socket: Socket): Promise<Response[]> {
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((response) => response !== '')
    .map((response) => {
      const [head = '', body = ''] = response.split('\r\n\r\n');
      return { status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)), head, body };
    });
}

async function readStatuses(socket: Socket): Promise<number[]> {
  return (await readResponses(socket)).map(({ status }) => status);
}

/** Reads one response, which must be a problem, and returns the problem. */
async function readProblem(socket: Socket, status: number, name: string) {
  const [response, ...others] = await readResponses(socket);
  expect([response?.status, others]).toEqual([status, []]);
  const { head = '', body = '' } = response ?? {};
  expect(head).toMatch(/^content-type: application\/problem\+json; charset=utf-8$/im);
  const problem = JSON.parse(body);
  const requestId = head.match(/^x-request-id: (.*)$/im)?.[1];
  expect(problem).toMatchObject({ type: problemType(name), status, request_id: requestId });
  return problem;
}

describe('connections', () => {
  /** A gateway that sees each connection at the address given when it opens. */
  async function start({ limits, ...options }: TestGatewayOptions) {
    const { log, lines } = recordingLog();
    const { gateway, send } = await listen({ limits: { ...PATIENT, ...limits }, log, ...options });
    const accepted: Socket[] = [];
    let peer = '';
    gateway.server.prependListener('connection', (socket) => {
      Object.defineProperty(socket, 'remoteAddress', { value: peer });
      accepted.push(socket);
    });

    /** Opens a connection from the address, and returns both of its ends. */
    async function open(from: string) {
      peer = from;
      const arrived = once(gateway.server, 'connection');
      const socket = await send('');
      await arrived;
      return { socket, end: accepted.at(-1) as Socket };
    }

    /** Opens more connections from the address. Returns whether each stays open. */
    async function admitted(from: string, count: number): Promise<boolean[]> {
      const found: boolean[] = [];
      for (let number = 0; number < count; number++) found.push(!(await open(from)).end.destroyed);
      return found;
    }

    return { gateway, open, admitted, lines };
  }

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
    const closed = once(end, 'close');
    end.destroy();
    await closed;
    expect(await admitted('203.0.113.1', 2)).toEqual([true, false]);
  });

  it('from loopback and trusted proxies represent many clients', async () => {
    const { admitted } = await start({
      network: { trustProxy: ['10.0.0.0/8'] },
      limits: { connectionsPerAddress: 1 },
    });
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3'])
      expect(await admitted(address, 2), address).toEqual([true, true]);
  });

  it('count together for an IPv6 network, and are counted when refused, and logged once per network', async () => {
    const { gateway, admitted, lines } = await start({ limits: { connectionsPerAddress: 1 } });
    expect(await admitted('203.0.113.1', 3)).toEqual([true, false, false]);
    expect(await admitted('2001:db8::1', 1)).toEqual([true]);
    expect(await admitted('2001:db8::2', 1)).toEqual([false]);
    expect(await admitted('2001:db8:0:1::1', 1)).toEqual([true]);
    const { body } = await inject(gateway, { url: '/metrics' });
    expect(body).toContain('gateway_connections_refused_total{limit="CONNECTIONS_PER_ADDRESS"} 3');
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { address: '203.0.113.1', connections: 1 },
      { address: '2001:db8::/64', connections: 1 },
    ]);
  });
});

const END = 'Connection: close';
const JSON_BODY = 'Content-Type: application/json';
/** A second request, hidden in the body of the first. */
const NEXT = `GET /nothing HTTP/1.1\r\nHost: localhost\r\n${END}\r\n\r\n`;

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
/** A merchant's GET, the last request of its connection. */
const get = (path: string, ...headers: string[]) => head(`GET ${path}`, 'KEY', END, ...headers);
const post = (body: string, ...headers: string[]) => head('POST /payments', 'KEY', JSON_BODY, ...headers) + body;

const unreadable = (message: string, pointer = '') => ({ violations: [{ in: 'header', pointer, message }] });
const TOO_LARGE = unreadable(`must be at most ${maxHeaderSize} bytes in all`);

it.each<[what: string, bytes: string, status: number, name: string, told: object]>([
  ...['PROPFIND', 'TRACE', 'OPTIONS'].map((method): [string, string, number, string, object] => {
    const told = { detail: `Route not found: ${method} /payments.` };
    return [method, head(`${method} /payments`, END), 404, 'not-found', told];
  }),
  ['QUERY without a type', head('QUERY /payments', END), 415, 'unsupported-media-type', {}],
  ['FETCH', head('FETCH /payments'), 400, 'validation-failed', unreadable('is not valid HTTP/1.1')],
  ['no host', `GET / HTTP/1.1\r\n${END}\r\n\r\n`, 400, 'validation-failed', unreadable('is missing', '/host')],
  ['a large header', head('GET /', `Cookie: ${'a'.repeat(maxHeaderSize)}`), 400, 'validation-failed', TOO_LARGE],
  ['a large path', head(`GET /${'a'.repeat(maxHeaderSize)}`), 400, 'validation-failed', TOO_LARGE],
])('a request over a socket gets a problem for %s', async (_what, bytes, status, name, told) => {
  const { send } = await listen();
  expect(await readProblem(await send(bytes), status, name)).toMatchObject(told);
});

const CREATION = 'POST /payments HTTP/1.1\r\nHost: a\r\nKEY\r\nContent-Type: application/json\r\n';

describe('an incomplete request', () => {
  const HEADERS_LATE = { ...PATIENT, headerTimeoutMs: LIMIT_MS };
  const BODY_LATE = { headerTimeoutMs: LIMIT_MS, requestTimeoutMs: LIMIT_MS };

  it.each([
    ['nothing', '', '', HEADERS_LATE],
    ['half a line', 'GET /hea', '', HEADERS_LATE],
    ['headers that trickle in', 'GET /health/live HTTP/1.1\r\nHost: a\r\n', 'a: b\r\n', HEADERS_LATE],
    ['a body that trickles in', `${CREATION}Content-Length: 60000\r\n\r\n`, ' ', BODY_LATE],
  ])('is ended after its timeout if the client has sent %s', async (_what, text, trickle, limits) => {
    const { send } = await listen({ limits });
    for (let left = 10; ; left -= 1) {
      const socket = await send(text);
      // The connection is never idle.
      const timer = setInterval(() => socket.write(trickle), TRICKLE_MS);
      socket.on('close', () => clearInterval(timer));
      const [response] = await readResponses(socket);
      // A byte sent after the end may reset the connection, which discards the unread response.
      if (response === undefined && left > 0) continue;
      expect(response?.status).toBe(400);
      const violations = [{ in: 'header', pointer: '', message: 'did not arrive in time' }];
      expect(JSON.parse(response?.body ?? '')).toMatchObject({ type: problemType('validation-failed'), violations });
      return;
    }
  });

  it.each([
    ['headers', 'GET /health/live HTTP/1.1\r\nHost: a\r\n'],
    ['a body', `${CREATION}Content-Length: 9\r\n\r\n{`],
  ])('does not delay the end of the gateway with the rest of %s', async (_what, text) => {
    const { gateway, key, send } = await listen({ limits: PATIENT, closeMsMax: LIMIT_MS });
    const connection = once(gateway.server, 'connection');
    const socket = await send(text);
    const [accepted] = (await connection) as [Socket];
    // A connection without any data is idle and would be closed immediately.
    while (accepted.bytesRead < insertKey(key, text).length) await setImmediate();
    const responses = readResponses(socket);
    await gateway.close();
    expect(await responses).toEqual([]);
  });
});

function creation(body = JSON.stringify(paymentRequest())): string {
  return `${CREATION}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe('requests in one packet', () => {
  it('are served one at a time', async () => {
    const { gateway, send } = await listen();
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
    const { gateway, send, call } = await listen();
    const served: unknown[] = [];
    gateway.server.prependListener('request', (_incoming, outgoing) => outgoing.on('finish', () => served.push(1)));
    // The maximum of one socket read.
    const socket = await send('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_600));
    await once(socket, 'close');
    expect(served.length).toBeLessThanOrEqual(1);
    const { text } = await call('GET', '/metrics');
    expect(text).toContain('gateway_connections_refused_total{limit="PIPELINED_MAX"} 1');
  });
});

describe('a complete request', () => {
  it('gets its response before the refusal of garbage after it', async () => {
    const { send, call } = await listen();
    const body = paymentRequest();
    const socket = await send(`${creation(JSON.stringify(body))}garbage\r\n\r\n`);
    expect(await readStatuses(socket)).toEqual([200, 400]);
    expect((await call('GET', `/payments?merchant_order_id=${body.merchant_order_id}`)).status).toBe(200);
  });

  it('gets its response even if the client has ended its side', async () => {
    const { gateway, send } = await listen();
    const accepted: Socket[] = [];
    gateway.server.on('connection', (socket) => accepted.push(socket));
    const socket = await send(creation());
    socket.end();
    expect(await readStatuses(socket)).toEqual([200]);
    while (accepted[0]?.destroyed === false) await setImmediate();
  });
});

/** `KEY` in the bytes is replaced by the credentials. The statuses are of all responses until the connection ends. */
type HostileRequest = readonly [what: string, statuses: readonly number[], bytes: string];

const CHUNKS = '2\r\n{}\r\n0\r\n\r\n';

/** Bodies with a clear or ambiguous length. Node's parser refuses all but a few. */
const BODY_LENGTHS: readonly HostileRequest[] = [
  ['a length and chunks', [400], post(CHUNKS, 'Content-Length: 2', 'Transfer-Encoding: chunked')],
  ['a chunk without a size', [400], post('zz\r\n{}\r\n', 'Transfer-Encoding: chunked')],
  ['a header that ends with LF', [400], post(CHUNKS, 'A: b\nTransfer-Encoding: chunked') + NEXT],
  ['codings before chunked, and the next request', [400], post(CHUNKS, 'Transfer-Encoding: gzip, chunked') + NEXT],
  [
    'chunks in HTTP/1.0',
    [400],
    post(CHUNKS, 'Transfer-Encoding: chunked', 'Connection: keep-alive').replace('HTTP/1.1', 'HTTP/1.0') + NEXT,
  ],
  ['more than is allowed', [413], post('{}', 'Content-Length: 70000')],
  ['more than is allowed, in chunks', [413], post(`15f90\r\n${' '.repeat(90_000)}\r\n`, 'Transfer-Encoding: chunked')],
  ['chunks, and the next request', [400, 404], post(CHUNKS, 'Transfer-Encoding: chunked') + NEXT],
  ['a length, and the next request', [400, 404], post('{}', 'Content-Length: 2') + NEXT],
  ['an unread body, and the next request', [401, 404], `${head('POST /payments', 'Content-Length: 2')}{}${NEXT}`],
  [
    'a body of a GET, and the next',
    [200, 404],
    `${head('GET /merchant/balance', 'KEY', 'Content-Length: 2')}{}${NEXT}`,
  ],
  ['an expectation to continue', [100, 400], post('{}', 'Content-Length: 2', 'Expect: 100-continue', END)],
];

const HEADS: readonly HostileRequest[] = [
  ['an empty host', [200], `GET /merchant/balance HTTP/1.1\r\nHost:\r\nKEY\r\n${END}\r\n\r\n`],
  ['another host', [421], `GET /merchant/balance HTTP/1.1\r\nHost: evil\r\nKEY\r\n${END}\r\n\r\n`],
  ['two hosts', [400], `GET /merchant/balance HTTP/1.1\r\nHost: localhost\r\nhost: evil\r\nKEY\r\n${END}\r\n\r\n`],
  ['an upgrade', [200], get('/health/live', 'Upgrade: websocket')],
  ['two requests at once', [200, 404], head('GET /health/live') + NEXT],
  ['two keys', [400], get('/merchant/balance', 'Authorization: Bearer other')],
  ['a tunnel', [], 'CONNECT other.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
];

/** Targets of a GET, and the status of its response. */
const TARGETS: readonly (readonly [target: string, status: number])[] = [
  ['/merchant/b%61lance', 400],
  ['/management/payments/..%2F..%2Fmerchants', 400],
  ['/MERCHANT/balance', 404],
  ['//merchant/balance', 404],
  ['/merchant/../merchant/balance', 400],
  ['/merchant\\balance', 400],
  ['http://other.example/merchant/balance', 200],
  ['http://other.example', 404],
  ['*', 400],
  ['/payments/%zz', 400],
  ['/payments/%00', 400],
  ['/payments/%2561', 404],
  [`/payments/${'x'.repeat(255)}`, 404],
  [`/payments/${'x'.repeat(256)}`, 400],
  ['/payments/__proto__', 404],
  ['/\u00e9', 400],
  ['/payments/%2e%2e/payouts', 400],
  ['/payments#a', 400],
  ['/payments?&&&', 400],
  ['/payments?merchant_order_id[]=a', 400],
];

describe('a hostile request', () => {
  let send: (bytes: string) => Promise<Socket>;
  beforeAll(async () => {
    ({ send } = await listen({ sandbox: true }));
  });

  it.each<HostileRequest>([
    ...BODY_LENGTHS,
    ...HEADS,
    ...TARGETS.map(([target, status]): HostileRequest => [`the target ${target}`, [status], get(target)]),
  ])('is read strictly: %s', async (_what, statuses, bytes) => {
    expect(await readStatuses(await send(bytes))).toEqual(statuses);
  });
});
