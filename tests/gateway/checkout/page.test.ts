/** Contents, languages and refusals of the payment page. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { payerLanguages } from '../../../contract/src/customer-texts.ts';
import { selectLanguage, selectLocale } from '../../../gateway/src/checkout/language.ts';
import { formatAmount, returnAddress } from '../../../gateway/src/checkout/views.ts';
import { StoreUnavailable } from '../../../gateway/src/database/store.ts';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import type { Currency } from '../../../generated/types.ts';
import { watching } from '../../tools/watching.ts';
import { inject, openTestSqlite, startTestGateway } from '../harness.ts';
import { startCheckout, UPI_ANONYMOUS } from './checkout.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;

describe('the payment page', () => {
  it('shows merchant, amount, method, order and the remaining time', async () => {
    const checkout = await startCheckout();
    const { status, html: page } = await checkout.get(await checkout.open());
    expect(status).toBe(200);
    expect(page).toContain('<h1>Pay Test merchant</h1>');
    expect(page).toContain('<p class="amount">₹750.00</p>');
    expect(page).toContain('<dd>UPI</dd>');
    expect(page).toContain('<dd>order-1008</dd>');
    expect(page).toMatch(
      /<time datetime="2026-03-02T09:15:00.000Z" data-locale="en-IN" data-until="[^"]*" data-left="900">15 minutes \(until 09:15 UTC\)/,
    );
    expect(page).toMatch(/^<!doctype html>\s*<html lang="en">/);
    expect(page).toContain('<title>Pay ₹750.00 to Test merchant</title>');
    // The customer data sent by the merchant stay hidden.
    for (const hidden of ['Kiran', '9812345677']) expect(page).not.toContain(hidden);
  });

  it("escapes the merchant's name, the order id and the customer's input", async () => {
    const checkout = await startCheckout();
    const { call } = await checkout.addMerchant(HOSTILE);
    const path = await checkout.open({ ...UPI_ANONYMOUS, merchant_order_id: HOSTILE }, call);
    const form = await checkout.get(path);
    const rejected = await checkout.send(path, { action: 'pay', name: HOSTILE, account_number: HOSTILE });
    await checkout.send(path, { action: 'cancel' });
    const result = await checkout.get(path);
    const escaped =
      '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;&amp;amp;';
    expect(rejected.html).toContain(`value="${escaped}"`);
    for (const { html: page } of [form, rejected, result]) {
      expect(page).toContain(`<dd>${escaped}</dd>`);
      expect(page).toContain(`<bdi>${escaped}</bdi>`);
      expect(page).not.toContain(HOSTILE);
      expect(page.match(/<script/g)).toHaveLength(1);
      expect(page).not.toContain('<img');
    }
  });
});

describe('the policy of the page', () => {
  it('allows only its own style and script', async () => {
    const checkout = await startCheckout();
    const { headers, html: page } = await checkout.get(await checkout.open());
    const directives = headers['content-security-policy']?.split('; ') ?? [];
    const policy = Object.fromEntries(directives.map((directive) => directive.split(/ (.*)/)));
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'style-src': `'${hashElement(page, 'style')}'`,
      'script-src': `'${hashElement(page, 'script')}'`,
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
    });
    expect(page).not.toMatch(/ style=| on[a-z]+=/);
  });

  it('prevents storing, sniffing and referrers of forms, errors and unknown payments', async () => {
    const checkout = await startCheckout();
    const path = await checkout.open();
    const answers = [checkout.get(path), checkout.send(path, 'x'.repeat(20_000)), checkout.get('/checkout/unknown')];
    for (const { headers } of await Promise.all(answers)) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('payment=()'),
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
    }
  });
});

function hashElement(page: string, element: string): string {
  const content = page.split(`<${element}>`)[1]?.split(`</${element}>`)[0] ?? '';
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}

/** A well-formed, unknown token. */
const UNKNOWN = '01kjpyd9d07ha49m2hhzv8zt3201kjpy';
const PAY = { action: 'pay', account_number: 'kiran@upi' };

it('a missing payment page is a page with an explanation', async () => {
  const checkout = await startCheckout();
  for (const path of [`/${UNKNOWN}`, '/pay_01KJPWD6M0J09BZPCH3ETT3T8D', '', `/${UNKNOWN}/other`].map(
    (end) => `/checkout${end}`,
  )) {
    for (const { status, html, headers } of [await checkout.get(path), await checkout.send(path, PAY)]) {
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(html).toContain('Payment not found');
    }
  }
});

describe('an invalid form', () => {
  it.each<[string, number, string, Record<string, string>]>([
    ['without an action', 400, 'account_number=kiran%40upi', {}],
    ['with another action', 400, 'action=refund', {}],
    ['without a body', 400, '', {}],
    ['that is too large', 413, `action=pay&name=${'x'.repeat(20_000)}`, {}],
    ['as JSON', 415, '{"action":"pay"}', { 'content-type': 'application/json' }],
    ['from another site', 403, 'action=cancel', { 'sec-fetch-site': 'cross-site' }],
  ])('%s gets %d, a page and a link back', async (_what, expected, body, headers) => {
    const checkout = await startCheckout();
    const path = await checkout.open();
    const { status, html, headers: answered } = await checkout.send(path, body, headers);
    expect(status).toBe(expected);
    expect(answered['content-type']).toBe('text/html; charset=utf-8');
    expect(html).toContain(`href="http://localhost:4000${path}">Open the payment</a>`);
    expect(await checkout.payment(path)).toMatchObject({ status: 'CREATED' });
  });
});

it.each([
  [503, new StoreUnavailable('down at 10.0.0.7'), '1'],
  [500, new Error('secret detail'), undefined],
])('a failure of the gateway is a page with %d without internals', async (expected, failure, retryAfter) => {
  let failing = false;
  const store = watching(await openTestSqlite(), () => {
    if (failing) throw failure;
  });
  const { gateway } = await startTestGateway({ store });
  failing = true;
  const response = await inject(gateway, { method: 'GET', url: `/checkout/${UNKNOWN}` });
  failing = false;
  expect(response.statusCode).toBe(expected);
  expect(response.headers['retry-after']).toBe(retryAfter);
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(response.body).not.toContain(failure.message);
  expect(response.body).toContain('Request req_');
});

describe('the address to return to', () => {
  const payment = { id: 'pay_1', orderId: 'a b&c=d', status: 'SUCCESS' } as Payment;

  it.each([
    ['https://shop.example.com', 'https://shop.example.com/?'],
    [
      'https://shop.example.com/a?transaction_id=old&x=%20y&status=old&merchant_order_id=old&status#part',
      'https://shop.example.com/a?x=%20y&',
    ],
    ['http://127.0.0.1:3000/?', 'http://127.0.0.1:3000/?'],
  ])('%s keeps its query and gets the identifiers', (returnUrl, begin) => {
    const hash = returnUrl.includes('#') ? '#part' : '';
    expect(returnAddress({ ...payment, returnUrl })).toBe(
      `${begin}transaction_id=pay_1&merchant_order_id=a+b%26c%3Dd&status=SUCCESS${hash}`,
    );
  });

  it.each(['javascript:alert(1)', '//evil.example.com'])('%s is not followed', (returnUrl) => {
    expect(returnAddress({ ...payment, returnUrl })).toBeUndefined();
  });

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

describe('the language of a payment page', () => {
  it.each([
    ['', 'fr-MA,fr;q=0.9,en;q=0.8', 'fr'],
    ['', 'en;q=0.5, ar;q=0.9', 'ar'],
    ['', 'fr;q=0, hi', 'hi'],
    ['', undefined, 'en'],
    ['lang=hi', 'fr', 'hi'],
    ['lang=de', 'fr', 'fr'],
  ])('for the query "%s" and Accept-Language %s is %s', (query, header, code) => {
    expect(selectLanguage(new URLSearchParams(query), header).code).toBe(code);
  });

  it.each(payerLanguages)('has every text, without unfilled placeholders: %s', async (code) => {
    const checkout = await startCheckout();
    const path = await checkout.open(UPI_ANONYMOUS);
    const { html, headers } = await checkout.get(`${path}?lang=${code}`);
    expect(html).toContain(`<html lang="${code}"${code === 'ar' ? ' dir="rtl"' : ''}>`);
    expect(headers['vary']).toMatch(/accept-language/i);
    const wrong = await checkout.send(`${path}?lang=${code}`, { action: 'pay', phone: '1' });
    const cancelled = await checkout.send(`${path}?lang=${code}`, { action: 'cancel' });
    expect(cancelled.headers['location']).toMatch(new RegExp(`/return\\?lang=${code}$`));
    const ended = await checkout.get(`${path}?lang=${code}`);
    const refused = await checkout.get(`/checkout/unknown?lang=${code}`);
    for (const page of [html, wrong.html, ended.html, refused.html]) expect(unfilled(page)).toEqual([]);
  });
});

/** Placeholders in braces, except those filled by the page's script. */
function unfilled(page: string): string[] {
  const text = page.replaceAll(/<(style|script)>[\s\S]*?<\/\1>| data-\w+="[^"]*"/g, '');
  return text.match(/\{\w+\}/g) ?? [];
}

describe('paying with a UPI app', () => {
  it('is offered with a link and the same link as a QR code', async () => {
    const checkout = await startCheckout();
    const path = await checkout.open();
    const { html } = await checkout.get(path);
    const id = (await checkout.payment(path))['transaction_id'];
    expect(html).toContain(
      `href="upi://pay?pa=collect@upi-standard&amp;pn=Test%20merchant&amp;tr=${id}&amp;am=750.00&amp;cu=INR"`,
    );
    expect(html).toMatch(/role="img" aria-label="QR code to pay ₹750.00"><svg aria-hidden="true" /);
  });

  it('asks for no account, since the app knows it', async () => {
    const checkout = await startCheckout();
    const path = await checkout.open(UPI_ANONYMOUS);
    const lacking = await checkout.send(path, { action: 'paid' });
    expect(lacking.status).toBe(422);
    expect(lacking.html).toContain('id="name-error"');
    expect(lacking.html).not.toContain('id="account_number-error"');
    await checkout.send(path, { action: 'paid', name: 'Asha Rao', phone: '+919812345671' });
    await checkout.gateway.idle();
    expect(await checkout.payment(path)).toMatchObject({ status: 'SUCCESS', amount_paid: 75_000 });
  });
});

it.each<[number, Currency, string]>([
  [1, 'INR', '₹0.01'],
  [49_900_000, 'INR', '₹4,99,000.00'],
  [49_900_000, 'DZD', 'DZD 499,000.00'],
  [Number.MAX_SAFE_INTEGER, 'EGP', 'EGP 90,071,992,547,409.91'],
  [9_007_199_254_740_987, 'MAD', 'MAD 90,071,992,547,409.87'],
])('an amount on the page of %d minor units of %s is %s', (minorUnits, currency, shown) => {
  const locale = selectLocale(selectLanguage(new URLSearchParams(), 'en'), currency);
  // Intl writes no-break spaces.
  expect(formatAmount(minorUnits, currency, locale).replaceAll('\u00a0', ' ')).toBe(shown);
});
