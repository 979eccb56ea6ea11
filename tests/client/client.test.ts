import { describe, expect, it } from 'vitest';
import manifest from '../../client/package.json' with { type: 'json' };
import { CallError, createPaymentsClient } from '../../client/src/index.ts';
import { requestExamples, responseExamples } from '../../generated/examples.ts';
import { disconnected, json, problem, serve } from './service.ts';

const BALANCE = json(responseExamples.getBalance[200]['new-merchant']);
const PAYMENT = requestExamples.createPayment['h2h-upi'].body;

describe('a call', () => {
  it('carries the key, the user agent and the headers of the client and of its own', async () => {
    const { client, time, requests } = serve([BALANCE], { headers: { 'x-shop': '7' } });
    await time.pass(client.GET('/merchant/balance', { headers: { 'x-order': '8' } }));
    const [request] = requests;
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      authorization: 'Bearer sk_test_key',
      'user-agent': `payments-client/${manifest.version}`,
      'x-order': '8',
      'x-shop': '7',
    });
    expect(request?.redirect).toBe('manual');
  });

  it('authenticates by any header', async () => {
    const { client, time, requests } = serve([BALANCE], { auth: { 'x-api-key': 'other' }, userAgent: 'my-shop/2.1' });
    await time.pass(client.GET('/merchant/balance'));
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      'x-api-key': 'other',
      'user-agent': 'my-shop/2.1',
    });
  });

  it('asks a function for its authentication before each attempt', async () => {
    const { client, time, requests } = serve([problem(503), BALANCE], {
      auth: async ({ method, path, attempt }) => ({ authorization: `${method} ${path} ${attempt}` }),
    });
    await time.pass(client.GET('/merchant/balance', { headers: new Headers({ 'x-order': '8' }) }));
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([
      'GET /merchant/balance 1',
      'GET /merchant/balance 2',
    ]);
    expect(requests.map(({ headers }) => headers.get('x-order'))).toEqual(['8', '8']);
  });

  it('passes through the middleware of openapi-fetch', async () => {
    const { client, time, requests } = serve([BALANCE]);
    client.use({
      onRequest({ request }) {
        request.headers.set('x-signed', 'yes');
        return request;
      },
    });
    await time.pass(client.GET('/merchant/balance'));
    expect(requests[0]?.headers.get('x-signed')).toBe('yes');
  });

  it.each([
    ['a missing key', { baseUrl: 'http://service.test', apiKey: '' }, 'give either apiKey or auth'],
    ['a key and another way', { baseUrl: 'http://service.test', apiKey: 'k', auth: {} }, 'give either apiKey or auth'],
    ['a missing address', { baseUrl: '', apiKey: 'k' }, 'baseUrl is missing'],
  ])('is not possible with %s', (_name, options, message) => {
    expect(() => createPaymentsClient(options)).toThrow(message);
  });
});

describe('an error', () => {
  it('is the problem that the service answers', async () => {
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
  ])('is a problem also when the answer is %s', async (_name, reply, title) => {
    const { client, time } = serve([reply]);
    const { error, response } = await time.pass(client.GET('/merchant/balance'));
    expect(error).toMatchObject({ type: 'about:blank', title, status: response.status });
  });

  it('says which call failed, how often it was tried, and why', async () => {
    const { client, time } = serve([disconnected]);
    const call = client.GET('/payments/{transaction_id}', { params: { path: { transaction_id: 'pay_secret' } } });
    const error = await time.pass(call.catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({
      name: 'CallError',
      code: 'NETWORK',
      attempts: 3,
      cause: new TypeError('fetch failed'),
    });
    expect(String(error)).toBe('CallError: GET /payments/{transaction_id}, attempt 3: NETWORK, fetch failed');
  });
});

describe('the events', () => {
  it('tell each attempt without key, identifiers and bodies', async () => {
    const params = { path: { transaction_id: 'pay_secret' } };
    const { client, time, events } = serve([disconnected, problem(503), BALANCE]);
    await time.pass(client.GET('/payments/{transaction_id}', { params }));
    expect(events.map(({ type, attempt }) => `${attempt} ${type}`)).toEqual([
      '1 request',
      '1 failure',
      '1 retry',
      '2 request',
      '2 response',
      '2 retry',
      '3 request',
      '3 response',
    ]);
    expect(JSON.stringify(events)).not.toMatch(/pay_secret|sk_test/);
  });

  it('do no harm when their listener throws', async () => {
    const { client, time } = serve([BALANCE], {
      onEvent() {
        throw new Error('the log is full');
      },
    });
    const { data } = await time.pass(client.GET('/merchant/balance'));
    expect(data?.merchant_id).toBeGreaterThan(0);
  });
});
