/** Which channel is called for a transaction and when: at notifications, and once for concurrent requests. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { CALL_MS_MAX, withTimeLimit } from '../../../gateway/src/channels/channels.ts';
import { simulatedChannels } from '../../../gateway/src/channels/simulator.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { beginCall } from '../../../gateway/src/domain/schedule.ts';
import type { Items, Payout } from '../../../gateway/src/domain/transaction.ts';
import { createApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { problemType } from '../../tools/problems.ts';
import { balances, clarification, confirmation, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import {
  type Answer,
  describeOnEachStore,
  everyChannel,
  openTestSqlite,
  SIMULATOR,
  startTestGateway,
  type TestGateway,
} from '../harness.ts';

const SECRETS = new Map([
  ['upi-standard', 'secret-of-upi-standard'],
  ['upi-trusted', 'secret-of-upi-trusted'],
]);
const AMOUNT = 49_900;
const UPI = findMethod(sandboxMethods, 'payment', 'UPI_IN');
const IMPS = findMethod(sandboxMethods, 'payout', 'IMPS_IN');
const { validityMs = 0 } = UPI ?? {};

/** A gateway whose channel has no result until it is paid, with a payment confirmed by its customer. */
async function startWaiting(open = openTestSqlite) {
  const state = { paid: false, asked: 0 };
  const verify: Channel['verify'] = async () => {
    state.asked++;
    return state.paid ? { event: { type: 'succeeded', amountPaid: AMOUNT } } : { askAgainAt: undefined };
  };
  const channels = simulatedChannels(sandboxMethods, SECRETS).map((channel) => ({ ...channel, verify }));
  const test = await startTestGateway({ store: await open(), channels });
  const { id, asked } = await initiated(test);
  await test.call('POST', `/payments/${id}/confirm`, confirmation(asked));
  expect(await settled(test, test.call, id)).toMatchObject({ status: 'VERIFYING' });
  return { test, id, state };
}

async function initiated(test: TestGateway, customer: object = {}) {
  const { body } = await test.call('POST', '/payments', paymentRequest({ amount: AMOUNT, customer }));
  const asked = await settled(test, test.call, body.transaction_id);
  expect(asked).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  return { id: body.transaction_id as string, asked };
}

function notify(
  { call }: TestGateway,
  id: unknown,
  { channel = 'upi-standard', secret = SECRETS.get(channel), body = JSON.stringify({ transaction_id: id }) } = {},
): Promise<Answer> {
  const authorization = secret === undefined ? undefined : `Bearer ${secret}`;
  return call('POST', `/channels/${channel}/notifications`, body, { authorization, 'content-type': 'text/anything' });
}

describe('a notification', () => {
  it('triggers an immediate call about a waiting payment, and leaves the decision to the channel', async () => {
    const { test, id, state } = await startWaiting();
    const body = JSON.stringify({ transaction_id: id, status: 'SUCCESS', amount_paid: AMOUNT });
    expect(await notify(test, id, { body })).toMatchObject({ status: 204, text: '' });
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'VERIFYING' });
    expect(state.asked).toBe(2);
    state.paid = true;
    expect((await notify(test, id)).status).toBe(204);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: AMOUNT });
  });

  it('is rejected without the channel’s secret or beyond the limit of bodies, before any call', async () => {
    const { test, id, state } = await startWaiting();
    for (const secret of ['', 'wrong', SECRETS.get('upi-trusted')]) {
      const refused = await notify(test, id, { secret: secret ?? '' });
      expect(refused).toMatchObject({ status: 401, body: { type: problemType('unauthorized') } });
    }
    for (const body of ['', '{', '{}', '{"transaction_id":1}', 'null'])
      expect((await notify(test, id, { body })).status).toBe(401);
    expect((await notify(test, id, { body: 'x'.repeat(70_000) })).status).toBe(413);
    await test.gateway.idle();
    expect(state.asked).toBe(1);
  });
});

/** Databases differ in the ids that they refuse. */
describeOnEachStore('a notification about another transaction', (open) => {
  it('gets 404 if its channel has no such transaction', async () => {
    const { test, id, state } = await startWaiting(open);
    const elsewhere = await notify(test, id, { channel: 'upi-trusted' });
    const detail = `The channel upi-trusted has no transaction ${id}.`;
    expect(elsewhere).toMatchObject({ status: 404, body: { detail } });
    for (const unknown of [randomIds.newId('pay', START), 'pay_\u0000', 'x'.repeat(1_000)])
      expect((await notify(test, unknown)).status).toBe(404);
    for (const channel of ['egp-standard', 'pigeon'])
      expect((await notify(test, id, { channel, secret: 'secret' })).status).toBe(404);
    await test.gateway.idle();
    expect(state.asked).toBe(1);
  });
});

it('the channels of a gateway are refused if there is a secret for an unknown one', () => {
  expect(() => simulatedChannels(sandboxMethods, new Map([['upi-other', 'secret']]))).toThrow('the channel upi-other');
});

describe('a transaction', () => {
  it.each([
    ['TRUSTED', 'trusted'],
    ['FULL', 'standard'],
    [undefined, 'standard'],
  ] as const)('uses, for a customer with KYC level %s, the %s channel', async (kyc_level, kind) => {
    const test = await startTestGateway();
    await fund(test.gateway.store, test.merchant, 1_000_000);
    const customer: object = { name: undefined, phone: undefined, kyc_level };
    const { body: payment } = await test.call('POST', '/payments', paymentRequest({ customer }));
    await test.call('POST', `/payments/${payment.transaction_id}/clarify`, clarification(payment));
    const asked = await settled(test, test.call, payment.transaction_id);
    expect(asked.pay_data.receiver_account).toBe(`collect@${UPI?.channels[kind]}`);
    await test.call('POST', `/payments/${payment.transaction_id}/confirm`, confirmation(asked));
    await test.gateway.idle();
    const account: object = { kyc_level };
    await test.call('POST', '/payouts', payoutRequest({ amount: 1_000, customer: account }));
    await test.gateway.idle();
    const { text } = await test.call('GET', '/metrics');
    const calls = [...text.matchAll(/seconds_count\{channel="([\w-]+)",call="(\w+)"/g)];
    expect(new Set(calls.map(([, channel, call]) => `${channel} ${call}`))).toEqual(
      new Set([`${UPI?.channels[kind]} clarify`, `${UPI?.channels[kind]} verify`, `${IMPS?.channels[kind]} payOut`]),
    );
  });

  it('whose method was removed after its payout was sent is asked about again', async () => {
    let result: Awaited<ReturnType<Channel['payOut']>> = { askAgainAt: START + 60_000 };
    const test = await startTestGateway({ channels: everyChannel({ payOut: async () => result }) });
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
    const { log, lines } = recordingLog();
    const test = await startTestGateway({ log });
    const { id } = await initiated(test, { kyc_level: 'FULL' });
    const { store } = test.gateway;
    await store.unit((db) => db.run(`update transactions set state = replace(state, 'upi-standard', 'upi-gone')`));
    test.clock.advance(validityMs);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
    const [reported, ...others] = lines.filter(({ level }) => level === 'error');
    expect(reported).toMatchObject({ transaction_id: id });
    expect(String(reported?.['err'])).toContain('belongs to the channel upi-gone');
    expect(others).toEqual([]);
  });
});

describe('a call', () => {
  it('ends well before another process makes it again', async () => {
    const { dueAt = 0 } = beginCall({} as Payout, 0).transaction;
    expect(dueAt - CALL_MS_MAX).toBeGreaterThanOrEqual(1_000);
    const { payOut } = withTimeLimit({ ...SIMULATOR, payOut: () => new Promise(() => undefined) }, { callMsMax: 1 });
    await expect(payOut({} as Payout, 0)).rejects.toThrow('within 1 ms');
  });
});

describeOnEachStore('a clarification', (_open, database) => {
  it('reaches the channel once for concurrent requests to two gateways on one database', async () => {
    const given: Items[] = [];
    const clarify: Channel['clarify'] = async (payment, items, now) => {
      given.push(items);
      return SIMULATOR.clarify(payment, items, now);
    };
    const channels = everyChannel({ clarify });
    const shared = await database();
    const store = shared.connect();
    await migrate(store);
    const test = await startTestGateway({ store, channels });
    const other = await startTestGateway({ store: shared.connect(), clock: test.clock, channels });
    const { body } = await test.call('POST', '/payments', paymentRequest({ customer: { id: 'clarify-email' } }));
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'EXTRA_DATA_NEEDED' });
    const { key } = await store.unit((db) => createApiKey(db, test.merchant.id, test.clock.now()));
    const path = `/payments/${body.transaction_id}/clarify`;
    const send = ({ call }: TestGateway, index: number) =>
      call('POST', path, { clarify_data: { email: `${index}@example.com` } }, { authorization: `Bearer ${key}` });
    const answers = await Promise.all([test, other, test, other, test, other, test, other].map(send));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(given).toEqual([{ email: `${winner}@example.com` }]);
  });
});
