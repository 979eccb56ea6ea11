/** Notifications of channels trigger an immediate call. Their other content is not trusted. */
import { expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { simulatedChannels } from '../../../gateway/src/channels/simulator.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { problemType } from '../../tools/problems.ts';
import { balances, confirmation, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { type Answer, describeOnEachStore, SIMULATOR, startTestGateway, type TestGateway } from '../harness.ts';

const SECRETS = new Map([
  ['upi-standard', 'secret-of-upi-standard'],
  ['upi-trusted', 'secret-of-upi-trusted'],
  ['imps-standard', 'secret-of-imps-standard'],
]);
const SETTLEMENT_MS = findMethod(sandboxMethods, 'payment', 'UPI_IN')?.settlementMs ?? 0;
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

describeOnEachStore('a notification', (open) => {
  it('triggers an immediate call about a waiting payment', async () => {
    const { state, verify } = waiting();
    const test = await start(await open(), { verify });
    const id = await verifying(test);
    test.clock.advance(60_000);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'VERIFYING' });
    state.paid = true;
    expect(await notify(test, id)).toMatchObject({ status: 204, text: '' });
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: AMOUNT });
  });

  it('leaves the decision to the channel', async () => {
    const { state, verify } = waiting();
    const test = await start(await open(), { verify });
    const id = await verifying(test);
    const body = JSON.stringify({ transaction_id: id, status: 'SUCCESS', amount_paid: AMOUNT });
    expect((await notify(test, id, { body })).status).toBe(204);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'VERIFYING' });
    expect(state.asked).toBe(2);
  });

  it('finds a paid, unconfirmed payment', async () => {
    const { state, verify } = waiting();
    const test = await start(await open(), { verify });
    const { body } = await test.call('POST', '/payments', paymentRequest({ amount: AMOUNT }));
    const id = body.transaction_id;
    await settled(test, test.call, id);
    await notify(test, id);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
    state.paid = true;
    await notify(test, id);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: AMOUNT });
  });

  it('supersedes a call in flight, whose result may be outdated', async () => {
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    let asked = 0;
    const verify: Verify = async () => {
      asked++;
      if (asked > 1) return { event: { type: 'succeeded', amountPaid: AMOUNT } };
      entered.resolve();
      await leave.promise;
      return { askAgainAt: undefined };
    };
    const test = await start(await open(), { verify });
    const { body } = await test.call('POST', '/payments', paymentRequest({ amount: AMOUNT }));
    const asks = await settled(test, test.call, body.transaction_id);
    await test.call('POST', `/payments/${body.transaction_id}/confirm`, confirmation(asks));
    await entered.promise;
    expect((await notify(test, body.transaction_id)).status).toBe(204);
    leave.resolve();
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'SUCCESS' });
    expect(asked).toBe(2);
  });

  it('triggers another call during the first call of the channel', async () => {
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    let asked = 0;
    const payOut: Channel['payOut'] = async () => {
      asked++;
      if (asked > 1) return { event: { type: 'succeeded' } };
      entered.resolve();
      await leave.promise;
      return { askAgainAt: undefined };
    };
    const test = await start(await open(), { payOut });
    await fund(test.gateway.store, test.merchant, 1_000_000);
    const { body } = await test.call('POST', '/payouts', payoutRequest({ amount: 1_000 }));
    await entered.promise;
    expect((await notify(test, body.transaction_id, { channel: 'imps-standard' })).status).toBe(204);
    leave.resolve();
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'SUCCESS' });
    expect(asked).toBe(2);
  });

  it('wakes a payout', async () => {
    let done = false;
    const payOut: Channel['payOut'] = async () => (done ? { event: { type: 'succeeded' } } : { askAgainAt: undefined });
    const test = await start(await open(), { payOut });
    await fund(test.gateway.store, test.merchant, 1_000_000);
    const { body } = await test.call('POST', '/payouts', payoutRequest({ amount: 1_000 }));
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'PROCESSING' });
    done = true;
    expect((await notify(test, body.transaction_id, { channel: 'imps-standard' })).status).toBe(204);
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'SUCCESS' });
  });

  it('does not change a final payment or the availability of its money', async () => {
    const test = await start(await open(), { verify: SIMULATOR.verify });
    const { body } = await test.call('POST', '/payments', paymentRequest({ amount: AMOUNT }));
    const asked = await settled(test, test.call, body.transaction_id);
    await test.call('POST', `/payments/${body.transaction_id}/confirm`, confirmation(asked));
    await settled(test, test.call, body.transaction_id);
    expect((await notify(test, body.transaction_id)).status).toBe(204);
    await test.gateway.idle();
    expect(await balances(test.call)).toEqual({ INR: { available: 0, pending: AMOUNT } });
    test.clock.advance(SETTLEMENT_MS);
    await test.gateway.idle();
    expect(await balances(test.call)).toEqual({ INR: { available: AMOUNT, pending: 0 } });
  });

  it('is rejected without the channel’s secret, before any call', async () => {
    const { state, verify } = waiting();
    const test = await start(await open(), { verify });
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

  it('of another channel or about an unknown transaction gets 404', async () => {
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
