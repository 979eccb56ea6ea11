/** Requests over a raw socket: unusual methods, and incomplete, oversized or slow heads. */
import { once } from 'node:events';
import { maxHeaderSize } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../gateway/src/platform/clock.ts';
import { problemType } from '../../tools/problems.ts';
import { afterwards, startTestGateway, type TestGatewayOptions } from '../harness.ts';

interface Ended {
  /** 0 when the connection ended without a response. */
  readonly status: number;
  readonly type: string | undefined;
  readonly requestId: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: problems have members of their own.
  readonly problem: any;
}

/** Limits longer than any test. */
const PATIENT = { headerTimeoutMs: 600_000, requestTimeoutMs: 600_000 };
const LIMIT_MS = 100;
const TRICKLE_MS = 5;

async function listen(options: TestGatewayOptions = {}) {
  const { gateway, key } = await startTestGateway({ clock: systemClock, closeMsMax: 0, ...options });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  return { gateway, key, port: (gateway.server.address() as AddressInfo).port };
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

describe('an unsupported method', () => {
  it.each(['PROPFIND', 'TRACE', 'PURGE', 'LINK', 'M-SEARCH', 'OPTIONS'])('is not found: %s', async (method) => {
    const { port, key } = await listen();
    const headers = ['Host: a', `Authorization: Bearer ${key}`, 'Connection: close'];
    const answer = await send(port, [`${method} /payments HTTP/1.1`, ...headers]);
    expectProblem(answer, 404, 'not-found');
    expect(answer.problem.detail).toBe(`Route not found: ${method} /payments.`);
  });

  it.each([
    ['JSON', ['Content-Type: application/json', 'Content-Length: 2'], '{}', 404, 'not-found'],
    ['another media type', ['Content-Type: text/plain', 'Content-Length: 2'], '{}', 404, 'not-found'],
    ['nothing', [], '', 415, 'unsupported-media-type'],
  ])('is refused with a body: QUERY with %s', async (_what, headers, body, status, name) => {
    const { port } = await listen();
    const head = ['QUERY /payments HTTP/1.1', 'Host: a', 'Connection: close', ...headers];
    expectProblem(await send(port, head, body), status, name);
  });

  it('is not HTTP if it is unknown', async () => {
    const { port } = await listen();
    const answer = await send(port, ['FETCH /payments HTTP/1.1', 'Host: a']);
    expectProblem(answer, 400, 'validation-failed');
    expect(answer.problem.violations).toEqual([{ in: 'header', pointer: '', message: 'is not valid HTTP/1.1' }]);
  });

  it('opens no tunnel: CONNECT ends the connection', async () => {
    const { port } = await listen();
    expect(await send(port, ['CONNECT other.example:443 HTTP/1.1', 'Host: a'])).toMatchObject({ status: 0 });
  });
});

describe('the head of a request', () => {
  it('names a host, in HTTP/1.1', async () => {
    const { port } = await listen();
    const answer = await send(port, ['GET /health/live HTTP/1.1', 'Connection: close']);
    expectProblem(answer, 400, 'validation-failed');
    expect(answer.problem.violations).toEqual([{ in: 'header', pointer: '/host', message: 'is missing' }]);
    expect(await send(port, ['GET /health/live HTTP/1.0'])).toMatchObject({ status: 200 });
  });

  it.each([
    ['one header', '/health/live', [`Cookie: ${'a'.repeat(maxHeaderSize)}`]],
    ['many headers', '/health/live', Array.from({ length: maxHeaderSize / 8 }, (_, index) => `a${index}: b`)],
    ['the path', `/${'a'.repeat(maxHeaderSize)}`, []],
  ])('is refused when it is too large: %s', async (_what, path, headers) => {
    const { port } = await listen();
    const answer = await send(port, [`GET ${path} HTTP/1.1`, 'Host: a', ...headers]);
    expectProblem(answer, 400, 'validation-failed');
    const message = `must be at most ${maxHeaderSize} bytes in all`;
    expect(answer.problem.violations).toEqual([{ in: 'header', pointer: '', message }]);
  });
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

describe('the end of the gateway', () => {
  it.each([
    ['headers', ['GET /health/live HTTP/1.1', 'Host: a', '']],
    ['a body', ['POST /payments HTTP/1.1', 'Host: a', 'KEY', 'Content-Length: 9', '', '{']],
  ])('does not wait for the rest of %s', async (_what, lines) => {
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
});
