/**
 * The first definite result of a channel decides. Later, contradicting results are exceptions, until operators resolve
 * them.
 */
import { describe, expect, it } from 'vitest';
import type { Channel, ChannelResponse } from '../../../gateway/src/channels/channel.ts';
import { simulatedChannels } from '../../../gateway/src/channels/simulator.ts';
import type { PaymentEvent, PayoutEvent } from '../../../gateway/src/domain/events.ts';
import { EXCEPTIONS_MAX } from '../../../gateway/src/domain/exceptions.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { EXPORTS, Totals } from '../../../gateway/src/management/exports.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { listFailing } from '../harness/failing.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { addOperator } from '../harness/operators.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { startTestGateway } from '../harness.ts';

const SECRET = 'secret-of-the-channel';
const NAMES = ['upi-standard', 'imps-standard'];
const { settlementMs = 0, validityMs = 0 } = findMethod(sandboxMethods, 'payment', 'UPI_IN') ?? {};
const AMOUNT = 49_900;
const FUNDS = 1_000_000;
const CALLBACK = { callback_url: 'https://shop.invalid/hook' };

type PaymentResult = ChannelResponse<PaymentEvent>;
type PayoutResult = ChannelResponse<PayoutEvent>;

const WAIT = { askAgainAt: undefined } as const;
const DECLINED = { event: { type: 'declined', reason: 'BANK_REJECTED' } } as const;
const PAID_OUT = { event: { type: 'succeeded' } } as const;
const succeeded = (amountPaid: number) => ({ event: { type: 'succeeded', amountPaid } }) as const;

/** A gateway with a channel whose results the test sets. */
async function start(replaced: Partial<Channel> = {}) {
  const says = { payment: WAIT as PaymentResult | Error, payout: WAIT as PayoutResult, asked: 0 };
  const verify = async () => {
    says.asked++;
    if (says.payment instanceof Error) throw says.payment;
    return says.payment;
  };
  const payOut = async () => says.payout;
  const channels = simulatedChannels(sandboxMethods, new Map(NAMES.map((name) => [name, SECRET]))).map((channel) => ({
    ...channel,
    ...{ verify, payOut, verifyPayout: payOut, ...replaced },
    name: channel.name,
  }));
  const { log, lines } = recordingLog();
  const test = await startTestGateway({ channels, log });
  const { call, gateway, merchant } = test;
  const { store } = gateway;
  const [dana, lee] = [await addOperator(test), await addOperator(test, 'Lee', 'approve')];
  await fund(store, merchant, FUNDS);
  const pathOf = (id: string) => (id.startsWith('pay_') ? 'payments' : 'payouts');
  const create = async (path: string, body: object): Promise<string> => {
    const created = await call('POST', path, body);
    await gateway.idle();
    return created.body.transaction_id;
  };
  return {
    ...{ test, says, store, dana, lines },
    pay: () => create('/payments', paymentRequest({ ...CALLBACK, amount: AMOUNT })),
    payOut: () => create('/payouts', payoutRequest({ ...CALLBACK, amount: AMOUNT })),
    async confirm(id: string) {
      const asked = await settled(test, call, id);
      await call('POST', `/payments/${id}/confirm`, confirmation(asked));
      await gateway.idle();
    },
    async notify(id: string) {
      const channel = id.startsWith('pay_') ? NAMES[0] : NAMES[1];
      const authorization = `Bearer ${SECRET}`;
      const sent = await call('POST', `/channels/${channel}/notifications`, { transaction_id: id }, { authorization });
      await gateway.idle();
      return sent.status;
    },
    shown: async (id: string) => (await dana.call('GET', `/management/${pathOf(id)}/${id}`)).body,
    wallet: async () => (await dana.call('GET', `/management/merchants/${merchant.id}/wallets`)).body.data[0],
    listed: async (query = '') => (await dana.call('GET', `/management/exceptions${query}`)).body,
    propose: (id: string, resolution: string) =>
      dana.call('POST', `/management/exceptions/${id}/resolve`, {
        ...{ resolution, reference: 'Statement 7, line 14', reason: 'The statement has it' },
      }),
    approve: (id: string) => lee.call('POST', `/management/proposals/${id}/approve`, {}),
  };
}

describe("a channel that contradicts a payment's result", () => {
  it('turns a success after a decline into an exception, which operators can book', async () => {
    const gateway = await start();
    const { says, pay, confirm, notify, shown, wallet, listed, propose, approve, test } = gateway;
    const id = await pay();
    says.payment = DECLINED;
    await confirm(id);
    says.payment = succeeded(AMOUNT);
    expect(await notify(id)).toBe(204);
    const { body: seen } = await test.call('GET', `/payments/${id}`);
    expect(seen).toMatchObject({ status: 'FAILED', decline_reason: 'BANK_REJECTED' });
    expect(await wallet()).toMatchObject({ available: FUNDS, pending: 0 });
    const exception = { call: 'verify', result: 'succeeded', amount: AMOUNT };
    const correction = { direction: 'credit', amount: AMOUNT };
    expect(await shown(id)).toMatchObject({ status: 'FAILED', exceptions: [exception], correction });
    expect((await listed()).data).toMatchObject([{ transaction_id: id, exceptions: [exception] }]);
    expect(await listFailing(gateway.store)).toMatch(
      new RegExp(`  ${id}  FAILED  exception  \\S+  the channel says succeeded, ${AMOUNT} INR  open$`),
    );
    expect((await test.call('GET', '/metrics')).text).toContain('gateway_open_exceptions 1');
    const logged = { level: 'error', job: 'exceptions', transaction_id: id };
    expect(gateway.lines).toContainEqual(expect.objectContaining(logged));

    const proposed = await propose(id, 'booked');
    const amounts = { ...correction, claimed_amount: AMOUNT, booked_amount: 0 };
    expect(proposed.body).toMatchObject({ type: 'exception', transaction_id: id, resolution: 'booked', ...amounts });
    const approved = await approve(proposed.body.id);
    expect(approved.body).toMatchObject({ state: 'approved', ledger_entry_id: expect.any(String) });
    expect(await wallet()).toMatchObject({ available: FUNDS + AMOUNT, pending: 0 });
    expect(await shown(id)).toMatchObject({ status: 'FAILED', exceptions: [{ ...exception, resolution: 'booked' }] });
    expect((await listed()).data).toEqual([]);
    expect(await listFailing(gateway.store)).toBe('no transaction is failing');
    expect(await notify(id)).toBe(204);
    expect((await listed()).data).toEqual([]);
    expect((await auditStore(gateway.store)).differences).toEqual([]);
  });

  it('moves no money for an exception resolved outside, and refuses impossible resolutions', async () => {
    const gateway = await start();
    const { says, pay, confirm, notify, shown, wallet, propose, approve, listed } = gateway;
    const id = await pay();
    says.payment = DECLINED;
    await confirm(id);
    const none = { detail: `${id} has no open exception.` };
    expect(await propose(id, 'outside')).toMatchObject({ status: 409, body: none });
    says.payment = succeeded(AMOUNT);
    await notify(id);
    const { id: first } = (await propose(id, 'outside')).body;
    expect((await propose(id, 'booked')).status).toBe(409);
    says.payment = succeeded(AMOUNT + 1);
    await notify(id);
    expect(await approve(first)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('since') } });
    await gateway.dana.call('POST', `/management/proposals/${first}/reject`, {});
    says.payment = DECLINED;
    await notify(id);
    expect((await shown(id)).correction).toBeUndefined();
    const nothing = { detail: expect.stringContaining('outside') };
    expect(await propose(id, 'booked')).toMatchObject({ status: 409, body: nothing });
    expect((await approve((await propose(id, 'outside')).body.id)).status).toBe(200);
    expect((await shown(id)).exceptions).toMatchObject(Array(3).fill({ resolution: 'outside' }));
    expect(await wallet()).toMatchObject({ available: FUNDS });
    expect((await listed()).data).toEqual([]);
    expect(await propose('pay_1', 'outside')).toMatchObject({ status: 404 });
  });
});

describe('an open exception', () => {
  it('stores a few exceptions per payment, and logs the others', async () => {
    const { says, pay, confirm, notify, shown, lines, store } = await start();
    const id = await pay();
    says.payment = DECLINED;
    await confirm(id);
    for (let amount = 1; amount <= EXCEPTIONS_MAX + 2; amount++) {
      says.payment = succeeded(amount);
      await notify(id);
    }
    expect((await shown(id)).exceptions).toHaveLength(EXCEPTIONS_MAX);
    const logged = lines.filter((line) => line['job'] === 'exceptions');
    expect(logged).toHaveLength(EXCEPTIONS_MAX + 2);
    expect(String(logged.at(-1)?.['err'])).toContain('not stored');
    const pages = EXPORTS.transactions.pages(store.read, { created: {}, now: 0 }, new Totals());
    expect((await pages.next()).value).toMatchObject([{ transaction_id: id, open_exceptions: EXCEPTIONS_MAX }]);
  });

  it('ignores consistent and indefinite results, and responds 503 to a notification that fails', async () => {
    const { says, pay, confirm, notify, shown, lines, test } = await start();
    const { body: invalid } = await test.call('POST', '/payments', paymentRequest({ ...CALLBACK, amount: 1 }));
    await test.gateway.idle();
    expect(await notify(invalid.transaction_id)).toBe(204);
    // Its channel never had this payment.
    expect(says.asked).toBe(0);
    const id = await pay();
    says.payment = succeeded(AMOUNT);
    await confirm(id);
    for (const result of [succeeded(AMOUNT), WAIT]) {
      says.payment = result;
      expect(await notify(id)).toBe(204);
    }
    says.payment = new Error('the bank does not respond');
    expect(await notify(id)).toBe(503);
    expect(lines).toContainEqual(expect.objectContaining({ job: 'notifications', transaction_id: id }));
    expect((await shown(id)).exceptions).toEqual([]);
    says.payment = DECLINED;
    expect(await notify(id)).toBe(204);
    expect((await shown(id)).exceptions).toHaveLength(1);
  });
});

/** Results in order, the correction that they require, and the available money after it. */
it.each([
  ['payment', [succeeded(AMOUNT), DECLINED], 'debit', FUNDS],
  ['payment', [succeeded(AMOUNT), succeeded(2 * AMOUNT)], 'credit', FUNDS + 2 * AMOUNT],
  ['payment', [succeeded(2 * AMOUNT), succeeded(AMOUNT)], 'debit', FUNDS + AMOUNT],
  ['payout', [DECLINED, PAID_OUT], 'debit', FUNDS - AMOUNT],
  ['payout', [PAID_OUT, DECLINED], 'credit', FUNDS],
] as const)(
  'a contradicting result of a %s after %j requires a %s',
  async (kind, [first, later], direction, available) => {
    const gateway = await start();
    const { says, pay, payOut, confirm, notify, shown, wallet, propose, approve, test } = gateway;
    const say = (result: typeof first | typeof later) => Object.assign(says, { payment: result, payout: result });
    say(first);
    const id = kind === 'payment' ? await pay() : await payOut();
    if (kind === 'payment') await confirm(id);
    const { status } = await shown(id);
    say(later);
    // The second notification repeats the result.
    for (const _ of [1, 2]) expect(await notify(id)).toBe(204);
    const call = kind === 'payment' ? 'verify' : 'verifyPayout';
    const exceptions = [{ call, result: later.event.type }];
    expect(await shown(id)).toMatchObject({ status, exceptions, correction: { direction, amount: AMOUNT } });
    test.clock.advance(settlementMs);
    await test.gateway.idle();
    await approve((await propose(id, 'booked')).body.id);
    expect(await wallet()).toMatchObject({ available, pending: 0, reserved: 0 });
    expect(await shown(id)).toMatchObject({ status, exceptions: [{ resolution: 'booked' }] });
    expect((await auditStore(gateway.store)).differences).toEqual([]);
  },
);

describe('a definite result', () => {
  it("ends a payment before the customer's confirmation, without another call", async () => {
    const { says, pay, notify, shown, test } = await start();
    const id = await pay();
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
    says.payment = succeeded(AMOUNT);
    await notify(id);
    expect(says.asked).toBe(1);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: AMOUNT });
    expect((await shown(id)).statuses.slice(-2)).toMatchObject([
      { status: 'VERIFYING', cause: 'found_paid by channel' },
      { status: 'SUCCESS', cause: 'succeeded by channel' },
    ]);
  });

  it('cannot decline a payment that the channel has found paid', async () => {
    const cancel = async () => ({ event: { type: 'found_paid' } }) as const;
    const { says, pay, shown, test } = await start({ cancel });
    says.payment = DECLINED;
    const id = await pay();
    test.clock.advance(validityMs);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'VERIFYING' });
    expect((await shown(id)).failing.error).toContain('VERIFYING, found paid, cannot take the event declined');
    says.payment = succeeded(AMOUNT);
    test.clock.advance(2_000);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: AMOUNT });
  });
});

it('the list of exceptions is paginated, with the oldest open one first', async () => {
  const { says, payOut, notify, listed, test, dana } = await start();
  says.payout = DECLINED;
  const ids = [await payOut(), await payOut(), await payOut()].toReversed();
  says.payout = PAID_OUT;
  for (const id of ids) {
    test.clock.advance(1_000);
    await notify(id);
  }
  const first = await listed('?limit=2');
  const second = await listed(`?limit=2&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data]).toMatchObject(ids.map((transaction_id) => ({ transaction_id })));
  expect(second).not.toHaveProperty('next_cursor');
  expect((await dana.call('GET', '/management/exceptions?cursor=x')).status).toBe(400);
});
