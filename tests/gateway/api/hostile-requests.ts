/** Ambiguous or invalid requests, for tests over a bare socket. */

/**
 * Statuses of all responses until the connection ends. `KEY` in the bytes is replaced by the credentials.
 */
export type HostileRequest = readonly [what: string, statuses: readonly number[], bytes: string];

const END = 'Connection: close';
const JSON_BODY = 'Content-Type: application/json';
/** A second request, hidden in the body of the first. */
const NEXT = `GET /nothing HTTP/1.1\r\nHost: localhost\r\n${END}\r\n\r\n`;

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
/** A merchant's GET, the last request of its connection. */
export const get = (path: string, ...headers: string[]) => head(`GET ${path}`, 'KEY', END, ...headers);
const post = (body: string, ...headers: string[]) => head('POST /payments', 'KEY', JSON_BODY, ...headers) + body;

/** The bytes of a merchant's request. */
export function insertKey(key: string, bytes: string): Buffer {
  return Buffer.from(bytes.replaceAll('KEY', `Authorization: Bearer ${key}`), 'latin1');
}

const CHUNKS = '2\r\n{}\r\n0\r\n\r\n';

/** Bodies with a clear or ambiguous length. Node's parser refuses all but a few. */
export const BODY_LENGTHS: readonly HostileRequest[] = [
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

export const HEADS: readonly HostileRequest[] = [
  ['an empty host', [200], `GET /merchant/balance HTTP/1.1\r\nHost:\r\nKEY\r\n${END}\r\n\r\n`],
  ['another host', [421], `GET /merchant/balance HTTP/1.1\r\nHost: evil\r\nKEY\r\n${END}\r\n\r\n`],
  ['two hosts', [400], `GET /merchant/balance HTTP/1.1\r\nHost: localhost\r\nhost: evil\r\nKEY\r\n${END}\r\n\r\n`],
  ['an upgrade', [200], get('/health/live', 'Upgrade: websocket')],
  ['two requests at once', [200, 404], head('GET /health/live') + NEXT],
  ['two keys', [400], get('/merchant/balance', 'Authorization: Bearer other')],
  ['a tunnel', [], 'CONNECT other.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
];

/** Targets of a GET, and the status of its response. */
export const TARGETS: readonly (readonly [target: string, status: number])[] = [
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
