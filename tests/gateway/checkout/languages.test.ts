/** Languages, amounts and times of the payment page. */
import { describe, expect, it } from 'vitest';
import { payerLanguages } from '../../../contract/src/customer-texts.ts';
import { selectLanguage, selectLocale } from '../../../gateway/src/checkout/language.ts';
import { formatAmount } from '../../../gateway/src/checkout/views.ts';
import type { Currency } from '../../../generated/types.ts';
import { startCheckout, UPI_ANONYMOUS } from './checkout.ts';

describe('the language of a payment page', () => {
  it.each([
    ['', 'fr-MA,fr;q=0.9,en;q=0.8', 'fr'],
    ['', 'en;q=0.5, ar;q=0.9', 'ar'],
    ['', 'de', 'en'],
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

const ENGLISH = selectLanguage(new URLSearchParams(), 'en');

/** Intl writes no-break spaces. */
const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

it.each<[number, Currency, string]>([
  [1, 'INR', '₹0.01'],
  [49_900_000, 'INR', '₹4,99,000.00'],
  [49_900_000, 'DZD', 'DZD 499,000.00'],
  [Number.MAX_SAFE_INTEGER, 'EGP', 'EGP 90,071,992,547,409.91'],
  [9_007_199_254_740_987, 'MAD', 'MAD 90,071,992,547,409.87'],
])('an amount on the page of %d minor units of %s is %s', (minorUnits, currency, shown) => {
  expect(spaced(formatAmount(minorUnits, currency, selectLocale(ENGLISH, currency)))).toBe(shown);
});
