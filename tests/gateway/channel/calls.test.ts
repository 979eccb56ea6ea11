/** Which channel is called for a transaction, and notifications, which trigger a call. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { simulatedChannels } from '../../../gateway/src/channels/simulator.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { NO_LOG } from '../../../gateway/src/platform/log.ts';
import { problemType } from '../../tools/problems.ts';
import { balances, clarification, confirmation, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import {
  type Answer,
  describeOnEachStore,
  openTestSqlite,
  sqliteDatabase,
  startTestGateway,
  type TestGateway,
} from '../harness.ts';

const SECRETS = new Map([
  ['upi-standard', 'secret-of-upi-standard'],
  ['upi-trusted', 'secret-of-upi-trusted'],
  ['imps-standard', 'secret-of-imps-standard'],
]);
const AMOUNT = 49_900;

type Verify = Channel['verify'];

function start(store: Store, changes: Partial<Channel>): Promise<TestGateway> {
  const channels = simulatedChannels(sandboxMethods, SECRETS).map((channel) => ({
    ...channel,
    ...changes,
    name: channel.name,
  }));
  return startTestGateway({ store, channels });
}

function notify(
  { call }: TestGateway,
  id: unknown,
  { channel = 'upi-standard', secret = SECRETS.get(channel), body = JSON.stringify({ transaction_id: id }) } = {},
): Promise<Answer> {
  const authorization = secret === undefined ? undefined : `Bearer ${secret}`;
  return call('POST', `/channels/${channel}/notifications`, body, { authorization, 'content-type': 'text/anything' });
}

async function verifying(test: TestGateway): Promise<string> {
  const { body } = await test.call('POST', '/payments', paymentRequest({ amount: AMOUNT }));
  const asked = await settled(test, test.call, body.transaction_id);
  await test.call('POST', `/payments/${body.transaction_id}/confirm`, confirmation(asked));
  expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'VERIFYING' });
  return body.transaction_id;
}

/** A channel without a result until it is paid. */
function waiting() {
  const state = { paid: false, asked: 0 };
  const verify: Verify = async () => {
    state.asked++;
    return state.paid ? { event: { type: 'succeeded', amountPaid: AMOUNT } } : { askAgainAt: undefined };
  };
  return { state, verify };
}

describe('a notification', () => {
  it('triggers an immediate call about a waiting payment', async () => {
    const { state, verify } = waiting();
    const test = await start(await openTestSqlite(), { verify });
    const id = await verifying(test);
    test.clock.advance(60_000);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'VERIFYING' });
    state.paid = true;
    expect(await notify(test, id)).toMatchObject({ status: 204, text: '' });
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: AMOUNT });
  });

  it('leaves the decision to the channel', async () => {
    const { state, verify } = waiting();
    const test = await start(await openTestSqlite(), { verify });
    const id = await verifying(test);
    const body = JSON.stringify({ transaction_id: id, status: 'SUCCESS', amount_paid: AMOUNT });
    expect((await notify(test, id, { body })).status).toBe(204);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'VERIFYING' });
    expect(state.asked).toBe(2);
  });

  it('is rejected without the channel’s secret, before any call', async () => {
    const { state, verify } = waiting();
    const test = await start(await openTestSqlite(), { verify });
    const id = await verifying(test);
    for (const secret of ['', 'wrong', SECRETS.get('upi-trusted')]) {
      const refused = await notify(test, id, { secret: secret ?? '' });
      expect(refused).toMatchObject({ status: 401, body: { type: problemType('unauthorized') } });
    }
    for (const body of ['', '{', '{}', '{"transaction_id":1}', 'null'])
      expect((await notify(test, id, { body })).status).toBe(401);
    await test.gateway.idle();
    expect(state.asked).toBe(1);
  });
});

const UPI = findMethod(sandboxMethods, 'payment', 'UPI_IN');
const IMPS = findMethod(sandboxMethods, 'payout', 'IMPS_IN');
const LEVELS = { TRUSTED: 'trusted', FULL: 'standard', none: 'standard' } as const;

/** The gateway's channels, with a log of their calls. */
function observed(change: (channel: Channel) => Partial<Channel> = () => ({})) {
  const calls: string[] = [];
  const channels = simulatedChannels(sandboxMethods).map((channel): Channel => {
    const noted = { ...channel, ...change(channel) };
    const note =
      <A extends unknown[], R>(what: string, call: (...args: A) => R) =>
      (...args: A): R => {
        calls.push(`${channel.name} ${what}`);
        return call(...args);
      };
    return {
      ...noted,
      initiate: note('initiate', noted.initiate),
      clarify: note('clarify', noted.clarify),
      verify: note('verify', noted.verify),
      cancel: note('cancel', noted.cancel),
      payOut: note('payOut', noted.payOut),
    };
  });
  return { calls, channels };
}

const customer = (level: keyof typeof LEVELS, id = 'customer-1') => ({
  id,
  ...(level !== 'none' && { kyc_level: level }),
});

/** Databases differ in the ids that they refuse. */
describeOnEachStore('a notification about another transaction', (open) => {
  it('gets 404 if its channel has no such transaction', async () => {
    const { state, verify } = waiting();
    const test = await start(await open(), { verify });
    const id = await verifying(test);
    const elsewhere = await notify(test, id, { channel: 'upi-trusted' });
    expect(elsewhere).toMatchObject({
      status: 404,
      body: { detail: `The channel upi-trusted has no transaction ${id}.` },
    });
    for (const unknown of [randomIds.newId('pay', START), 'pay_\u0000', 'x'.repeat(1_000)])
      expect((await notify(test, unknown)).status).toBe(404);
    for (const channel of ['egp-standard', 'pigeon'])
      expect((await notify(test, id, { channel, secret: 'secret' })).status).toBe(404);
    await test.gateway.idle();
    expect(state.asked).toBe(1);
  });
});

describe('a transaction', () => {
  it.each(Object.entries(LEVELS))('uses, for a customer with KYC level %s, the %s channel', async (level, kind) => {
    const { calls, channels } = observed();
    const test = await startTestGateway({ store: await openTestSqlite(), channels });
    await fund(test.gateway.store, test.merchant, 1_000_000);
    const { name: _, phone: __, kyc_level: ___, ...bare } = paymentRequest().customer;
    const request = { ...paymentRequest(), customer: { ...bare, ...customer(level as keyof typeof LEVELS) } };
    const { body: payment } = await test.call('POST', '/payments', request);
    await test.call('POST', `/payments/${payment.transaction_id}/clarify`, clarification(payment));
    const asked = await settled(test, test.call, payment.transaction_id);
    expect(asked.pay_data.receiver_account).toBe(`collect@${UPI?.channels[kind]}`);
    await test.call('POST', `/payments/${payment.transaction_id}/confirm`, confirmation(asked));
    await settled(test, test.call, payment.transaction_id);
    const { kyc_level: ____, ...account } = payoutRequest().customer;
    const payout = {
      ...payoutRequest({ amount: 1_000 }),
      customer: { ...account, ...customer(level as keyof typeof LEVELS) },
    };
    await test.call('POST', '/payouts', payout);
    await test.gateway.idle();
    expect(calls).toEqual([
      `${UPI?.channels[kind]} clarify`,
      `${UPI?.channels[kind]} verify`,
      `${IMPS?.channels[kind]} payOut`,
    ]);
  });

  it('keeps its channel after a restart, even if its customer would now get another', async () => {
    const shared = await sqliteDatabase();
    const store = shared.connect();
    await migrate(store);
    const first = observed();
    const before = await startTestGateway({ store: shared.connect(), channels: first.channels });
    const id = await initiated(before, 'TRUSTED');
    await before.gateway.close();
    await store.unit((db) => db.run(`update transactions set details = replace(details, '"TRUSTED"', '"FULL"')`));
    const second = observed();
    const after = await startTestGateway({ store, clock: before.clock, channels: second.channels });
    after.clock.advance(UPI?.validityMs ?? 0);
    await after.gateway.idle();
    const row = await store.read.get('select status from transactions where id = ?', id);
    expect(row).toEqual({ status: 'FAILED' });
    expect(first.calls).toEqual(['upi-trusted initiate']);
    expect(second.calls).toEqual(['upi-trusted cancel']);
  });

  it('whose method was removed after its payout was sent is asked about again', async () => {
    let result: Awaited<ReturnType<Channel['payOut']>> = { askAgainAt: START + 60_000 };
    const test = await start(await openTestSqlite(), { payOut: async () => result });
    const { store } = test.gateway;
    await fund(store, test.merchant, AMOUNT);
    const { body } = await test.call('POST', '/payouts', payoutRequest({ amount: AMOUNT }));
    await test.gateway.idle();
    await store.unit((db) => db.run(`update transactions set state = replace(state, '"IMPS_IN"', '"IMPS_OLD"')`));
    result = { event: { type: 'succeeded' } };
    test.clock.advance(60_000);
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'SUCCESS' });
    expect(await balances(test.call)).toEqual({ INR: { available: 0, pending: 0 } });
  });

  it('whose channel is missing stays unchanged, and is reported', async () => {
    const reported: object[] = [];
    const log = { ...NO_LOG, error: (fields: object) => void reported.push(fields) };
    const store = await openTestSqlite();
    const test = await startTestGateway({ store, log });
    const id = await initiated(test, 'FULL');
    await store.unit((db) => db.run(`update transactions set state = replace(state, 'upi-standard', 'upi-gone')`));
    test.clock.advance(UPI?.validityMs ?? 0);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
    expect(reported).toMatchObject([{ transaction_id: id, err: expect.any(Error) }]);
    expect(String((reported[0] as { err: Error }).err)).toContain('belongs to the channel upi-gone');
  });
});

async function initiated(test: TestGateway, level: keyof typeof LEVELS): Promise<string> {
  const { body } = await test.call('POST', '/payments', paymentRequest({ customer: customer(level) }));
  expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  return body.transaction_id;
}

it('the channels of a gateway are refused if there is a secret for an unknown one', () => {
  expect(() => simulatedChannels(sandboxMethods, new Map([['upi-other', 'secret']]))).toThrow('the channel upi-other');
});
