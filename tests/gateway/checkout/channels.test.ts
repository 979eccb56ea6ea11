/** The payment page and its channel: the customer sees only results confirmed by the channel. */
import { expect, it } from 'vitest';
import { type Channel, ChannelUnavailable } from '../../../gateway/src/channels/channel.ts';
import { describeOnEachStore, everyChannel, SIMULATOR } from '../harness.ts';
import { type Checkout, startCheckout, UPI } from './checkout.ts';

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

describeOnEachStore('the payment page', (open) => {
  it("shows a cancellation only after the channel's response", async () => {
    const { state, channels } = failing('cancel');
    const checkout = await startCheckout({ store: await open(), channels });
    const path = await checkout.open();
    expect((await checkout.send(path, CANCEL)).status).toBe(303);
    const { html } = await checkout.get(`${path}/return`);
    expect(html).toContain('We are cancelling your payment');
    expect(html).toContain('data-state="CREATED"');
    expect(html).not.toContain('http-equiv="refresh" content="0');
    expect(await checkout.payment(path)).toMatchObject({ status: 'CREATED' });

    state.answers = true;
    checkout.clock.advance(PAUSE_MS);
    await checkout.gateway.idle();
    expect(state.calls).toBe(2);
    expect(await checkout.payment(path)).toMatchObject({ status: 'FAILED', decline_reason: 'CANCELLED_BY_CUSTOMER' });
    expect((await checkout.get(`${path}/return`)).html).toContain('Payment cancelled');
  });

  it('refuses payments during a cancellation', async () => {
    const { state, channels } = failing('cancel');
    const checkout = await startCheckout({ store: await open(), channels });
    const path = await checkout.open();
    await checkout.send(path, CANCEL);
    expect((await checkout.get(path)).html).not.toContain('<form');
    expect((await checkout.send(path, PAY)).status).toBe(303);
    expect((await checkout.send(path, CANCEL)).status).toBe(303);
    expect(state.calls).toBe(1);
    expect(await checkout.payment(path)).toMatchObject({ status: 'CREATED' });
  });

  it('shows a payment as complete if it was paid before its cancellation', async () => {
    const channels = everyChannel({ cancel: async () => ({ event: { type: 'found_paid' } }) });
    const checkout = await startCheckout({ store: await open(), channels });
    const path = await checkout.open();
    await checkout.send(path, CANCEL);
    await checkout.gateway.idle();
    expect(await checkout.payment(path)).toMatchObject({ status: 'SUCCESS', amount_paid: 75_000 });
    expect((await checkout.get(`${path}/return`)).html).toContain('Payment complete');
  });

  it('starts no verification before the channel has confirmed the payment', async () => {
    const { state, channels } = failing('initiate');
    const checkout = await startCheckout({ store: await open(), channels });
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

  it('accepts a payment although the channel refuses an earlier call late', async () => {
    const first = Promise.withResolvers<never>();
    const called = Promise.withResolvers<void>();
    let calls = 0;
    let checkout: Checkout | undefined;
    const channels = everyChannel({
      async initiate(payment, now) {
        calls += 1;
        called.resolve();
        if (calls === 1) return first.promise;
        // The worker gets the channel's refusal during this call.
        first.reject(new ChannelUnavailable('CHANNEL_DOWN'));
        await checkout?.gateway.idle();
        return SIMULATOR.initiate(payment, now);
      },
    });
    checkout = await startCheckout({ store: await open(), channels });
    const { body } = await checkout.call('POST', '/payments', UPI);
    await called.promise;
    expect((await checkout.send(new URL(body.redirect_url).pathname, PAY)).status).toBe(303);
    await checkout.gateway.idle();
    expect(calls).toBe(2);
    const { body: paid } = await checkout.call('GET', `/payments/${body.transaction_id}`);
    expect(paid).toMatchObject({ status: 'SUCCESS' });
  });

  it.each([
    [true, 'Sandbox: no money moves'],
    [false, undefined],
  ])('says that no money moves only for simulated channels (%s)', async (sandbox, said) => {
    const channels = everyChannel().map((channel) => ({ ...channel, sandbox: !sandbox }));
    const own = channels.map((channel) => (channel.name === 'upi-standard' ? { ...channel, sandbox } : channel));
    const checkout = await startCheckout({ store: await open(), channels: own });
    const { html } = await checkout.get(await checkout.open());
    expect(html.match(/Sandbox: no money moves/)?.[0]).toBe(said);
  });
});
