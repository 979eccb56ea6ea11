import { describe, expect, it } from 'vitest';
import { returnAddress } from '../../../gateway/src/checkout/views.ts';
import { StoreUnavailable } from '../../../gateway/src/database/store.ts';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import { inject, openTestSqlite, startTestGateway } from '../harness.ts';
import { startCheckout, UPI } from './checkout.ts';

/** A well-formed, unknown token. */
const UNKNOWN = '01kjpyd9d07ha49m2hhzv8zt3201kjpy';
const PAY = { action: 'pay', account_number: 'kiran@upi' };

describe('a missing payment page', () => {
  it.each([
    ['a token that nobody has', `/checkout/${UNKNOWN}`],
    ['a token of another form', "/checkout/'%20or%201=1"],
    ['a transaction id', '/checkout/pay_01KJPWD6M0J09BZPCH3ETT3T8D'],
    ['no token', '/checkout'],
    ['a path below', `/checkout/${UNKNOWN}/other`],
  ])('is a page with an explanation: %s', async (_what, path) => {
    const checkout = await startCheckout();
    for (const { status, html, headers } of [await checkout.get(path), await checkout.send(path, PAY)]) {
      expect(status).toBe(404);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(html).toContain('Payment not found');
    }
  });

  it('is also returned for a host-to-host payment', async () => {
    const checkout = await startCheckout();
    const { return_url: _, ...request } = UPI;
    const { body } = await checkout.call('POST', '/payments', request);
    expect(body.redirect_url).toBeUndefined();
    const row = await checkout.gateway.store.read.get('select checkout_token from transactions');
    expect(row?.['checkout_token']).toBeNull();
  });
});

describe('an invalid form', () => {
  it.each<[string, number, string, Record<string, string>]>([
    ['without an action', 400, 'account_number=kiran%40upi', {}],
    ['with another action', 400, 'action=refund', {}],
    ['without a body', 400, '', {}],
    ['that is too large', 413, `action=pay&name=${'x'.repeat(20_000)}`, {}],
    ['as JSON', 415, '{"action":"pay"}', { 'content-type': 'application/json' }],
    ['as text', 415, 'action=pay', { 'content-type': 'text/plain' }],
    ['from another site', 403, 'action=cancel', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling host', 403, 'action=cancel', { 'sec-fetch-site': 'same-site' }],
    ['from a page that hides its origin', 403, 'action=cancel', { origin: 'null' }],
    ['from another origin', 403, 'action=cancel', { origin: 'https://evil.example.com' }],
  ])('%s gets %d, a page and a link back', async (_what, expected, body, headers) => {
    const checkout = await startCheckout();
    const path = await checkout.open();
    const { status, html, headers: answered } = await checkout.send(path, body, headers);
    expect(status).toBe(expected);
    expect(answered['content-type']).toBe('text/html; charset=utf-8');
    expect(html).toContain(`href="http://localhost:4000${path}">Open the payment</a>`);
    expect(await checkout.payment(path)).toMatchObject({ status: 'CREATED' });
  });

  it.each([
    ['its own origin', { origin: 'http://localhost:80', host: 'localhost:80' }],
    ['the same origin by Sec-Fetch-Site', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('is refused from %s', async (_what, headers) => {
    const checkout = await startCheckout();
    expect((await checkout.send(await checkout.open(), PAY, headers)).status).toBe(303);
  });

  it('with repeated or unknown fields is read anyway', async () => {
    const checkout = await startCheckout();
    const path = await checkout.open();
    const body = 'action=pay&account_number=kiran%40upi&account_number=other%40upi&status=SUCCESS&amount=1';
    expect((await checkout.send(path, body)).status).toBe(303);
    await checkout.gateway.idle();
    expect(await checkout.payment(path)).toMatchObject({ status: 'SUCCESS', amount_paid: 75_000 });
  });
});

describe('the API next to the payment page', () => {
  it('refuses forms and returns problems', async () => {
    const checkout = await startCheckout();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await checkout.call('POST', '/payments', 'amount=1', headers);
    expect(form.status).toBe(415);
    expect(form.headers['content-type']).toContain('application/problem+json');
    expect((await checkout.call('GET', '/unknown')).body.type).toContain('not-found');
    expect(form.headers['content-security-policy']).toBeUndefined();
  });
});

describe('a failure of the gateway', () => {
  it.each([
    [503, new StoreUnavailable('down at 10.0.0.7'), '1'],
    [500, new Error('secret detail'), undefined],
  ])('is a page with %d without internals', async (expected, failure, retryAfter) => {
    const store = await openTestSqlite();
    let failing = false;
    const read = new Proxy(store.read, {
      get: (target, name, receiver) =>
        failing && name === 'get' ? () => Promise.reject(failure) : Reflect.get(target, name, receiver).bind(target),
    });
    const { gateway } = await startTestGateway({ store: { ...store, kind: store.kind, read } });
    failing = true;
    const response = await inject(gateway, { method: 'GET', url: `/checkout/${UNKNOWN}` });
    failing = false;
    expect(response.statusCode).toBe(expected);
    expect(response.headers['retry-after']).toBe(retryAfter);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.body).not.toContain(failure.message);
    expect(response.body).toContain('Request req_');
  });
});

describe('the address to return to', () => {
  const payment = { id: 'pay_1', orderId: 'a b&c=d', status: 'SUCCESS' } as Payment;

  it.each([
    ['https://shop.example.com', 'https://shop.example.com/?'],
    ['https://shop.example.com/a?x=%20y&status=mine#part', 'https://shop.example.com/a?x=%20y&'],
    ['http://127.0.0.1:3000/?', 'http://127.0.0.1:3000/?'],
  ])('%s keeps its query and gets the identifiers', (returnUrl, begin) => {
    const hash = returnUrl.includes('#') ? '#part' : '';
    expect(returnAddress({ ...payment, returnUrl })).toBe(
      `${begin}transaction_id=pay_1&merchant_order_id=a+b%26c%3Dd&status=SUCCESS${hash}`,
    );
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example.com', 'not an address'])(
    '%s is not followed',
    (returnUrl) => {
      expect(returnAddress({ ...payment, returnUrl })).toBeUndefined();
    },
  );

  it('is the stored one, regardless of the request', async () => {
    const checkout = await startCheckout();
    const path = await checkout.open();
    const evil = 'return_url=https%3A%2F%2Fevil.example.com';
    const sent = await checkout.send(`${path}?${evil}`, `action=cancel&${evil}`, {
      'x-forwarded-host': 'evil.example.com',
    });
    const back = await checkout.get(`${path}/return?${evil}`);
    expect(sent.headers['location']).toBe(`${path.split('/').at(-1)}/return`);
    expect(back.html).not.toContain('evil.example.com');
  });
});
