/**
 * Results of channels are validated against their schema. An invalid one is an error of the channel, and is never
 * stored.
 */
import { describe, expect, it } from 'vitest';
import { type Channel, ChannelUnavailable, type InboundNotification } from '../../../gateway/src/channels/channel.ts';
import { withCheckedResults } from '../../../gateway/src/channels/results.ts';
import type { Payment, Payout } from '../../../gateway/src/domain/transaction.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { SIMULATOR } from '../harness/channels.ts';
import { balances, confirmation, settled } from '../harness/customer.ts';
import { listFailing } from '../harness/failing.ts';
import { fund, openTestPayment, paymentRequest, payoutRequest, REDIRECT, START } from '../harness/fixtures.ts';
import { addOperator } from '../harness/operators.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { everyChannel, startTestGateway } from '../harness.ts';

const AMOUNT = 49_900;
const MAX = Number.MAX_SAFE_INTEGER;
const SECOND = 1_000;
const YEAR = 366 * 24 * 60 * 60 * SECOND;
const PAYMENT = { kind: 'payment' } as Payment;
const PAYOUT = { kind: 'payout' } as Payout;
const PAY_DATA = { receiver_account: 'shop@bank', available_amounts: [AMOUNT] };
const ASKED = { payData: PAY_DATA, confirm: ['tid'] };

type Call = 'initiate' | 'clarify' | 'verify' | 'cancel' | 'payOut';

/** Calls a channel with this return value. */
function returned(call: Call, result: unknown, more: Partial<Channel> = {}): Promise<unknown> {
  const channel = withCheckedResults({ ...SIMULATOR, ...more, [call]: async () => result });
  if (call === 'payOut') return channel.payOut(PAYOUT, START);
  return call === 'clarify' ? channel.clarify(PAYMENT, {}, START) : channel[call](PAYMENT, START);
}

const event = (type: string, members: object = {}) => ({ event: { type, ...members } });
const asking = (payData: object) => event('confirmation_needed', { ...ASKED, payData: { ...PAY_DATA, ...payData } });
const times = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a checked channel', () => {
  it('gets no more of a payment than channels need', async () => {
    let seen: object = {};
    const channel = withCheckedResults({
      ...SIMULATOR,
      async initiate(payment) {
        seen = payment;
        return { askAgainAt: undefined };
      },
    });
    const payment = openTestPayment(1, { return_url: 'https://shop.example.com/return' }).transaction;
    const { id, customer, status } = payment;
    await channel.initiate(payment, START);
    expect(seen).toMatchObject({ id, customer, status });
    const hidden = ['version', 'dueAt', 'callbackUrl', 'checkoutToken', 'usageAmount', 'openedAs', 'history', 'calls'];
    expect(hidden.filter((name) => name in seen)).toEqual([]);
  });

  it.each<[Call, unknown, Partial<Channel>?]>([
    ['clarify', event('clarified', { items: { name: 'Asha\nRao', note: '😀'.repeat(255) }, ...ASKED })],
    ['verify', event('succeeded', { amountPaid: MAX })],
    ['verify', event('declined', { reason: 'OUT_OF_LUCK' }), { declineReasons: ['OUT_OF_LUCK'] }],
    ['verify', { askAgainAt: START - YEAR }],
    ['payOut', { askAgainAt: START + YEAR }],
  ])('returns a valid result of %s: %j', async (call, result, more) => {
    expect(await returned(call, result, more)).toEqual(result);
  });

  it.each<[Call, unknown, string]>([
    ['verify', undefined, 'the result must be an object, not undefined'],
    ['verify', {}, 'event is missing'],
    ['verify', { askAgainAt: START, ...event('succeeded', { amountPaid: 1 }) }, 'event is unknown'],
    ['verify', { askAgainAt: START / SECOND }, 'a time in milliseconds since 1970'],
    ['verify', event('succeeded', { amountPaid: 1.5 }), 'event.amountPaid must be an integer from 1 to'],
    ['verify', event('declined', { reason: 'OUT_OF_LUCK' }), "not 'OUT_OF_LUCK'"],
    ['initiate', event('confirmation_needed', { ...ASKED, confirm: [] }), 'event.confirm must be 1 to 50'],
    ['initiate', event('confirmation_needed', { confirm: ['tid'] }), 'event.payData is missing'],
    ['initiate', asking({ available_amounts: times(51) }), 'must be 1 to 50 different amounts'],
    ['initiate', asking({ receiver_account: 'a\u0000b' }), 'receiver_account must be 1 to 255 characters'],
    ['initiate', event('clarification_needed', { items: ['name', 'name'] }), 'event.items must be 1 to 50 different'],
    ['clarify', event('clarified', { items: { name: 'x'.repeat(256) }, ...ASKED }), 'event.items must be an object'],
    ['cancel', event('declined', { reason: 'BANK_REJECTED' }), 'event.type must be one of cancelled, found_paid'],
    ['payOut', event('succeeded', { amountPaid: 1 }), 'event.amountPaid is unknown'],
    ['payOut', event('declined', { reason: 'KYC_BLOCKED' }), 'event.reason must be a decline reason'],
    ['payOut', { event: { type: 'succeeded', note: () => 1 } }, 'it must be plain data'],
  ])('rejects an invalid result of %s: %j', async (call, result, problem) => {
    const rejection = returned(call, result);
    await expect(rejection).rejects.toThrow(`${call} of the channel simulator returned an invalid result`);
    await expect(rejection).rejects.toThrow(problem);
  });

  it('rejects an error with an undeclared decline reason', async () => {
    const refusing = (reason: string) =>
      withCheckedResults({
        ...SIMULATOR,
        initiate: () => Promise.reject(new ChannelUnavailable(reason as 'CHANNEL_DOWN')),
      }).initiate(PAYMENT, START);
    await expect(refusing('CHANNEL_DOWN')).rejects.toThrow(ChannelUnavailable);
    await expect(refusing('call +91 98123 45671')).rejects.toThrow('must be CHANNEL_DOWN or CHANNEL_OVERLOADED, not a');
    const empty = withCheckedResults({ ...SIMULATOR, initiate: () => Promise.reject(undefined) });
    await expect(empty.initiate(PAYMENT, START)).rejects.toThrow('it threw undefined');
  });

  it('checks receivers, notifications and statements', () => {
    const request: InboundNotification = { headers: {}, body: new Uint8Array() };
    const channel = withCheckedResults({
      ...SIMULATOR,
      receiver: () => '',
      notification: (() => 5) as never,
      statement: () => [
        { transactionId: 'pay_1', amount: 1, currency: 'INR' },
        { transactionId: 'pay_2', amount: 1.5, currency: 'INR' },
      ],
    });
    expect(() => channel.receiver?.(PAYMENT)).toThrow('it must be 1 to 255 characters');
    expect(() => channel.notification?.(request)).toThrow('it must be a string, or undefined, not 5');
    expect(() => channel.statement?.(Buffer.from(''))).toThrow('bookings[1].amount must be an integer');
  });
});

/** A funded gateway with the replaced calls, and the calls of an operator. */
async function start(replaced: Partial<Channel>) {
  const { log, lines } = recordingLog();
  const test = await startTestGateway({ channels: everyChannel(replaced), log });
  const { store } = test.gateway;
  const { call: operate } = await addOperator(test);
  await fund(store, test.merchant, 1_000_000);
  const pass = async (ms: number) => {
    test.clock.advance(ms);
    await test.gateway.idle();
  };
  return { test, store, operate, pass, lines };
}

describe('an invalid result', () => {
  it('is stored with the payment without being booked, and makes the gateway ask again after a delay', async () => {
    let amountPaid = AMOUNT + 0.5;
    const verify = async () => event('succeeded', { amountPaid }) as never;
    const { test, store, operate, pass, lines } = await start({ verify });
    const { body: created } = await test.call('POST', '/payments', paymentRequest({ amount: AMOUNT }));
    const id = created.transaction_id;
    await test.call('POST', `/payments/${id}/confirm`, confirmation(await settled(test, test.call, id)));
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'VERIFYING' });
    await pass(2 * SECOND);
    const { body } = await operate('GET', `/management/payments/${id}`);
    const error = expect.stringContaining('event.amountPaid must be an integer from 1 to 9007199254740991, in minor');
    expect(body.channel_calls.at(-1)).toMatchObject({ call: 'verify', result: 'invalid_result', error, times: 2 });
    expect(body.failing).toMatchObject({ failures: 2, error });
    expect(await listFailing(store)).toContain(id);
    const logged = lines.filter(({ level }) => level === 'error');
    expect(logged).toEqual([1, 2].map((failures) => expect.objectContaining({ transaction_id: id, failures })));
    const { text: metrics } = await test.call('GET', '/metrics');
    expect(metrics).toContain('seconds_count{channel="upi-standard",call="verify",outcome="invalid"} 2');
    expect((await auditStore(store)).differences).toEqual([]);
    amountPaid = AMOUNT;
    await pass(4 * SECOND);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: AMOUNT });
    expect(await balances(test.call)).toMatchObject({ INR: { pending: AMOUNT } });
  });

  it("keeps a payout open with its money reserved, and the channel's text out of the logs", async () => {
    const reason = `call +919800000001 ${'x'.repeat(5_000)}`;
    const { test, operate, lines } = await start({ payOut: async () => event('declined', { reason }) as never });
    const { body } = await test.call('POST', '/payouts', payoutRequest({ amount: 1_000 }));
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'PROCESSING' });
    const { text } = await operate('GET', `/management/payouts/${body.transaction_id}`);
    const logged = lines.map((line) => `${JSON.stringify(line)} ${(line['err'] as Error | undefined)?.stack}`);
    for (const shown of [text, ...logged]) expect(shown).not.toContain('9800000001');
    expect(text).toContain(`not a string of ${reason.length} characters`);
  });

  it('leaves the payment page without a QR code if it is a receiver', async () => {
    const { test, lines } = await start({ receiver: () => '' });
    const { body } = await test.call('POST', '/payments', paymentRequest({}, REDIRECT));
    const page = await test.call('GET', new URL(body.redirect_url).pathname);
    expect(page.status).toBe(200);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', transaction_id: body.transaction_id }));
  });
});
