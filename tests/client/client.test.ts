import { describe, expect, it, vi } from 'vitest';
import manifest from '../../client/package.json' with { type: 'json' };
import { AttemptFailure } from '../../client/src/errors.ts';
import { CallError, createPaymentsClient, type PaymentsClientOptions } from '../../client/src/index.ts';
import { requestExamples, responseExamples } from '../../generated/examples.ts';
import { cutOff, disconnected, hanging, json, problem, type Reply, type Service, serve } from './service.ts';

const BALANCE = json(responseExamples.getBalance[200]['new-merchant']);
const PAYMENT = requestExamples.createPayment['h2h-upi'].body;

describe('a call', () => {
  it('sends the key, the user agent, and the headers of the client and the call', async () => {
    const { client, time, requests } = serve([BALANCE], { headers: { 'x-shop': '7' } });
    await time.pass(client.GET('/merchant/balance', { headers: { 'x-order': ['8', '9'] } }));
    const [request] = requests;
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      authorization: 'Bearer sk_test_key',
      'user-agent': `payments-client/${manifest.version}`,
      'x-order': '8, 9',
      'x-shop': '7',
    });
    expect(request?.redirect).toBe('manual');
  });

  it('calls an auth function before each attempt', async () => {
    const { client, time, requests } = serve([problem(503), BALANCE], {
      auth: async ({ method, path, attempt }) => ({ authorization: `${method} ${path} ${attempt}` }),
    });
    await time.pass(client.GET('/merchant/balance', { headers: new Headers({ 'x-order': '8' }) }));
    expect(requests.map(({ headers }) => [headers.get('authorization'), headers.get('x-order')])).toEqual([
      ['GET /merchant/balance 1', '8'],
      ['GET /merchant/balance 2', '8'],
    ]);
  });

  it.each([
    ['a key', {}],
    ['headers', { auth: { authorization: 'Bearer of the client' } }],
    ['a function', { auth: () => ({ authorization: 'Bearer of the client' }) }],
  ])('overrides the headers of a client that authenticates with %s', async (_name, options) => {
    const { client, time, requests } = serve([BALANCE], options);
    const headers = { authorization: 'Bearer of the call', 'user-agent': null };
    await time.pass(client.GET('/merchant/balance', { headers }));
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({ authorization: 'Bearer of the call' });
  });

  it('authenticates with any header', async () => {
    const { client, time, requests } = serve([BALANCE], { auth: { 'x-api-key': 'other' }, userAgent: 'my-shop/2.1' });
    await time.pass(client.GET('/merchant/balance'));
    const headers = { 'x-api-key': 'other', 'user-agent': 'my-shop/2.1' };
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual(headers);
  });

  it.each([
    ['a missing key', { baseUrl: 'http://service.test', apiKey: '' }, 'give either apiKey or auth'],
    ['a key and another way', { baseUrl: 'http://service.test', apiKey: 'k', auth: {} }, 'give either apiKey or auth'],
    ['a missing address', { baseUrl: '', apiKey: 'k' }, 'baseUrl is missing'],
    ['an address without a scheme', { baseUrl: 'localhost:4000', apiKey: 'k' }, 'baseUrl must begin with https://'],
    ['an address that is none', { baseUrl: 'http://', apiKey: 'k' }, 'baseUrl must begin with https://'],
    ['a query in the address', { baseUrl: 'http://b.test/?a=b', apiKey: 'k' }, 'must not contain a query or fragment'],
    ['a password in the address', { baseUrl: 'http://a:hunter2@b.test', auth: {} }, 'baseUrl must not contain a user'],
  ])('refuses %s', (_name, options, message) => {
    expect(() => createPaymentsClient(options)).toThrow(message);
    expect(() => createPaymentsClient(options)).not.toThrow('hunter2');
  });
});

describe('a value that a header cannot carry', () => {
  const refusal = (name: string, where: string) =>
    new TypeError(`${name} contains ${where}, which a header cannot carry. Remove it`);
  const base = { baseUrl: 'http://service.test', apiKey: 'k' };

  it.each([
    ['a line break within', 'sk_test_\nSECRET', 'U+000A at position 8'],
    ['a line break at the end', 'SECRET\r\n', 'U+000D at position 6'],
    ['a character beyond Latin-1', 'SECRET₹', 'U+20B9 at position 6'],
    ['a NUL', '\0SECRET', 'U+0000 at position 0'],
  ])('such as %s is refused, and never quoted', async (_what, secret, where) => {
    expect(() => createPaymentsClient({ ...base, apiKey: secret })).toThrow(refusal('apiKey', where));
    const auth = { 'x-api-key': secret };
    expect(() => createPaymentsClient({ baseUrl: base.baseUrl, auth })).toThrow(refusal('x-api-key', where));
    expect(() => createPaymentsClient({ ...base, headers: { 'x-shop': secret } })).toThrow(refusal('x-shop', where));
    expect(() => createPaymentsClient({ ...base, userAgent: secret })).toThrow(refusal('userAgent', where));

    const service = serve([BALANCE], { auth: async () => auth });
    await expect(service.time.pass(service.client.GET('/merchant/balance'))).rejects.toEqual(
      refusal('x-api-key', where),
    );
    const { client, time, requests } = serve([BALANCE]);
    const call = client.GET('/merchant/balance', { headers: { 'x-tags': ['a', secret] } });
    await expect(time.pass(call)).rejects.toEqual(refusal('x-tags', where));
    expect([...service.requests, ...requests]).toEqual([]);
  });
});

describe('a credential', () => {
  const LIVE = 'sk_live_SECRET';
  const TEST = 'https://api.test.gateway.example/v1';

  it.each([
    ['a signing secret', 'https://service.test', 'whsec_SECRET', 'is a signing secret, whsec_…, which is never sent'],
    ['a live key over http', 'http://service.test', LIVE, 'is a live key, and http://service.test is not encrypted'],
    [
      'a live key for a lookalike of loopback',
      'http://127.0.0.1.service.test',
      LIVE,
      'is a live key, and http://127.0',
    ],
    ['a live key for the test address', TEST, LIVE, 'is a key for https://api.gateway.example'],
    [
      'a test key for the live address',
      'https://api.gateway.example',
      'sk_test_SECRET',
      'is a key for https://api.test',
    ],
  ])('is refused if it is %s, and never quoted', async (_name, baseUrl, secret, message) => {
    const created = [
      () => createPaymentsClient({ baseUrl, apiKey: secret }),
      () => createPaymentsClient({ baseUrl, auth: { authorization: `Bearer ${secret}` } }),
      () => createPaymentsClient({ baseUrl, auth: {}, headers: { 'x-key': secret } }),
    ];
    for (const create of created) {
      expect(create).toThrow(message);
      expect(create).not.toThrow('SECRET');
    }
    const { client, requests } = serve([BALANCE], { baseUrl, auth: async () => ({ 'x-key': secret }) });
    await expect(client.GET('/merchant/balance')).rejects.toThrow(`x-key ${message}`);
    expect(requests).toEqual([]);
  });

  it.each([
    [LIVE, 'https://service.test'],
    [LIVE, 'https://api.gateway.example'],
    ['sk_test_1', TEST],
    ['sk_test_1', 'http://service.test'],
    [LIVE, 'http://localhost:4000'],
    [LIVE, 'http://127.1:4000'],
    [LIVE, 'http://[::1]'],
    [LIVE, 'http://pay.localhost'],
  ])('is accepted if it is %s for %s', (apiKey, baseUrl) => {
    expect(() => createPaymentsClient({ baseUrl, apiKey })).not.toThrow();
  });

  it('is judged by the address of the page if baseUrl is relative', () => {
    const create = () => createPaymentsClient({ baseUrl: '/api', apiKey: LIVE });
    vi.stubGlobal('location', { origin: 'http://shop.test' });
    expect(create).toThrow('http://shop.test is not encrypted');
    vi.stubGlobal('location', { origin: 'https://shop.test' });
    expect(create).not.toThrow();
    vi.unstubAllGlobals();
  });
});

describe('whether the service may have acted', () => {
  const KNOWN: (readonly [name: number | string, reply: Reply, expected: boolean])[] = [
    ...[307, 400, 401, 403, 404, 413, 415, 425, 429].map((status) => [status, problem(status), false] as const),
    ...[408, 409, 500, 502, 503, 504].map((status) => [status, problem(status), true] as const),
    ['a lost connection', disconnected, true],
    ['no response in time', hanging, true],
    ['a body that breaks off', cutOff, true],
    ['a success that is not an object', json(null), true],
  ];

  async function outcome({ client, time }: Service, method: 'GET' | 'POST') {
    const call: Promise<{ mayHaveActed?: boolean }> =
      method === 'POST' ? client.POST('/payments', { body: PAYMENT }) : client.GET('/merchant/balance');
    return (await time.pass(call.catch((error: CallError) => error))).mayHaveActed;
  }

  it.each(KNOWN)('is known after %s', async (_name, reply, expected) => {
    expect(await outcome(serve([reply]), 'POST')).toBe(expected);
    expect(await outcome(serve([reply]), 'GET')).toBe(false);
  });

  it('stays unknown after a retry is refused', async () => {
    expect(await outcome(serve([disconnected, problem(400)]), 'POST')).toBe(true);
    expect(await outcome(serve([problem(500), problem(401)]), 'POST')).toBe(true);
    expect(await outcome(serve([problem(429), problem(400)]), 'POST')).toBe(false);
  });
});

describe('an error', () => {
  it('is the problem of the response', async () => {
    const body = { type: 'urn:x', title: 'Reused', status: 409, detail: 'Use another.', request_id: 'req_1' };
    const { client, time } = serve([json(body, 409)]);
    const { data, error, response } = await time.pass(client.POST('/payments', { body: PAYMENT }));
    expect([data, error, response.status]).toEqual([undefined, body, 409]);
  });

  it.each([
    ['HTML', () => new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' }), 'Bad Gateway'],
    ['nothing', () => new Response('', { status: 500, headers: { 'content-length': '0' } }), 'HTTP 500'],
    ['other JSON', () => Response.json('oh', { status: 503 }), 'HTTP 503'],
    ['a redirect', () => new Response(null, { status: 307, headers: { location: 'http://else.test' } }), 'HTTP 307'],
    ['a redirect as browsers show it', () => Response.error(), 'Redirect'],
    ['a problem whose title is none', () => Response.json({ title: null }, { status: 400 }), 'HTTP 400'],
  ])('is a problem even for a response with %s', async (_name, reply, title) => {
    const { client, time } = serve([reply]);
    const { error, response } = await time.pass(client.GET('/merchant/balance'));
    expect(error).toMatchObject({ type: 'about:blank', title, status: response.status });
  });

  it('names the call, the attempts, the cause and its system error', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:4000'), { code: 'ECONNREFUSED' });
    const cause = new TypeError('fetch failed', { cause: refused });
    const { client, time } = serve([() => Promise.reject(cause)]);
    const call = client.GET('/payments/{transaction_id}', { params: { path: { transaction_id: 'pay_secret' } } });
    const error = await time.pass(call.catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({ name: 'CallError', code: 'NETWORK', attempts: 3, cause });
    const message = 'GET /payments/{transaction_id}, attempt 3: NETWORK, fetch failed, ECONNREFUSED';
    expect(String(error)).toBe(`CallError: ${message}`);
  });

  const HINT =
    'NETWORK, fetch failed. If this runs in a browser, the service must allow this origin: ' +
    'for the payments-gateway, set CORS_ORIGINS=https://shop.test';

  it.each([
    ['hints at CORS in a page of another origin', 'https://shop.test', disconnected, HINT],
    ['omits CORS in a page of the same origin', 'http://service.test', disconnected, 'NETWORK, fetch failed'],
    ['omits CORS when a response had begun', 'https://shop.test', cutOff, 'NETWORK, terminated, status 200'],
  ])('%s', async (_name, origin, reply, expected) => {
    vi.stubGlobal('location', { origin });
    const { client, time } = serve([reply], { retry: { attempts: 1 } });
    const error = await time.pass(client.GET('/merchant/balance').catch(String)).finally(() => vi.unstubAllGlobals());
    expect(error).toBe(`CallError: GET /merchant/balance, attempt 1: ${expected}`);
  });
});

describe('a local error', () => {
  const bug = new Error('a bug');
  const otherCall = new CallError(new AttemptFailure('NETWORK', undefined), 1, true, 'of another call');

  it.each<[string, options: Partial<PaymentsClientOptions>, init: object, thrown: unknown]>([
    ['an auth that throws', { auth: () => Promise.reject(bug) }, {}, bug],
    ['an auth that reads no JSON', { auth: async () => JSON.parse('<html>') }, {}, expect.any(SyntaxError)],
    ['an auth whose own call fails', { auth: () => Promise.reject(otherCall) }, {}, otherCall],
    ['a body that is not JSON', {}, { body: { amount: 1n } }, expect.any(TypeError)],
  ])('of %s is passed on without a retry', async (_name, options, init, thrown) => {
    const { client, time, requests, events } = serve([BALANCE], options);
    const call = client.POST as unknown as (path: string, init: object) => Promise<unknown>;
    await expect(time.pass(call('/payments', init))).rejects.toEqual(thrown);
    expect([requests.length, time.pending]).toEqual([0, 0]);
    expect(events.map(({ type }) => type)).toEqual(['request', 'aborted']);
  });

  it.each(['', '.', '..', undefined])('prevents a request with the ID %j', async (id) => {
    const { client, time, requests } = serve([BALANCE]);
    const params = { path: { transaction_id: id as string } };
    const call = client.POST('/payments/{transaction_id}/confirm', { params, body: { confirm_data: {} } });
    await expect(time.pass(call)).rejects.toThrow('is not an identifier');
    expect(requests).toEqual([]);
  });
});

describe('events', () => {
  it('report each attempt without keys, identifiers and bodies', async () => {
    const params = { path: { transaction_id: 'pay_secret' } };
    const { client, time, events } = serve([disconnected, problem(503), BALANCE]);
    await time.pass(client.GET('/payments/{transaction_id}', { params }));
    const told = events.map(({ type, attempt }) => `${attempt} ${type}`).join();
    expect(told).toBe('1 request,1 failure,1 retry,2 request,2 response,2 retry,3 request,3 response');
    expect(JSON.stringify(events)).not.toMatch(/pay_secret|sk_test/);
  });

  it('have the ID of their call', async () => {
    const { client, time, events } = serve([problem(503), BALANCE]);
    await time.pass(Promise.all([1, 2].map(() => client.GET('/merchant/balance'))));
    const told = (call: number) => events.filter(({ id }) => id === call).map(({ type }) => type);
    expect([told(1), told(2)]).toEqual([
      ['request', 'response', 'retry', 'request', 'response'],
      ['request', 'response'],
    ]);
  });

  it.each([
    ['throws', () => JSON.parse('{')],
    ['rejects', () => Promise.reject(new Error('the log is full'))],
  ])('leave a call unharmed if the listener %s', async (_name, onEvent) => {
    const unhandled = vi.fn();
    process.once('unhandledRejection', unhandled);
    const { client, time } = serve([BALANCE], { onEvent });
    const { data } = await time.pass(client.GET('/merchant/balance'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(data?.merchant_id).toBeGreaterThan(0);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
