/** Requests that could be read in two ways, or not at all, over a bare socket. Each row has the statuses of all responses that come. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { afterwards, startTestGateway } from '../harness.ts';

let port: number;
let key: string;

beforeAll(async () => {
  const test = await startTestGateway({ sandbox: true, closeMsMax: 0 });
  await test.gateway.listen({ port: 0 });
  port = (test.gateway.server.address() as AddressInfo).port;
  key = test.key;
});

const END = 'Connection: close';
const JSON_BODY = 'Content-Type: application/json';
/** A second request, which must not come out of the body of the first. */
const NEXT = `GET /nothing HTTP/1.1\r\nHost: localhost\r\n${END}\r\n\r\n`;

/** Sends bytes, and returns the statuses of the responses until the gateway ends the connection. */
async function statusesOf(bytes: string): Promise<number[]> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  afterwards(async () => socket.destroy());
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(bytes.replaceAll('KEY', `Authorization: Bearer ${key}`), 'latin1');
  await once(socket, 'close');
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
const get = (path: string, ...headers: string[]) => head(`GET ${path}`, 'KEY', END, ...headers);
const post = (body: string, ...headers: string[]) => head('POST /payments', 'KEY', JSON_BODY, ...headers) + body;

describe('the length of a body', () => {
  const CHUNKS = '2\r\n{}\r\n0\r\n\r\n';
  it.each([
    ['two lengths that differ', [400], post('{}', 'Content-Length: 2', 'Content-Length: 3')],
    ['two lengths that agree', [400], post('{}', 'Content-Length: 2', 'Content-Length: 2')],
    ['a length and chunks', [400], post(CHUNKS, 'Content-Length: 2', 'Transfer-Encoding: chunked')],
    ['a sign', [400], post('{}', 'Content-Length: +2')],
    ['a negative length', [400], post('{}', 'Content-Length: -1')],
    ['a space before the colon', [400], post(CHUNKS, 'Transfer-Encoding : chunked')],
    ['chunked, but not last', [400], post('{}', 'Transfer-Encoding: chunked, identity')],
    ['a chunk without a size', [400], post('zz\r\n{}\r\n', 'Transfer-Encoding: chunked')],
    ['more than is allowed', [413], post('{}', 'Content-Length: 70000')],
    [
      'more than is allowed, in chunks',
      [413],
      post(`15f90\r\n${' '.repeat(90_000)}\r\n`, 'Transfer-Encoding: chunked'),
    ],
    ['chunks, and the next request', [400, 404], post(CHUNKS, 'Transfer-Encoding: chunked') + NEXT],
    ['a length, and the next request', [400, 404], post('{}', 'Content-Length: 2') + NEXT],
    ['a body that nobody reads, and the next', [401, 404], `${head('POST /payments', 'Content-Length: 2')}{}${NEXT}`],
    [
      'a body of a GET, and the next',
      [200, 404],
      `${head('GET /merchant/balance', 'KEY', 'Content-Length: 2')}{}${NEXT}`,
    ],
    ['an expectation to continue', [100, 400], post('{}', 'Content-Length: 2', 'Expect: 100-continue', END)],
    ['an expectation that nobody knows', [400], post('{}', 'Content-Length: 2', 'Expect: nonsense', END)],
  ])('is unambiguous: %s', async (_what, statuses, bytes) => {
    expect(await statusesOf(bytes)).toEqual(statuses);
  });
});

describe('the head', () => {
  it.each([
    ['a line feed alone', [400], 'GET /health/live HTTP/1.1\nHost: localhost\n\n'],
    ['a header over two lines', [400], get('/health/live', 'A: b\r\n c')],
    ['a NUL', [400], get('/health/live', 'A: b\0c')],
    ['a space in the path', [400], head('GET /health /live', END)],
    ['another protocol', [400], 'GET /health/live ABCD/1.1\r\nHost: localhost\r\n\r\n'],
    ['no host', [400], `GET /health/live HTTP/1.1\r\n${END}\r\n\r\n`],
    ['an empty host', [200], `GET /merchant/balance HTTP/1.1\r\nHost:\r\nKEY\r\n${END}\r\n\r\n`],
    ['another host', [421], `GET /merchant/balance HTTP/1.1\r\nHost: evil\r\nKEY\r\n${END}\r\n\r\n`],
    ['an upgrade', [200], get('/health/live', 'Upgrade: websocket')],
    ['two requests at once', [200, 404], head('GET /health/live') + NEXT],
    ['two keys, of which the first counts', [200], get('/merchant/balance', 'Authorization: Bearer other')],
  ])('is strict: %s', async (_what, statuses, bytes) => {
    expect(await statusesOf(bytes)).toEqual(statuses);
  });
});

describe('the target', () => {
  it.each([
    ['/merchant/balance', 200],
    ['/merchant/b%61lance', 200],
    ['/merchant%2Fbalance', 404],
    ['/MERCHANT/balance', 404],
    ['/merchant/balance/', 404],
    ['//merchant/balance', 404],
    ['/merchant/../merchant/balance', 404],
    ['http://other.example/merchant/balance', 200],
    ['http://other.example', 404],
    ['*', 404],
    ['/payments/', 400],
    ['/payments/%', 400],
    ['/payments/%zz', 400],
    ['/payments/%ff', 400],
    ['/payments/%00', 400],
    ['/payments/a%2Fb', 404],
    ['/payments/%2561', 404],
    ['/payments/a;b', 404],
    [`/payments/${'x'.repeat(255)}`, 404],
    [`/payments/${'x'.repeat(256)}`, 400],
    [`/payments/${'x'.repeat(1_025)}`, 404],
    ['/payments?merchant_order_id=%zz', 404],
    ['/payments?merchant_order_id=a&merchant_order_id=b', 400],
    ['/payments?__proto__=1', 400],
    ['/payments/__proto__', 404],
    ['/constructor', 404],
  ])('is read once: %s', async (path, status) => {
    expect(await statusesOf(get(path))).toEqual([status]);
  });
});
