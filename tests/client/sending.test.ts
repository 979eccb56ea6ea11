/** Single requests and their responses. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPaymentsClient, type PaymentsClientOptions } from '../../client/src/index.ts';
import { operations, readBundle } from '../../contract/src/model.ts';
import { requestExamples, responseExamples } from '../../generated/examples.ts';
import { json, type Reply } from './service.ts';

type Call = (path: string, options: object) => Promise<{ data?: unknown; error?: unknown }>;

const BASE = 'http://service.test/v1';
const BALANCE = responseExamples.getBalance[200]['new-merchant'];
const BODY_BYTES_MAX = 1_048_576;
/** The text `ä &=+#%` in a query. */
const ENCODED = '%C3%A4%20%26%3D%2B%23%25';

afterEach(() => void vi.unstubAllGlobals());

/** A client without retries. */
const createClient = (options: Partial<PaymentsClientOptions> = {}) =>
  createPaymentsClient({
    baseUrl: BASE,
    apiKey: 'sk_test_key',
    userAgent: 'shop/1',
    retry: { attempts: 1 },
    ...options,
  });

/** Replaces the global fetch. Returns the arguments of its calls. */
function stubFetch(reply: Reply): [string, RequestInit][] {
  const calls: [string, RequestInit][] = [];
  vi.stubGlobal('fetch', async function (this: unknown, ...args: [string, RequestInit]) {
    if (this !== undefined) throw new TypeError('Illegal invocation');
    calls.push(args);
    return reply(new Request(...args));
  });
  return calls;
}

/** Replaces the global fetch. Returns the arguments of its calls. */
async function callAndCapture(method: string, path: string, options: object, client = createClient()) {
  const calls = stubFetch(json(BALANCE));
  await (client[method.toUpperCase() as 'GET'] as unknown as Call)(path, options);
  return calls[0];
}

const HEADERS = { authorization: 'Bearer sk_test_key', 'user-agent': 'shop/1' };
const EXAMPLES = operations(readBundle()).flatMap(({ id, method, path }) =>
  Object.entries(requestExamples[id as keyof typeof requestExamples]).map(([name, example]) => {
    return { id, name, method, path, example: example as { path?: object; query?: object; body?: object } };
  }),
);

describe('a request', () => {
  it.each(EXAMPLES)('sends the example $name of $id', async ({ method, path, example }) => {
    const { path: inPath = {}, query = {}, body } = example;
    const filled = Object.entries(inPath).reduce((url, [name, value]) => url.replace(`{${name}}`, value), path);
    const search = new URLSearchParams(query as Record<string, string>).toString();
    const [url, init] = (await callAndCapture(method, path, { params: { path: inPath, query }, body })) ?? [];
    expect(url).toBe(`${BASE}${filled}${search && `?${search}`}`);
    expect(init).toEqual({
      method: method.toUpperCase(),
      headers: { ...HEADERS, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      cache: 'no-store',
      signal: expect.any(AbortSignal),
    });
  });

  it.each<[string, string, object, string]>([
    ['an ID', '/payments/{transaction_id}', { path: { transaction_id: 'a/b?$&{x}' } }, '/a%2Fb%3F%24%26%7Bx%7D'],
    ['an order ID', '/payments', { query: { merchant_order_id: 'ä &=+#%' } }, `?merchant_order_id=${ENCODED}`],
    ['an empty order ID', '/payments', { query: { merchant_order_id: '' } }, '?merchant_order_id='],
    ['a missing value', '/payments', { query: { transaction_id: undefined } }, ''],
  ])('encodes %s', async (_name, path, params, expected) => {
    const [url] = (await callAndCapture('get', path, { params })) ?? [];
    expect(url).toBe(`${BASE}/payments${expected}`);
  });

  it('ignores a slash at the end of the base URL', async () => {
    const client = createClient({ baseUrl: `${BASE}/` });
    const [url] = (await callAndCapture('get', '/merchant/balance', {}, client)) ?? [];
    expect(url).toBe(`${BASE}/merchant/balance`);
  });

  it('has no user agent in a web worker, which has no document', async () => {
    vi.stubGlobal('location', { origin: 'https://shop.test' });
    const client = createClient({ userAgent: undefined });
    const [, init] = (await callAndCapture('get', '/merchant/balance', {}, client)) ?? [];
    expect(init?.headers).toEqual({ authorization: 'Bearer sk_test_key' });
  });

  it('omits the cache mode if the runtime refuses it', async () => {
    const Native = Request;
    vi.stubGlobal(
      'Request',
      class extends Native {
        constructor(url: string, init: RequestInit) {
          if (init.cache) throw new TypeError("The 'cache' field on 'RequestInitializerDict' is not implemented.");
          super(url, init);
        }
      },
    );
    const [, init] = (await callAndCapture('get', '/merchant/balance', {}, createClient())) ?? [];
    expect(init).not.toHaveProperty('cache');
  });
});

describe('a response', () => {
  it.each([
    ['a success that is not JSON', () => new Response('<h1>')],
    ['a success with an empty body', () => new Response('', { headers: { 'content-length': '0' } })],
    ['204', () => new Response(null, { status: 204 })],
    ['null', json(null)],
    ['an array', json([])],
    ['a string', json('ok')],
  ])('rejects after %s', async (_name, reply) => {
    stubFetch(reply);
    await expect(createClient().GET('/merchant/balance')).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });

  /** A body that never ends, in chunks of 64 KiB. */
  function endless(status: number, headers: Record<string, string> = {}) {
    const read = { bytes: 0, cancelled: false };
    const body = new ReadableStream({
      pull(controller) {
        read.bytes += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(120));
      },
      cancel() {
        read.cancelled = true;
      },
    });
    stubFetch(() => new Response(body, { status, headers }));
    return read;
  }

  it.each<[string, Record<string, string>]>([
    ['without a length', {}],
    ['with a length over the limit', { 'content-length': '200000000' }],
    ['with a length before decompression', { 'content-length': '100', 'content-encoding': 'gzip' }],
  ])('rejects after a success of more than 1 MiB %s, and cancels it', async (_name, headers) => {
    const read = endless(200, headers);
    await expect(createClient().GET('/merchant/balance')).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
      message: expect.stringContaining(`the body has more than ${BODY_BYTES_MAX} bytes`),
    });
    expect(read.cancelled).toBe(true);
    expect(read.bytes).toBeLessThan(2 * BODY_BYTES_MAX);
  });

  it('ends an error response at 1 MiB', async () => {
    const read = endless(502);
    const { error } = await createClient().GET('/merchant/balance');
    expect(error).toMatchObject({ status: 502, detail: expect.stringMatching(/x{200}$/) });
    expect(read.cancelled).toBe(true);
  });

  it('is complete at 1 MiB, regardless of chunk boundaries', async () => {
    const note = '₹'.repeat(300_000);
    const bytes = new TextEncoder().encode(JSON.stringify({ ...BALANCE, note }));
    const chunks = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, index) =>
      bytes.subarray(index * 1_000, (index + 1) * 1_000),
    );
    stubFetch(() => new Response(ReadableStream.from(chunks)));
    const { data } = await createClient().GET('/merchant/balance');
    expect(data).toHaveProperty('note', note);
  });
});
