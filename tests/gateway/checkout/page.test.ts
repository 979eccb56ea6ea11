import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { html } from '../../../gateway/src/http/html.ts';
import { startCheckout, UPI, UPI_ANONYMOUS } from './checkout.ts';

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
  });

  it('shows the elapsed share of the time', async () => {
    const checkout = await startCheckout();
    const path = await checkout.open();
    checkout.clock.advance(14 * 60_000 + 30_000);
    expect((await checkout.get(path)).html).toContain('data-left="30">1 minute');
  });

  it('asks for missing customer data and the account', async () => {
    const checkout = await startCheckout();
    const known = await checkout.get(await checkout.open());
    expect(listInputs(known.html)).toEqual(['account_number']);
    const unknown = await checkout.get(await checkout.open({ ...UPI_ANONYMOUS, merchant_order_id: 'order-2' }));
    expect(listInputs(unknown.html)).toEqual(['name', 'phone', 'account_number']);
  });

  it('has no fields if the method requires no data', async () => {
    const checkout = await startCheckout();
    const path = await checkout.open({ ...UPI, currency: 'EGP', payment_method_type: 'WALLET_EG' });
    const { html: page } = await checkout.get(path);
    expect(listInputs(page)).toEqual([]);
    expect(page).toContain('Wallet in Egypt');
    expect((await checkout.send(path, { action: 'pay' })).status).toBe(303);
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

  it("shows only its own merchant's data", async () => {
    const checkout = await startCheckout();
    const other = await checkout.addMerchant('Other shop');
    const own = await checkout.open();
    const others = await checkout.open({ ...UPI, merchant_order_id: 'secret-order' }, other.call);
    const page = (await checkout.get(own)).html;
    expect(page).not.toContain('Other shop');
    expect(page).not.toContain('secret-order');
    expect((await checkout.get(others)).html).not.toContain('Test merchant');
  });

  it('hides the customer data sent by the merchant', async () => {
    const checkout = await startCheckout();
    const { html: page } = await checkout.get(await checkout.open());
    expect(page).not.toContain('Kiran');
    expect(page).not.toContain('9812345677');
  });
});

describe('the policy of the page', () => {
  it('allows only its own style and script', async () => {
    const checkout = await startCheckout();
    const { headers, html: page } = await checkout.get(await checkout.open());
    const policy = new Map(
      headers['content-security-policy']?.split('; ').map((part) => {
        const [name = '', ...sources] = part.split(' ');
        return [name, sources.join(' ')];
      }),
    );
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('style-src')).toBe(`'${hashElement(page, 'style')}'`);
    expect(policy.get('script-src')).toBe(`'${hashElement(page, 'script')}'`);
    expect(policy.get('form-action')).toBe("'self'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect(page).not.toMatch(/ style=| on[a-z]+=/);
  });

  it.each(['the form', 'an error', 'an unknown payment'])(
    'prevents storing, sniffing and referrers: %s',
    async (kind) => {
      const checkout = await startCheckout();
      const path = await checkout.open();
      const answers = {
        'the form': () => checkout.get(path),
        'an error': () => checkout.send(path, 'x'.repeat(20_000)),
        'an unknown payment': () => checkout.get('/checkout/unknown'),
      };
      const { headers } = await answers[kind as keyof typeof answers]();
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    },
  );
});

describe('the template', () => {
  it('escapes values in text and attributes, and keeps its own markup', () => {
    const inner = html`<b>${'<&>'}</b>`;
    expect(html`<p title="${`"'`}">${[inner, inner]}${undefined}${false}${0}</p>`.text).toBe(
      '<p title="&quot;&#39;"><b>&lt;&amp;&gt;</b><b>&lt;&amp;&gt;</b>0</p>',
    );
  });
});

function listInputs(page: string): string[] {
  return [...page.matchAll(/<input id="(\w+)"/g)].map(([, name = '']) => name);
}

function hashElement(page: string, element: string): string {
  const content = page.split(`<${element}>`)[1]?.split(`</${element}>`)[0] ?? '';
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}
