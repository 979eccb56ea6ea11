/** Compares the client with openapi-fetch alone: the same calls must lead to the same requests and responses. */
import type { Middleware } from 'openapi-fetch';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPaymentsClient } from '../../client/src/index.ts';
import { operations, readBundle } from '../../contract/src/model.ts';
import { createContractClient } from '../../generated/client.ts';
import { requestExamples, responseExamples } from '../../generated/examples.ts';
import { disconnected, hanging, json, problem, type Reply, stalled } from './service.ts';

type Call = (method: string, path: string, init: object) => Promise<{ data?: unknown; error?: unknown }>;
interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  redirect: string;
}

const HEADERS = { authorization: 'Bearer sk_test_key', 'user-agent': 'shop/1' };
const BALANCE = responseExamples.getBalance[200]['new-merchant'];
const PAYMENT = requestExamples.createPayment['h2h-upi'].body;
const BY_ID = { params: { path: { transaction_id: 'pay_1' } } };

afterEach(() => void vi.unstubAllGlobals());

const described = async (request: Request): Promise<Sent> => ({
  method: request.method,
  url: request.url,
  headers: Object.fromEntries(request.headers),
  body: await request.text(),
  redirect: request.redirect,
});

/** The client over the global fetch, as it runs without middleware, or over a fetch that is given to it. */
const ours = (fetch?: Reply, baseUrl = 'http://service.test/v1') =>
  createPaymentsClient({
    baseUrl,
    apiKey: 'sk_test_key',
    userAgent: 'shop/1',
    retry: { attempts: 1 },
    ...(fetch && { fetch: async (request) => fetch(request) }),
  });
const theirs = (fetch: Reply, baseUrl = 'http://service.test/v1') =>
  createContractClient({ baseUrl, headers: HEADERS, redirect: 'manual', fetch: async (request) => fetch(request) });

/** Replaces the global fetch. Returns what it is called with. */
function stubFetch(reply: Reply): unknown[][] {
  const calls: unknown[][] = [];
  vi.stubGlobal('fetch', async function (this: unknown, ...args: [string, RequestInit]) {
    if (this !== undefined) throw new TypeError('Illegal invocation');
    calls.push(args);
    return reply(new Request(...args));
  });
  return calls;
}

const EXAMPLES = operations(readBundle()).flatMap(({ id, method, path }) =>
  Object.entries(requestExamples[id as keyof typeof requestExamples]).map(([name, example]) => {
    const { path: inPath, query, body } = example as { path?: object; query?: object; body?: object };
    const params = { ...(inPath && { path: inPath }), ...(query && { query }) };
    return { id, name, method, path, init: { params, ...(body && { body }) } };
  }),
);
const ODD: [string, string, object][] = [
  [
    'an id with a slash and a dollar',
    '/payments/{transaction_id}',
    { params: { path: { transaction_id: 'a/b?$&{x}' } } },
  ],
  ['an order id with signs', '/payments', { params: { query: { merchant_order_id: 'ä &=+#%' } } }],
  ['an empty order id', '/payments', { params: { query: { merchant_order_id: '' } } }],
  [
    'values that are missing',
    '/payments',
    { params: { query: { transaction_id: undefined, merchant_order_id: null } } },
  ],
  ['two values', '/payments', { params: { query: { transaction_id: 'pay_1', merchant_order_id: 'o-1' } } }],
  ['headers as an object', '/merchant/balance', { headers: { 'x-order': '8', authorization: 'Bearer other' } }],
  ['headers as Headers', '/merchant/balance', { headers: new Headers({ 'x-order': '8' }) }],
  [
    'headers as pairs that take one away',
    '/merchant/balance',
    { headers: { 'user-agent': null, 'x-list': ['a', 'b'] } },
  ],
  ['an option of fetch', '/merchant/balance', { redirect: 'error' }],
];

describe('a request', () => {
  async function sentBy(client: { request: unknown }, requests: Request[], method: string, path: string, init: object) {
    await (client.request as Call)(method, path, init);
    return described(requests.pop() as Request);
  }
  const cases: [string, string, string, object][] = [
    ...EXAMPLES.map(({ id, name, method, path, init }): [string, string, string, object] => [
      `${id}, ${name}`,
      method,
      path,
      init,
    ]),
    ...ODD.map(([name, path, init]): [string, string, string, object] => [name, 'get', path, init]),
    ['a body and headers', 'post', '/payments', { body: PAYMENT, headers: { 'x-order': '8' } }],
    ['a body of another type', 'post', '/payments', { body: PAYMENT, headers: { 'content-type': 'text/json' } }],
  ];

  it.each(cases)('with %s is the one that openapi-fetch sends', async (_name, method, path, init) => {
    const requests: Request[] = [];
    const keep: Reply = (request) => {
      requests.push(request);
      return Response.json(BALANCE);
    };
    const expected = await sentBy(theirs(keep), requests, method, path, init);
    expect(await sentBy(ours(keep), requests, method, path, init)).toEqual(expected);
    stubFetch(keep);
    expect(await sentBy(ours(), requests, method, path, init)).toEqual(expected);
    expect(await sentBy(ours(undefined, 'http://service.test/v1/'), requests, method, path, init)).toEqual(expected);
  });

  it('is left to fetch to make where nobody sees it', async () => {
    const calls = stubFetch(json(BALANCE));
    await ours().GET('/merchant/balance');
    expect(calls).toEqual([['http://service.test/v1/merchant/balance', expect.objectContaining({ method: 'GET' })]]);
  });
});

describe('over the global fetch, a call', () => {
  it.each([
    ['a success', json(BALANCE), { data: BALANCE }],
    ['a problem', problem(409), { error: { title: 'A problem', status: 409 } }],
    ['no JSON', () => new Response('<h1>', { status: 502 }), { error: { title: 'HTTP 502' } }],
  ])('resolves with %s', async (_name, reply, expected) => {
    stubFetch(reply);
    expect(await ours().GET('/merchant/balance')).toMatchObject(expected);
  });

  it.each([
    ['a lost connection', disconnected, 'NETWORK'],
    ['a success that is not JSON', () => new Response('<h1>'), 'INVALID_ANSWER'],
    ['a success without a body', () => new Response(''), 'INVALID_ANSWER'],
  ])('rejects after %s', async (_name, reply, code) => {
    stubFetch(reply);
    await expect(ours().GET('/merchant/balance')).rejects.toMatchObject({ code });
  });

  it.each(['', '.', '..'])('with the id %j is not sent', async (id) => {
    const calls = stubFetch(json(BALANCE));
    const params = { path: { transaction_id: id } };
    await expect(ours().GET('/payments/{transaction_id}', { params })).rejects.toThrow(TypeError);
    expect(calls).toEqual([]);
  });

  it.each([
    ['while the response is awaited', hanging],
    ['while the body is read', stalled],
  ])('can be aborted %s', async (_name, reply) => {
    stubFetch(reply);
    const controller = new AbortController();
    const reason = new Error('the customer has left');
    const call = ours().GET('/merchant/balance', { signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(call).rejects.toBe(reason);
  });
});

/** Middleware that does something at each place; `log` gets what it receives. */
type Make = (log: unknown[]) => Middleware[];
const noting =
  (name: string, changes: Middleware): ((log: unknown[]) => Middleware) =>
  (log) => ({
    onRequest(told) {
      log.push([name, 'request', told.schemaPath, told.params, told.request.url, told.options.baseUrl, !!told.id]);
      return changes.onRequest?.(told);
    },
    async onResponse(told) {
      log.push([name, 'response', told.response.status, told.request.headers.get('x-by')]);
      return changes.onResponse?.(told);
    },
    onError(told) {
      log.push([name, 'error', String(told.error), told.request.headers.get('x-by')]);
      return changes.onError?.(told);
    },
  });
const plain = noting('plain', { onRequest: () => undefined });
class Counting {
  readonly #log: unknown[];
  constructor(log: unknown[]) {
    this.#log = log;
  }
  onRequest(): undefined {
    this.#log.push('counted');
  }
  onError(): undefined {}
}
const CHAINS: [string, Reply, Make][] = [
  ['only looks', json(BALANCE), (log) => [plain(log)]],
  [
    'changes the request',
    json(BALANCE),
    (log) => [
      noting('by', { onRequest: ({ request }) => request.headers.set('x-by', 'it') as undefined })(log),
      plain(log),
    ],
  ],
  [
    'replaces the request',
    json(BALANCE),
    (log) => [
      noting('new', { onRequest: ({ request }) => new Request(request, { headers: { 'x-by': 'new' } }) })(log),
      plain(log),
    ],
  ],
  [
    'returns a response itself',
    disconnected,
    (log) => [plain(log), noting('cache', { onRequest: () => Response.json({ cached: true }) })(log), plain(log)],
  ],
  [
    'replaces the response',
    json(BALANCE),
    (log) => [
      plain(log),
      noting('other', { onResponse: () => Response.json({ title: 'Other', status: 409 }, { status: 409 }) })(log),
    ],
  ],
  ['sees a failure', disconnected, (log) => [plain(log), plain(log)]],
  ['is an object of a class', json(BALANCE), (log) => [new Counting(log)]],
  [
    'replaces a failure',
    disconnected,
    (log) => [plain(log), noting('why', { onError: () => new Error('no network') })(log)],
  ],
  [
    'returns a response after a failure',
    disconnected,
    (log) => [plain(log), noting('back', { onError: () => Response.json({ offline: true }) })(log), plain(log)],
  ],
  [
    'fails',
    json(BALANCE),
    (log) => [noting('bad', { onRequest: () => Promise.reject(new Error('no signature')) })(log), plain(log)],
  ],
];

describe('middleware', () => {
  /** Returns what the middleware received, what was sent, and how the call has ended. */
  async function run(make: (fetch: Reply) => { use: unknown; request: unknown }, reply: Reply, chain: Make) {
    const log: unknown[] = [];
    const client = make(async (request) => {
      log.push(await described(request.clone()));
      return reply(request);
    });
    (client.use as (...chain: Middleware[]) => void)(...chain(log));
    const ended = await (client.request as Call)('get', '/payments/{transaction_id}', BY_ID).catch((error) => ({
      failure: String(error.cause ?? error),
    }));
    return { log, ended: JSON.parse(JSON.stringify(ended)) };
  }

  it.each(CHAINS)('that %s is treated as openapi-fetch treats it', async (_name, reply, chain) => {
    const expected = await run(theirs, reply, chain);
    expect(await run(ours, reply, chain)).toEqual(expected);
    const overGlobalFetch = (fetch: Reply) => {
      stubFetch(fetch);
      return ours();
    };
    expect(await run(overGlobalFetch, reply, chain)).toEqual(expected);
  });

  it('sees the failure of a request whose body has been sent', async () => {
    const log: unknown[] = [];
    const client = ours(async (request) => disconnected(await request.text().then(() => request)));
    client.use(plain(log));
    await expect(client.POST('/payments', { body: PAYMENT })).rejects.toMatchObject({ code: 'NETWORK' });
    expect(log.at(-1)).toEqual(['plain', 'error', 'TypeError: fetch failed', null]);
  });

  it('can be taken out again', async () => {
    const log: unknown[] = [];
    const client = ours(json(BALANCE));
    const [first, second] = [plain(log), noting('second', {} as Middleware)(log)];
    client.use(first, second);
    client.eject(first);
    await client.GET('/merchant/balance');
    expect(log.map((entry) => (entry as unknown[])[0])).toEqual(['second', 'second']);
  });
});
