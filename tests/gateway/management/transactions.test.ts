/** Transactions as operators see them, with the calls of their channels. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import type { Value } from '../../../gateway/src/database/store.ts';
import { listEntries } from '../../../gateway/src/ledger/ledger-pages.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { listTransactions, SEARCHED_MAX } from '../../../gateway/src/transactions/merchant-transactions.ts';
import { listEvents } from '../../../gateway/src/webhooks/merchant-events.ts';
import { addNewerPayments } from '../harness/books.ts';
import { everyChannel } from '../harness/channels.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { addPayment, fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';
import { CONFIRMATION_NEEDED, startOperated } from './operator.ts';

/** The ids of a page. */
const toIds = ({ data }: { data: { transaction_id: string }[] }) => data.map(({ transaction_id: id }) => id);

describeOnEachStore('payments', (open) => {
  it('are listed page by page for all merchants or one, by each filter, and counted', async () => {
    const { test, operator, decline } = await startOperated(await open());
    const other = await test.addMerchant('Other');
    const order = { merchant_order_id: 'order-7' };
    const first = await decline(undefined, { ...order, customer: { id: 'a_%!"\\' } });
    test.clock.advance(60_000);
    const time = new Date(test.clock.now()).toISOString();
    const second = await decline(other, order);
    const list = async (query: string, kind = 'payments') =>
      (await operator.call('GET', `/management/${kind}?${query}`)).body;
    for (const [query, found] of [
      ['', [second, first]],
      [`merchant_id=${test.merchant.id}`, [first]],
      ['merchant_order_id=order-7', [second, first]],
      [`merchant_order_id=order-7&merchant_id=${other.merchant.id}`, [second]],
      [`merchant_order_id=order-7&created_before=${time}`, [first]],
      ['status=FAILED', [second, first]],
      ['status=SUCCESS', []],
      ['method=UPI_IN', [second, first]],
      ['method=UPI', []],
      [`customer_id=${encodeURIComponent('a_%!"\\')}`, [first]],
      ['customer_id=a', []],
      [`created_from=${time}&decline_reason=BANK_REJECTED`, [second]],
      ['decline_reason=LIMIT_EXCEEDED', []],
      [`created_before=${time}&limit=1`, [first]],
    ] as const)
      expect(toIds(await list(query)), query).toEqual(found);
    const page = await list('decline_reason=BANK_REJECTED&search=order-&limit=1&count=true');
    expect(page).toMatchObject({ data: [{ transaction_id: second, merchant_id: other.merchant.id }], total: 2 });
    expect(toIds(await list(`limit=1&cursor=${page.next_cursor}`))).toEqual([first]);
    expect(await list('count=true', 'payouts')).toEqual({ data: [], total: 0 });
    // No payout ever has this status.
    expect((await list('status=CREATED', 'payouts')).violations).toMatchObject([
      { in: 'query', pointer: '/status', message: expect.stringContaining('SUCCESS, FAILED') },
    ]);
  });

  it('are found by parts of orders and customers, in any case and alphabet, and by the end of their id', async () => {
    const { operator, decline } = await startOperated(await open());
    const create = (merchant_order_id: string, id: string) =>
      decline(undefined, { merchant_order_id, customer: { id } });
    const id = await create('INV-11', 'asha');
    await create('INV-12', 'louisa');
    await create('100%_off', 'maya');
    await create('caf\u00e9 \u00c9t\u00e9', 'zoe');
    for (const [search, orders] of [
      ['inv-1', ['INV-12', 'INV-11']],
      // Random ids contain no O and no U.
      ['OUI', ['INV-12']],
      ['\u00c9t\u00e9', ['caf\u00e9 \u00c9t\u00e9']],
      ['100%_', ['100%_off']],
      ['UPI_IN', []],
      [id.slice(-10).toLowerCase(), ['INV-11']],
    ] as const) {
      const { body } = await operator.call('GET', `/management/payments?${new URLSearchParams({ search })}`);
      const found = body.data.map((row: { merchant_order_id: string }) => row.merchant_order_id);
      expect(found, search).toEqual(orders);
    }
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
    const account = { account_number: '000123456789' };
    const payout = await create('/payouts', payoutRequest({ ...CALLBACK, customer: account }));
    await test.call('POST', `/payments/${first}/confirm`, { confirm_data: { tid: 'HDFC-0000 12ab', amount: '49900' } });
    await test.gateway.idle();
    const search = async (query: object, kind = 'payments', { call } = operator as Pick<typeof operator, 'call'>) => {
      return toIds((await call('GET', `/management/${kind}?${new URLSearchParams({ ...query })}`)).body);
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
    expect(toIds(page)).toEqual([second]);
    expect(await search({ reference: '919812345671', limit: 1, cursor: page.next_cursor })).toEqual([first]);
    const wrong = await operator.call('GET', '/management/payments?reference=-');
    expect(wrong.body.violations).toMatchObject([{ in: 'query', pointer: '/reference' }]);
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
    const search = async (reference: string) =>
      toIds((await chief.call('GET', `/management/payments?reference=${reference}`)).body);
    expect(await search('919812345671')).toEqual([neighbor, foreign]);
    expect(await search('HDFC0001')).toEqual([]);
    expect((await test.call('POST', '/payments', request)).status).toBe(409);
    expect((await auditStore(test.gateway.store)).differences).toEqual([]);
    expect((await chief.call('GET', '/management/changes')).body.data).toMatchObject([
      { action: 'eraseCustomer', subject: 'customer/7', merchant_id: test.merchant.id, reason: 'Ticket 4711' },
    ]);
    expect(await erase()).toEqual({ erased: 0, kept: 0 });
    expect((await operator.call('POST', path, body)).status).toBe(403);
    const wrong = await chief.call('POST', `${path}?cursor=evt_1`, body);
    expect(wrong.body.violations).toMatchObject([{ pointer: '/cursor' }]);
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

it('a search without a match on the searched page continues on the next', async () => {
  const { test, operator } = await startOperated(await openTestSqlite());
  const oldest = await addPayment(test.gateway.store, test.merchant, { status: 'VERIFYING' });
  await addNewerPayments(test.gateway.store, oldest.id, SEARCHED_MAX + 1);
  const list = async (query: string) =>
    (await operator.call('GET', `/management/payments?status=VERIFYING${query}`)).body;
  const empty = await list('');
  expect(empty.data).toEqual([]);
  expect(toIds(await list(`&cursor=${empty.next_cursor}`))).toEqual([oldest.id]);
});

it('pages of lists use an index without sorting, even for operators', async () => {
  const store = await openTestSqlite();
  const plan: string[] = [];
  const all = async (sql: string, ...values: Value[]) => {
    for (const { detail } of await store.read.all(`explain query plan ${sql}`, ...values)) plan.push(String(detail));
    return store.read.all(sql, ...values);
  };
  const db = { ...store.read, all, get: async (sql: string, ...values: Value[]) => (await all(sql, ...values))[0] };
  await listTransactions(db, 'payment', { merchantId: 1, status: 'SUCCESS' }, { limit: 50 });
  await listTransactions(db, 'payment', { merchantId: 1 }, { limit: 50 });
  await listEntries(db, 1, 'INR', { limit: 50 });
  await listEvents(db, { merchantId: 1, limit: 50 });
  await listTransactions(db, 'payment', { status: 'SUCCESS' }, { limit: 50 });
  await listEvents(db, { state: 'given_up', range: { from: 'evt_0' }, limit: 50 });
  expect(plan.length).toBeGreaterThanOrEqual(8);
  expect(plan.filter((line) => /^SCAN|TEMP B-TREE/.test(line))).toEqual([]);
  // Each merchant can have the order.
  await listTransactions(db, 'payment', { orderId: 'order-1' }, { limit: 50 });
  expect(plan.join('\n')).toMatch(/SEARCH t USING INDEX .*\(merchant_id=\? AND kind=\? AND order_id=\?\)/);
});

const CALLBACK = { callback_url: 'https://shop.invalid/hook' };
const timeout = () => Promise.reject(new Error('the bank does not respond'));

describe('the calls of a channel', () => {
  /** A new payment at channels that behave so. */
  async function start(replaced: Partial<Channel>) {
    const test = await startTestGateway({ channels: everyChannel(replaced) });
    const operator = await addOperator(test);
    const began = test.clock.now();
    const created = await test.call('POST', '/payments', paymentRequest(CALLBACK));
    await test.gateway.idle();
    const id: string = created.body.transaction_id;
    return {
      ...{ test, id },
      calls: async () => (await operator.call('GET', `/management/payments/${id}`)).body.channel_calls,
      async pass(ms: number) {
        test.clock.advance(ms);
        await test.gateway.idle();
      },
      at: (ms: number) => new Date(began + ms).toISOString(),
    };
  }

  it('are shown with their results, and similar consecutive ones as one', async () => {
    let initiated = 0;
    let verified = 0;
    const { test, id, calls, pass, at } = await start({
      initiate: async () => (initiated++ < 2 ? timeout() : CONFIRMATION_NEEDED),
      verify: async (payment, now) =>
        verified++ < 3 ? { askAgainAt: now + 1_000 } : { event: { type: 'succeeded', amountPaid: payment.amount } },
    });
    const error = 'Error: the bank does not respond';
    const silent = { call: 'initiate', at: at(0), result: 'no_response', duration_ms: 0, error };
    expect(await calls()).toEqual([{ ...silent, times: 1 }]);
    for (const ms of [2_000, 4_000]) await pass(ms);
    await test.call('POST', `/payments/${id}/confirm`, confirmation(await settled(test, test.call, id)));
    for (const ms of [0, 1_000, 1_000, 1_000]) await pass(ms);
    expect(await calls()).toEqual([
      { ...silent, times: 2, last_at: at(2_000) },
      { call: 'initiate', at: at(6_000), result: 'confirmation_needed', duration_ms: 0, times: 1 },
      { call: 'verify', at: at(6_000), result: 'ask_again', duration_ms: 0, times: 3, last_at: at(8_000) },
      { call: 'verify', at: at(9_000), result: 'succeeded', duration_ms: 0, times: 1 },
    ]);
    expect((await test.call('GET', `/payments/${id}`)).text).not.toContain('calls');
  });
});
