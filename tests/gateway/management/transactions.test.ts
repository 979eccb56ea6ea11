/** Transactions as operators see them, with the calls of their channels. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { everyChannel } from '../harness/channels.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest, REDIRECT } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { CONFIRMATION_NEEDED, startOperated } from './operator.ts';

describeOnEachStore('payments', (open) => {
  it('are listed page by page for all merchants or one, by status, order and time', async () => {
    const { test, operator, decline } = await startOperated(await open());
    const other = await test.addMerchant('Other');
    const order = { merchant_order_id: 'order-7' };
    const first = await decline(undefined, order);
    test.clock.advance(60_000);
    const time = new Date(test.clock.now()).toISOString();
    const second = await decline(other, order);
    const found = async (query: string) => {
      const { body } = await operator.call('GET', `/management/payments${query}`);
      return body.data.map((payment: { transaction_id: string }) => payment.transaction_id);
    };
    expect(await found('')).toEqual([second, first]);
    expect(await found(`?merchant_id=${test.merchant.id}`)).toEqual([first]);
    expect(await found('?merchant_order_id=order-7')).toEqual([second, first]);
    expect(await found(`?merchant_order_id=order-7&merchant_id=${other.merchant.id}`)).toEqual([second]);
    expect(await found(`?merchant_order_id=order-7&created_before=${time}`)).toEqual([first]);
    expect(await found('?status=FAILED')).toEqual([second, first]);
    expect(await found('?status=SUCCESS')).toEqual([]);
    expect(await found(`?created_from=${time}`)).toEqual([second]);
    expect(await found(`?created_before=${time}&limit=1`)).toEqual([first]);
    const page = (await operator.call('GET', '/management/payments?limit=1')).body;
    expect(page.data[0]).toMatchObject({ transaction_id: second, merchant_id: other.merchant.id, status: 'FAILED' });
    expect(await found(`?limit=1&cursor=${page.next_cursor}`)).toEqual([first]);
    expect((await operator.call('GET', '/management/payouts')).body).toEqual({ data: [] });
  });

  it('are shown, like payouts, with their statuses and ledger entries', async () => {
    const test = await startTestGateway({ store: await open() });
    const operator = await addOperator(test);
    await fund(test.gateway.store, test.merchant, 100_000_000);
    const created = await test.call('POST', '/payouts', payoutRequest({ callback_url: 'https://shop.invalid/hook' }));
    await test.gateway.idle();
    const { transaction_id: id } = created.body;
    const { body } = await operator.call('GET', `/management/payouts/${id}`);
    expect(body).toMatchObject({ transaction_id: id, merchant_id: test.merchant.id, kind: 'payout' });
    expect(body.resource).toEqual((await test.call('GET', `/payouts/${id}`)).body);
    expect(body.statuses[0]).toMatchObject({ status: 'PROCESSING', cause: 'created by merchant' });
    expect(body.ledger_entries[0]).toMatchObject({ from: 'available', to: 'reserved', amount: body.amount });
    expect((await operator.call('GET', `/management/payments/${id}`)).status).toBe(404);
    expect((await operator.call('GET', '/management/payouts/out_1')).status).toBe(404);
  });

  it('are found by phone, account, bank reference and amount, page by page', async () => {
    const initiate: Channel['initiate'] = async () => CONFIRMATION_NEEDED;
    const { test, operator } = await startOperated(await open(), { channels: [{ ...BANK, initiate }] });
    const other = await test.addMerchant('Other');
    await fund(test.gateway.store, test.merchant, 100_000);
    const create = async (path: string, body: object, { call }: Pick<typeof test, 'call'> = test) => {
      const { transaction_id: id } = (await call('POST', path, body)).body;
      await test.gateway.idle();
      test.clock.advance(1_000);
      return id as string;
    };
    const customer = { phone: '+919812345671' };
    const first = await create('/payments', paymentRequest({ ...CALLBACK, customer }));
    const second = await create('/payments', paymentRequest({ ...CALLBACK, customer, amount: 70_000 }), other);
    const payout = await create(
      '/payouts',
      payoutRequest({ ...CALLBACK, customer: { account_number: '000123456789' } }),
    );
    await test.call('POST', `/payments/${first}/confirm`, { confirm_data: { tid: 'HDFC-0000 12ab', amount: '49900' } });
    await test.gateway.idle();
    const search = async (query: object, kind = 'payments', { call } = operator as Pick<typeof operator, 'call'>) => {
      const { body } = await call('GET', `/management/${kind}?${new URLSearchParams({ ...query })}`);
      return body.data.map((found: { transaction_id: string }) => found.transaction_id);
    };
    expect(await search({ reference: '+91 98123-45671' })).toEqual([second, first]);
    expect(await search({ reference: '919812345671', merchant_id: other.merchant.id })).toEqual([second]);
    expect(await search({ reference: '919812345671', amount: 49_900 })).toEqual([first]);
    expect(await search({ reference: '9812345671' })).toEqual([]);
    expect(await search({ reference: 'hdfc000012AB' })).toEqual([first]);
    expect(await search({ amount: 70_000 })).toEqual([second]);
    expect(await search({ reference: '000123456789' }, 'payouts')).toEqual([payout]);
    expect(await search({ reference: '000123456789' })).toEqual([]);
    expect(await search({ reference: '919812345671' }, 'payments', other)).toEqual([second]);
    // It also has a hash from before the first key.
    const row = [NO_KEYS.hash('919812345671'), first];
    await test.gateway.store.unit((db) => db.run('insert into search_keys values (?, ?)', ...row));
    expect(await search({ reference: '919812345671' })).toEqual([second, first]);
    const page = (await operator.call('GET', '/management/payments?reference=919812345671&limit=1')).body;
    expect(page.data).toMatchObject([{ transaction_id: second }]);
    expect(await search({ reference: '919812345671', limit: 1, cursor: page.next_cursor })).toEqual([first]);
    expect(await operator.call('GET', '/management/payments?reference=-')).toMatchObject({
      status: 400,
      body: { violations: [{ in: 'query', pointer: '/reference' }] },
    });
    expect((await operator.call('GET', '/management/payments?amount=1.5')).body.violations).toMatchObject([
      { pointer: '/amount' },
    ]);
    const stored = JSON.stringify(await test.gateway.store.read.all('select hash from search_keys'));
    for (const text of ['98123', '123456789', '12AB']) expect(stored).not.toContain(text);
  });

  it('lose the personal data of an erased customer once they are final, and nothing else', async () => {
    const initiate: Channel['initiate'] = async () => CONFIRMATION_NEEDED;
    const verify: Channel['verify'] = async ({ amount }) => ({ event: { type: 'succeeded', amountPaid: amount } });
    const { test, operator } = await startOperated(await open(), { channels: [{ ...BANK, initiate, verify }] });
    const chief = await addOperator(test, 'Lee', 'approve');
    const other = await test.addMerchant('Other');
    const customer = { id: 'customer/7', name: 'Asha Rao', phone: '+919812345671' };
    const request = paymentRequest({ ...CALLBACK, customer });
    const create = async ({ call }: Pick<typeof test, 'call'>, body: object) => {
      const { transaction_id: id } = (await call('POST', '/payments', body)).body;
      await test.gateway.idle();
      return id as string;
    };
    const id = await create(test, request);
    const foreign = await create(other, paymentRequest({ ...CALLBACK, customer }));
    const neighbor = await create(test, paymentRequest({ ...CALLBACK, customer: { ...customer, id: 'customer-8' } }));
    const path = `/management/merchants/${test.merchant.id}/customers/erase`;
    const body = { customer_id: customer.id, reason: 'Ticket 4711' };
    const erase = async () => (await chief.call('POST', path, body)).body;
    const show = async (of: string) => (await chief.call('GET', `/management/payments/${of}`)).body;
    expect(await erase()).toEqual({ erased: 0, kept: 1 });
    await test.call('POST', `/payments/${id}/confirm`, { confirm_data: { tid: 'HDFC0001' } });
    await test.gateway.idle();
    const before = await show(id);
    expect(before.status).toBe('SUCCESS');
    expect(before.personal_data).toMatchObject({ name: 'Asha Rao', tid: 'HDFC0001' });
    expect(await erase()).toEqual({ erased: 1, kept: 0 });
    const { personal_data: erased, ...after } = await show(id);
    expect(erased).toEqual({});
    expect(after).toEqual({ ...before, personal_data: undefined });
    for (const kept of [foreign, neighbor])
      expect((await show(kept)).personal_data).toMatchObject({ name: 'Asha Rao' });
    const row = await test.gateway.store.read.get('select details, state from transactions where id = ?', id);
    expect(JSON.stringify(row)).not.toMatch(/Asha|98123|HDFC/);
    const { data } = (await chief.call('GET', '/management/payments?reference=919812345671')).body;
    expect(data.map((found: { transaction_id: string }) => found.transaction_id)).toEqual([neighbor, foreign]);
    expect((await chief.call('GET', '/management/payments?reference=HDFC0001')).body.data).toEqual([]);
    expect((await test.call('POST', '/payments', request)).status).toBe(409);
    expect((await auditStore(test.gateway.store)).differences).toEqual([]);
    expect((await chief.call('GET', '/management/changes')).body.data).toMatchObject([
      { action: 'eraseCustomer', subject: 'customer/7', merchant_id: test.merchant.id, reason: 'Ticket 4711' },
    ]);
    expect(await erase()).toEqual({ erased: 0, kept: 0 });
    expect((await operator.call('POST', path, body)).status).toBe(403);
    expect((await chief.call('POST', `${path}?cursor=evt_1`, body)).body.violations).toMatchObject([
      { pointer: '/cursor' },
    ]);
    expect((await chief.call('POST', path.replace(/\d{5}/, '99999'), body)).status).toBe(404);
  });

  it('show personal data, masked for the role read', async () => {
    const { test, operator, decline } = await startOperated(await open());
    const id = await decline(undefined, { customer: { name: 'Asha Rao', phone: '+919812345671' } });
    const dataFor = async ({ call }: Pick<typeof operator, 'call'>) =>
      (await call('GET', `/management/payments/${id}`)).body.personal_data;
    const { id: _, kyc_level: __, ...customer } = paymentRequest({ customer: { name: 'Asha Rao' } }).customer;
    expect(await dataFor(await addOperator(test, 'Lee', 'support'))).toEqual(customer);
    const masked = Object.fromEntries(Object.keys(customer).map((name) => [name, name === 'phone' ? '…5671' : '…']));
    expect(await dataFor(await addOperator(test, 'Kim', 'read'))).toEqual(masked);
    expect(await dataFor(test)).toBeUndefined();
  });

  it('are listed while their next step fails or is missing', async () => {
    const { test, operator, decline } = await startOperated(await open(), { channels: [BANK] });
    const twice = await decline();
    test.clock.advance(60_000);
    await test.gateway.idle();
    const once = await decline();
    const stuck = await decline();
    const { store } = test.gateway;
    const ended = await decline();
    await store.unit(async (db) => {
      await db.run('update transactions set next_attempt_at = null where id in (?, ?)', stuck, ended);
      await db.run("update transactions set status = 'FAILED' where id = ?", ended);
    });
    const { data } = (await operator.call('GET', '/management/failing')).body;
    expect(data).toMatchObject([
      { transaction_id: twice, failing: { failures: 2, error: 'Error: the bank does not respond' } },
      { transaction_id: once, failing: { failures: 1 } },
      { transaction_id: stuck, status: 'CREATED' },
    ]);
    expect(data[2]).not.toHaveProperty('failing');
    expect((await operator.call('GET', '/management/failing?limit=1')).body.data).toHaveLength(1);
  });
});

const CALLBACK = { callback_url: 'https://shop.invalid/hook' };
const timeout = () => Promise.reject(new Error('the bank does not respond'));

describe('the calls of a channel', () => {
  async function start(replaced: Partial<Channel>) {
    const test = await startTestGateway({ channels: everyChannel(replaced) });
    const operator = await addOperator(test);
    const began = test.clock.now();
    const create = async (path: '/payments' | '/payouts', body: object): Promise<string> => {
      const created = await test.call('POST', path, body);
      await test.gateway.idle();
      return created.body.transaction_id;
    };
    const callsOf = async (id: string) => {
      const path = id.startsWith('out') ? 'payouts' : 'payments';
      return (await operator.call('GET', `/management/${path}/${id}`)).body.channel_calls;
    };
    const pass = async (ms: number) => {
      test.clock.advance(ms);
      await test.gateway.idle();
    };
    const at = (ms: number) => new Date(began + ms).toISOString();
    return { test, create, callsOf, pass, at };
  }

  it('are shown with their results, and similar consecutive ones as one', async () => {
    let initiated = 0;
    let verified = 0;
    const { test, create, callsOf, pass, at } = await start({
      initiate: async () => (initiated++ < 2 ? timeout() : CONFIRMATION_NEEDED),
      verify: async (payment, now) =>
        verified++ < 3 ? { askAgainAt: now + 1_000 } : { event: { type: 'succeeded', amountPaid: payment.amount } },
    });
    const id = await create('/payments', paymentRequest(CALLBACK));
    const silent = {
      call: 'initiate',
      result: 'no_response',
      duration_ms: 0,
      error: 'Error: the bank does not respond',
    };
    expect(await callsOf(id)).toEqual([{ ...silent, at: at(0), times: 1 }]);
    await pass(2_000);
    await pass(4_000);
    await test.call('POST', `/payments/${id}/confirm`, confirmation(await settled(test, test.call, id)));
    await test.gateway.idle();
    for (let asked = 0; asked < 3; asked++) await pass(1_000);
    expect(await callsOf(id)).toEqual([
      { ...silent, at: at(0), times: 2, last_at: at(2_000) },
      { call: 'initiate', at: at(6_000), result: 'confirmation_needed', duration_ms: 0, times: 1 },
      { call: 'verify', at: at(6_000), result: 'ask_again', duration_ms: 0, times: 3, last_at: at(8_000) },
      { call: 'verify', at: at(9_000), result: 'succeeded', duration_ms: 0, times: 1 },
    ]);
    expect((await test.call('GET', `/payments/${id}`)).text).not.toContain('calls');
  });

  it('show an event that the payment can not take as the mistake of its channel, which is asked again', async () => {
    const { test, create, callsOf, pass, at } = await start({
      initiate: async () => ({ event: { type: 'clarification_needed', items: ['name'] } }),
    });
    const id = await create('/payments', paymentRequest(CALLBACK, REDIRECT));
    await pass(2_000);
    const error = 'IllegalMove: a transaction in CREATED cannot take the event clarification_needed';
    expect(await callsOf(id)).toEqual([
      {
        call: 'initiate',
        at: at(0),
        result: 'clarification_needed',
        duration_ms: 0,
        error,
        times: 2,
        last_at: at(2_000),
      },
    ]);
    expect((await test.call('GET', `/payments/${id}`)).body.status).toBe('CREATED');
  });
});
