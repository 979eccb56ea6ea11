/** Actions on the payment page, and its states. */
import { describe, expect, it } from 'vitest';
import { payerText } from '../../../contract/src/customer-texts.ts';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { parseTransaction } from '../../../gateway/src/transactions/rows.ts';
import { everyChannel, SIMULATOR } from '../harness.ts';
import { startCheckout, UPI, UPI_ANONYMOUS } from './checkout.ts';

const PAY = { action: 'pay', account_number: 'kiran@upi' };
const CANCEL = { action: 'cancel' };
/** The first delay before an unresponsive channel is called again. */
const PAUSE_MS = 2_000;

/** Replaces a call with one that fails until told to respond. */
function failing<K extends 'initiate' | 'cancel'>(call: K) {
  const state = { answers: false, calls: 0 };
  const replaced = async (...args: never[]) => {
    state.calls++;
    if (!state.answers) throw new Error('timeout');
    return (SIMULATOR[call] as (...given: never[]) => unknown)(...args);
  };
  return { state, channels: everyChannel({ [call]: replaced } as Partial<Channel>) };
}

describe('paying on the payment page', () => {
  it('starts the verification and redirects to the shop with the identifiers', async () => {
    const checkout = await startCheckout();
    const path = await checkout.open({ ...UPI, return_url: 'https://shop.example.com/back?cart=a%20b&x=1#done' });
    const sent = await checkout.send(path, PAY);
    expect(sent.status).toBe(303);
    const back = new URL(sent.headers['location'] ?? '', `http://localhost${path}`).pathname;
    expect(back).toBe(`${path}/return`);
    await checkout.gateway.idle();
    const paid = await checkout.payment(path);
    expect(paid).toMatchObject({ status: 'SUCCESS', amount_paid: 75_000 });
    const address = `https://shop.example.com/back?cart=a%20b&amp;x=1&amp;transaction_id=${paid['transaction_id']}&amp;merchant_order_id=order-1008&amp;status=SUCCESS#done`;
    const { html, headers } = await checkout.get(back);
    expect(html).toContain(`<meta http-equiv="refresh" content="0; url=${address}">`);
    expect(html).toContain(`href="${address}"`);
    expect(headers['x-page-state']).toBe('SUCCESS');
  });

  it.each([
    ['Arabic', '+٩١ ٩٨١٢٣ ٤٥٦٧١', 'kiran٧@upi'],
    ['Persian', '+۹۱ ۹۸۱۲۳ ۴۵۶۷۱', 'kiran۷@upi'],
    ['Hindi', '+९१ ९८१२३ ४५६७१', ' kiran७ @upi'],
    ['pasted', '\u202a+91 98123\u00a045671\u202c', '\u200ekiran7@upi\ufeff'],
  ])('stores %s input as ASCII', async (_kind, phone, account) => {
    const checkout = await startCheckout();
    const path = await checkout.open(UPI_ANONYMOUS);
    const entered = { action: 'pay', name: ' Asha\u0000 Rao ', phone, account_number: account };
    expect((await checkout.send(path, entered)).status).toBe(303);
    const [row = {}] = await checkout.gateway.store.read.all('select * from transactions');
    expect(parseTransaction(row, NO_KEYS)).toMatchObject({
      supplied: { name: 'Asha Rao', phone: '+919812345671', account_number: 'kiran7@upi' },
    });
  });

  it.each([
    ['nothing', {}, ['Enter your full name', 'Enter your phone number', 'Enter your UPI address']],
    ['a phone number without country code', { phone: '9812345671' }, ['with country code, such as +91']],
    ['an account of another form', { account_number: 'kiran' }, ['Enter a UPI address in the form name@bank']],
    ['too long a name', { name: 'x'.repeat(256) }, ['Enter a name of at most 255 characters']],
  ])('is refused after entering %s', async (_what, fields, messages) => {
    const checkout = await startCheckout();
    const path = await checkout.open(UPI_ANONYMOUS);
    const { status, html } = await checkout.send(path, { action: 'pay', ...fields });
    expect(status).toBe(422);
    expect(html).toContain('<title>Error: Pay');
    expect(html).toContain('role="alert" tabindex="-1" autofocus');
    // In the summary and at the field.
    for (const message of messages) expect(html.split(message).length).toBeGreaterThan(2);
    for (const [name, value] of Object.entries(fields)) {
      expect(html).toMatch(
        new RegExp(`<input id="${name}" [^>]*value="${value}"[^>]* aria-describedby="[^"]*${name}-error"`),
      );
    }
    expect(await checkout.payment(path)).toMatchObject({ status: 'CREATED' });
  });

  it('creates one payment from a double click, and has no effect on a final payment', async () => {
    const checkout = await startCheckout();
    const path = await checkout.open();
    const clicks = await Promise.all([checkout.send(path, PAY), checkout.send(path, PAY)]);
    expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
    await checkout.gateway.idle();
    const entries = await checkout.gateway.store.read.all("select * from ledger_entries where reason = 'collected'");
    expect(entries).toHaveLength(1);
    const before = await checkout.payment(path);
    expect((await checkout.send(path, CANCEL)).status).toBe(303);
    expect((await checkout.send(path, PAY)).status).toBe(303);
    expect(await checkout.payment(path)).toEqual(before);
  });
});

it('an expired session refuses the payment, says so and links to the shop', async () => {
  const checkout = await startCheckout();
  const path = await checkout.open();
  checkout.clock.advance(15 * 60_000);
  // The worker has not run in between.
  const [page, sent] = await Promise.all([checkout.get(path), checkout.send(path, PAY)]);
  expect(page.html).toContain('This payment has expired');
  // It fails only once its channel reports it unpaid.
  expect(page.html).toMatch(/href="https:\/\/shop\.example\.com\/[^"]*status=CREATED">Return to Test merchant</);
  expect(page.html).not.toContain('<form');
  expect(sent.status).toBe(303);
  await checkout.gateway.idle();
  expect(await checkout.payment(path)).toMatchObject({ status: 'FAILED', decline_reason: 'TIMEOUT_EXPIRED' });
});

describe('the state of a payment on its page', () => {
  it('waits during the verification, with a link back', async () => {
    const checkout = await startCheckout();
    const path = await checkout.open({ ...UPI, customer: { ...UPI.customer, id: 'stop-VERIFYING' } });
    await checkout.send(path, PAY);
    await checkout.gateway.idle();
    const { html, headers } = await checkout.get(`${path}/return`);
    expect(html).toContain('We are confirming your payment');
    expect(html).toMatch(/<noscript\s*><meta http-equiv="refresh" content="4; url=\?"/);
    expect(html).toMatch(/href="[^"]*status=VERIFYING">Return to Test merchant</);
    expect(headers['x-page-state']).toBe('VERIFYING');
  });

  it('explains a decline to the payer', async () => {
    const reason = 'BANK_REJECTED';
    const checkout = await startCheckout();
    const path = await checkout.open({ ...UPI, customer: { ...UPI.customer, id: `decline-late-${reason}` } });
    await checkout.send(path, PAY);
    await checkout.gateway.idle();
    const { html } = await checkout.get(`${path}/return`);
    const { title, advice } = payerText(reason);
    expect(html).toContain('Payment not completed');
    expect(html).toContain(`<p>${title}</p>\n<p>${advice}</p>`);
    expect(html).not.toContain(reason);
    // It stays until read.
    expect(html).not.toContain('http-equiv="refresh"');
    expect(html).toContain('Return to Test merchant');
  });
});

describe('the payment page', () => {
  it("shows a cancellation only after the channel's response, and refuses payments until then", async () => {
    const { state, channels } = failing('cancel');
    const checkout = await startCheckout({ channels });
    const path = await checkout.open();
    expect((await checkout.send(path, CANCEL)).status).toBe(303);
    const { html } = await checkout.get(`${path}/return`);
    expect(html).toContain('We are cancelling your payment');
    expect(html).toContain('data-state="CREATED"');
    expect(html).not.toContain('http-equiv="refresh" content="0');
    expect((await checkout.get(path)).html).not.toContain('<form');
    for (const action of [PAY, CANCEL]) expect((await checkout.send(path, action)).status).toBe(303);
    expect(state.calls).toBe(1);
    expect(await checkout.payment(path)).toMatchObject({ status: 'CREATED' });

    state.answers = true;
    checkout.clock.advance(PAUSE_MS);
    await checkout.gateway.idle();
    expect(state.calls).toBe(2);
    expect(await checkout.payment(path)).toMatchObject({ status: 'FAILED', decline_reason: 'CANCELLED_BY_CUSTOMER' });
    const result = await checkout.get(`${path}/return`);
    expect(result.html).toContain('Payment cancelled');
    expect(result.html).toMatch(
      /http-equiv="refresh" content="0; url=https:\/\/shop\.example\.com\/[^"]*status=FAILED"/,
    );
  });

  it('shows a payment as complete if it was paid before its cancellation', async () => {
    const channels = everyChannel({ cancel: async () => ({ event: { type: 'found_paid' } }) });
    const checkout = await startCheckout({ channels });
    const path = await checkout.open();
    await checkout.send(path, CANCEL);
    await checkout.gateway.idle();
    expect(await checkout.payment(path)).toMatchObject({ status: 'SUCCESS', amount_paid: 75_000 });
    expect((await checkout.get(`${path}/return`)).html).toContain('Payment complete');
  });

  it('starts no verification before the channel has confirmed the payment', async () => {
    const { state, channels } = failing('initiate');
    const checkout = await startCheckout({ channels });
    const path = await checkout.open();
    const refused = await checkout.send(path, PAY);
    expect(refused.status).toBe(503);
    expect(refused.html).toContain('The payment page is temporarily unavailable');
    expect(await checkout.payment(path)).toMatchObject({ status: 'CREATED' });

    state.answers = true;
    expect((await checkout.send(path, PAY)).status).toBe(303);
    await checkout.gateway.idle();
    expect(await checkout.payment(path)).toMatchObject({ status: 'SUCCESS' });
  });

  it('says that no money moves only for simulated channels', async () => {
    for (const sandbox of [true, false]) {
      const checkout = await startCheckout({ channels: everyChannel().map((channel) => ({ ...channel, sandbox })) });
      const { html } = await checkout.get(await checkout.open());
      expect(html.includes('Sandbox: no money moves')).toBe(sandbox);
    }
  });
});
