import { spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../../client/src/webhooks.ts';
import { startText } from '../../../contract/src/mock/guide.ts';
import { PLACEHOLDER_SECRET } from '../../../contract/src/mock/placeholders.ts';
import { type Mock, startMock } from '../../../contract/src/mock/server.ts';
import type { WebhookOptions } from '../../../contract/src/mock/webhooks.ts';
import {
  type Json,
  type Operation,
  operations,
  readBundle,
  requestExamples,
  webhooks,
} from '../../../contract/src/model.ts';
import { compile } from '../../../contract/src/schemas.ts';
import { senderForm } from '../../../contract/src/sender.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { afterwards } from '../../gateway/harness.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';

const bundle = readBundle();
const strict = compile(senderForm(bundle));
const creation = operations(bundle).find(({ id }) => id === 'createPayment');
const example = creation && requestExamples(creation)[0]?.body;
const authorized = { authorization: 'Bearer sk_test_any' };
let mock: Mock;

beforeAll(async () => {
  mock = await startMock({ port: 0 });
});
afterAll(() => mock.close());

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(mock.url + path, {
    method: 'POST',
    headers: { ...authorized, 'content-type': 'application/json', ...headers },
    body,
  });
}

async function problem(response: Response): Promise<Record<string, Json>> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return (await response.json()) as Record<string, Json>;
}

describe('the guide printed at the start', () => {
  test('has a working curl line, and Prefer headers with the described effect', async () => {
    const text = startText(bundle, mock.url);
    const [, url = '', authorization = ''] = /curl (\S+) -H 'Authorization: (.+)'/.exec(text) ?? [];
    const prefers = ['', ...[...text.matchAll(/'Prefer: (.+)'/g)].map(([, prefer = '']) => prefer)];
    const responses = await Promise.all(prefers.map((prefer) => fetch(url, { headers: { authorization, prefer } })));
    const expected = prefers.map((prefer) => Number(/code=(\d+)/.exec(prefer)?.[1] ?? 200));
    expect(responses.map(({ status }) => status)).toEqual(expected);
  });
});

describe('the mock', () => {
  test("responds to an invalid body with its violations, in the contract's words", async () => {
    const response = await post('/payments', '{"amount":"x","curency":"INR"}');
    expect(response.headers.has('sl-violations')).toBe(false);
    const body = await problem(response);
    expect(body).toMatchObject({
      type: expect.stringMatching(/validation-failed$/),
      title: 'The request is invalid',
      status: 400,
      detail: `Correct the ${(body['violations'] as Json[]).length} violations and send the request again.`,
    });
    expect(body['violations']).toEqual(
      expect.arrayContaining([
        { in: 'body', pointer: '/curency', message: 'is not a known field' },
        { in: 'body', pointer: '/amount', message: 'must be an integer, without decimals' },
      ]),
    );
  });

  test("skips a byte order mark, and responds with 400 to a body that isn't JSON", async () => {
    expect((await post('/payments', `\ufeff${JSON.stringify(example)}`)).status).toBe(200);
    const violations = [{ in: 'body', pointer: '', message: 'is not valid JSON' }];
    expect(await problem(await post('/payments', '{"amount"'))).toMatchObject({ status: 400, violations });
  });

  test.each([
    ['/pay_1?x=1', '/x', 'is not a query parameter of this operation'],
    ['/pay_1?__code=409', '/__code', 'is not a query parameter of this operation'],
    ['?transaction_id=pay_1&merchant_order_id=order-1', '', 'must have exactly one of transaction_id and'],
  ])('refuses the query of /payments%s', async (target, pointer, message) => {
    const response = await fetch(`${mock.url}/payments${target}`, { headers: authorized });
    const violations = [{ in: 'query', pointer, message: expect.stringContaining(message) }];
    expect(await problem(response)).toMatchObject({ status: 400, violations });
  });

  test.each([
    ['no key', '/merchant/balance', { headers: {} }, 401, 'unauthorized'],
    ['an unknown path', '/nothing', { headers: authorized }, 404, 'not-found'],
    ['another media type', '/payments', { method: 'POST', body: 'amount=1' }, 415, 'unsupported-media-type'],
    ['a body over the limit', '/payments', { method: 'POST', body: ' '.repeat(11_000_000) }, 413, 'body-too-large'],
    ['a path with an invalid escape', '/payments/%zz', {}, 400, 'validation-failed'],
  ])('responds to %s with a problem of the contract', async (_, path, init, status, type) => {
    const response = await fetch(mock.url + path, {
      headers: { ...authorized, 'content-type': 'text/plain' },
      ...init,
    });
    const body = await problem(response);
    expect([response.status, body['status'], String(body['type']).split('/').at(-1)]).toEqual([status, status, type]);
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    expect(strict({ $ref: '#/components/schemas/Problem' })(body)).toEqual([]);
  });

  test.each([
    ['example=nope', '200 has four-currencies, after-payment, after-payout, new-merchant; 400 has unknown-parameter;'],
    ['code=418', 'a code of getBalance: 200, 400, 401, 429, 500, 503.'],
    ['dynamic=perhaps', 'Prefer: dynamic=true'],
    ['dynamic=true, seed=1.5', 'Prefer: dynamic=true, seed=7'],
    ['delay=30001', 'in milliseconds, at most 30000.'],
  ])('lists the valid values when it refuses Prefer: %s', async (prefer, listed) => {
    const response = await fetch(`${mock.url}/merchant/balance`, { headers: { ...authorized, prefer } });
    const body = await problem(response);
    expect(body).toMatchObject({ status: 400, violations: [{ in: 'header', pointer: '/prefer' }] });
    expect(body['detail']).toContain(listed);
  });

  test.each([
    ['code="409"; example=order-id-reused', 409],
    ['Example = order-id-reused', 409],
    ['respond-async', 200],
  ])('reads Prefer: %s', async (prefer, status) => {
    expect((await post('/payments', JSON.stringify(example), { prefer })).status).toBe(status);
  });

  test('waits for Prefer: delay, even before an error', async () => {
    const waits: number[] = [];
    const waiting = await startMock({ port: 0, wait: async (milliseconds) => waits.push(milliseconds) });
    const statuses: number[] = [];
    for (const prefer of ['delay=500', 'code=503, delay=30000', 'delay=0', 'code=429', 'delay=30001']) {
      const response = await fetch(`${waiting.url}/merchant/balance`, { headers: { ...authorized, prefer } });
      statuses.push(response.status);
    }
    await waiting.close();
    expect(statuses).toEqual([200, 503, 200, 429, 400]);
    expect(waits).toEqual([500, 30_000]);
  });

  test('allows pages of other origins to call it with the requested headers', async () => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,prefer' };
    const headers = { origin: 'http://shop.localhost', ...asked };
    const response = await fetch(`${mock.url}/payments`, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('http://shop.localhost');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,prefer');
  });
});

interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a receiver, and the mock with these options. */
async function withReceiver(options: WebhookOptions = {}) {
  const received: ReceivedWebhook[] = [];
  const logged: string[] = [];
  const receiver = await listenOnLoopback(
    createServer(async (request, reply) => {
      received.push({ headers: request.headers, body: await text(request) });
      reply.writeHead(204).end();
    }),
  );
  afterwards(receiver.close);
  const { url, close } = await startMock({ port: 0, webhooks: { ...options, log: (line) => logged.push(line) } });
  afterwards(close);
  return {
    ...{ received, logged, callback_url: receiver.url },
    create: (path: string, body: unknown, prefer = '', headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { ...authorized, 'content-type': 'application/json', prefer, ...headers },
        body: JSON.stringify(body),
      }),
    logsLines: (count: number) => expect.poll(() => logged).toHaveLength(count),
  };
}

const payment = example as object;
const payout = requestExamples(operations(bundle).find(({ id }) => id === 'createPayout') as Operation)[0]?.body;

describe('the webhooks of the mock', () => {
  test.each(webhooks(bundle))('include a signed $id with the values of the response', async ({ id, request }) => {
    const { callback_url, create, received, logged, logsLines } = await withReceiver();
    const [path, order] = id.startsWith('payment') ? ['/payments', payment] : ['/payouts', payout as object];
    const body = { ...order, callback_url, amount: 77_700, merchant_order_id: 'order-77' };
    const response = await create(path, body, `webhook=${id}`);
    expect(response.ok).toBe(true);
    const { transaction_id } = (await response.json()) as { transaction_id: string };
    await logsLines(1);
    expect(logged).toEqual([`webhook ${id} → ${callback_url}  204`]);
    const [webhook] = received;
    const event = await verifyWebhook({ ...(webhook as ReceivedWebhook), secret: PLACEHOLDER_SECRET });
    expect(event).toMatchObject({ name: id, data: { transaction_id, merchant_order_id: 'order-77' } });
    const { created_at, finalized_at = created_at } = event.data as { created_at: string; finalized_at?: string };
    expect(finalized_at >= created_at).toBe(true);
    expect(strict(request?.schema ?? {})(JSON.parse(webhook?.body ?? ''))).toEqual([]);
  });

  test.each([
    ['customer-7', { status: 'SUCCESS' }],
    ['decline-LIMIT_EXCEEDED', { status: 'FAILED', decline_reason: 'LIMIT_EXCEEDED' }],
  ])('report the response of a creation for the customer %s if all are sent', async (id, expected) => {
    const { callback_url, create, received, logsLines } = await withReceiver({ always: true });
    await create('/payments', { ...payment, callback_url, customer: { id } });
    await logsLines(1);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject(expected);
  });

  test('are sent only if asked, and not after an error', async () => {
    const { callback_url, create, received, logged } = await withReceiver();
    const body = { ...payment, callback_url };
    expect((await create('/payments', body)).status).toBe(200);
    expect((await create('/payments', body, 'code=503, webhook=paymentFailed')).status).toBe(503);
    await fetch(callback_url, { method: 'HEAD' });
    expect([received.length, logged]).toEqual([1, []]);
  });

  test.each([
    ['/payments', 'webhook=payoutFailed', 'webhook=<event>` with an event of createPayment: paymentExtra'],
    ['/payments/pay_PAY_CONFIRMATION_NEEDED/confirm', 'webhook=paymentFailed', 'Leave out `webhook`'],
  ])('are refused for %s with Prefer: %s', async (path, prefer, detail) => {
    const { create } = await withReceiver();
    const body = path === '/payments' ? payment : { confirm_data: { tid: '123456789012' } };
    expect(await problem(await create(path, body, prefer))).toMatchObject({
      ...{ status: 400, violations: [{ pointer: '/prefer' }] },
      detail: expect.stringContaining(detail),
    });
  });

  const message = expect.stringContaining('--webhooks HOST');

  test.each([
    'http://192.168.0.1/',
    'http://shop.example.com/',
    'http://localhost.example.com/',
    'http://me:pw@localhost/',
  ])('are not sent to %s, unless its host is allowed', async (callback_url) => {
    const { create, logged, logsLines } = await withReceiver({ always: true });
    const body = { ...payment, callback_url };
    const violations = [{ in: 'body', pointer: '/callback_url', message }];
    expect(await problem(await create('/payments', body, 'webhook=paymentFailed'))).toMatchObject({ violations });
    await create('/payments', body);
    await logsLines(1);
    expect(logged[0]).toMatch(/not sent: callback_url must be an address on this machine/);
  });

  test.each(['https://shop.example.com', 'null'])('are not sent for a page of %s', async (origin) => {
    const { callback_url, create, received, logged, logsLines } = await withReceiver({ always: true, hosts: ['app'] });
    const body = { ...payment, callback_url };
    const violations = [{ in: 'header', pointer: '/origin', message }];
    const refused = await create('/payments', body, 'webhook=paymentFailed', { origin });
    expect(await problem(refused)).toMatchObject({ violations });
    expect((await create('/payments', body, '', { origin })).status).toBe(200);
    await logsLines(1);
    expect(logged[0]).toMatch(/not sent: origin must be of a page on this machine/);
    for (const own of ['http://localhost:5173', 'http://app']) await create('/payments', body, '', { origin: own });
    await logsLines(3);
    expect(received).toHaveLength(2);
  });
});

const SCRIPT = join(ROOT, 'contract/src/main.ts');

describe('npm run mock', () => {
  test('reports a taken port and the fix in one line, and exits 1', async () => {
    const { port } = new URL(mock.url);
    const { code, stderr } = await run(process.execPath, [SCRIPT, 'mock', '--port', port], { allowFailure: true });
    const fix = 'Choose another with --port, or stop what listens there.';
    expect({ code, stderr }).toEqual({ code: 1, stderr: `Port ${port} of 127.0.0.1 is taken. ${fix}\n` });
  });

  test('logs each request if asked to, with escapes, and stops with exit code 0 on SIGTERM', async () => {
    const child = spawn(process.execPath, [SCRIPT, 'mock', '--port', '0', '--verbose'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
    for await (const chunk of child.stdout) {
      const started = text.includes('Limits:');
      text += chunk;
      if (!started && text.includes('Limits:')) {
        const headers = { authorization: 'Bearer sk_test_any', 'content-type': 'application/json' };
        const body = JSON.stringify({ '\x1b[2J': 1 });
        void fetch(`${/http:\/\/[\d.:]+/.exec(text)?.[0]}/payments`, { method: 'POST', headers, body });
      }
      if (/POST \/payments 400[\s\S]*2J/.test(text)) child.kill('SIGTERM');
    }
    expect(await exit).toBe(0);
    expect(text).toContain('body /\\u001b[2J ');
  });
});
