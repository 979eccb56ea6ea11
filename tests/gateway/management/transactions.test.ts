import { expect, it } from 'vitest';
import { fund, payoutRequest } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { startOperated } from './operator.ts';

describeOnEachStore('payments', (open) => {
  it('of all merchants or of one are listed page by page, by status, order and time', async () => {
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

  it('and payouts come one by one with their statuses and ledger entries', async () => {
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

  it('show the webhooks of their merchant with every attempt', async () => {
    const { operator, decline } = await startOperated(await open());
    const { body } = await operator.call('GET', `/management/payments/${await decline()}`);
    expect(body.statuses.map(({ status }: { status: string }) => status)).toEqual(['CREATED', 'FAILED']);
    expect(body.ledger_entries).toEqual([]);
    expect(body.events).toEqual([
      expect.objectContaining({
        state: 'delivered',
        deliveries: [expect.objectContaining({ number: 1, status: 204 })],
      }),
    ]);
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
