/** Headers, log lines and metrics of responses. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { paymentRequest, REDIRECT } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { afterwards, inject, startTestGateway } from '../harness.ts';

async function start() {
  const recording = recordingLog();
  const test = await startTestGateway({ log: recording.log });
  const page = async () => {
    const { body } = await test.call('POST', '/payments', paymentRequest({}, REDIRECT));
    return { id: body.transaction_id, path: new URL(body.redirect_url).pathname };
  };
  return { ...recording, test, page };
}

const REQUEST_ID = /^req_[0-9A-Z]{26}$/;

describe('every response', () => {
  it.each([
    ['a success', '/merchant/balance'],
    ['an unknown path', '/nothing'],
    ['a payment page that does not exist', '/checkout/x'],
    ['metrics', '/metrics'],
  ] as const)('has a unique id and is neither cached nor sniffed: %s', async (_what, path) => {
    const { test } = await start();
    const own = { 'x-request-id': 'mine' };
    const [first, second] = [await test.call('GET', path, undefined, own), await test.call('GET', path)];
    expect(first.headers).toMatchObject({
      'x-request-id': expect.stringMatching(REQUEST_ID),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  it('has the headers of GET, without the body, for HEAD', async () => {
    const { gateway, key } = await startTestGateway();
    const request = { method: 'HEAD', url: '/merchant/balance', headers: { authorization: `Bearer ${key}` } };
    const { statusCode, headers, body } = await inject(gateway, request);
    expect([statusCode, body]).toEqual([200, '']);
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });
});

describe('a log line', () => {
  it('names the request and its transaction, whether created, in the path or found', async () => {
    const { test, lines } = await start();
    const { body, headers } = await test.call('POST', '/payments', paymentRequest());
    const id = body.transaction_id;
    await test.call('GET', `/payments/${id}`);
    await test.call('GET', `/payments?merchant_order_id=${body.merchant_order_id}`);
    await test.call('POST', `/payments/${id}/confirm`, {});
    const logged = lines.filter(({ level, operation }) => level === 'info' && operation !== undefined);
    expect(logged.map(({ operation, status, transaction_id }) => [operation, status, transaction_id])).toEqual([
      ['createPayment', 200, id],
      ['getPayment', 200, id],
      ['findPayment', 200, id],
      ['confirmPayment', 400, id],
    ]);
    expect(logged[0]?.['request_id']).toBe(headers['x-request-id']);
  });

  it('has method, route, client address, merchant and key id, but not the key', async () => {
    const { test, page, lines } = await start();
    const { id } = await page();
    await test.call('GET', `/payments/${id}`);
    await test.call('GET', '/payments/none', undefined, { authorization: undefined });
    await test.call('GET', `/nowhere/${test.key}`);
    const [row] = await test.gateway.store.read.all('select id from api_keys');
    const about = { client: expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$|^::1$/), method: 'GET' };
    const merchant = { merchant_id: test.merchant.id, key_id: row?.['id'] };
    expect(lines.filter(({ message }) => message === 'responded').slice(1)).toEqual([
      expect.objectContaining({ ...about, ...merchant, route: '/payments/{transaction_id}', status: 200 }),
      expect.objectContaining({ ...about, route: '/payments/{transaction_id}', status: 401, key_id: undefined }),
      expect.objectContaining({ ...about, route: undefined, status: 404 }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(test.key);
  });

  it('names the transaction of a payment page, but not its token', async () => {
    const { test, page, lines } = await start();
    const { id, path } = await page();
    await test.call('GET', path);
    expect(lines.at(-1)).toMatchObject({ level: 'info', operation: 'checkout', status: 200, transaction_id: id });
    expect(JSON.stringify(lines)).not.toContain(path.split('/').at(-1));
  });

  it('is at debug level for a probe', async () => {
    const { test, lines } = await start();
    for (const path of ['/health/live', '/health/ready', '/metrics']) await test.call('GET', path);
    const probe = expect.objectContaining({ level: 'debug', operation: 'probe', status: 200 });
    expect(lines).toEqual([probe, probe, probe]);
  });
});

it.each([
  ['the API', (_page: string, key: string) => ['POST /payments', `Authorization: Bearer ${key}`, 'application/json']],
  ['a payment page', (page: string) => [`POST ${page}`, 'Accept: */*', 'application/x-www-form-urlencoded']],
])('a request cut off by its client at %s counts as 499 instead of a failure', async (_what, head) => {
  const { test, page, lines, next } = await start();
  const { path } = await page();
  await test.gateway.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((test.gateway.server.address() as AddressInfo).port, '127.0.0.1');
  afterwards(async () => socket.destroy());
  await once(socket, 'connect');
  const isRead = new Promise<void>((resolve) => {
    test.gateway.server.once('request', (request) => request.on('resume', () => resolve()));
  });
  const [target, header, type] = head(path, test.key);
  socket.write(
    `${target} HTTP/1.1\r\nHost: a\r\n${header}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{"amount":`,
  );
  await isRead;
  const logged = next(({ operation }) => operation !== undefined);
  socket.destroy();
  expect(await logged).toMatchObject({ level: 'info', status: 499 });
  expect(lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  const { text } = await test.call('GET', '/metrics');
  expect(text).toMatch(/gateway_request_seconds_count\{operation="(createPayment|checkout)",status="499"\} 1/);
  expect(text).not.toContain('status="500"');
});

it('a Web request aborted while its body arrives counts as 499', async () => {
  const { gateway, key, call } = await startTestGateway();
  const leaving = new AbortController();
  const body = new ReadableStream({ pull: () => leaving.abort() });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = { method: 'POST', body, duplex: 'half', headers, signal: leaving.signal } as RequestInit;
  await expect(gateway.fetch(new Request('http://localhost/payments', init))).rejects.toThrow();
  expect((await call('GET', '/metrics')).text).toContain('operation="createPayment",status="499"} 1');
});
