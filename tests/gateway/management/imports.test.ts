/** Imports of transactions that a channel has carried out and the database lost: one operator proposes, another one approves. */
import { expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { firstId } from '../../../gateway/src/platform/ids.ts';
import { fund, payoutRequest, START } from '../harness/fixtures.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { startOperated } from './operator.ts';

const lostId = (kind: 'pay' | 'out') => `${firstId(kind, START - 60_000)}0000000000000000`;

async function start(store: Store) {
  const paid: string[] = [];
  const channel: Channel = {
    ...BANK,
    async payOut({ id }) {
      paid.push(id);
      return { event: { type: 'succeeded' } };
    },
  };
  const operated = await startOperated(store, { channels: [channel] });
  const { test, operator } = operated;
  await fund(store, test.merchant, 100_000);
  const approver = await addOperator(test, 'Lee', 'approve');
  const order = payoutRequest({ amount: 60_000 });
  const lost = {
    ...{ transaction_id: lostId('out'), merchant_order_id: order.merchant_order_id, amount: 60_000, currency: 'INR' },
    ...{ payment_method_type: order.payment_method_type, channel: 'bank', customer_id: 'customer-71' },
    ...{ reference: 'Statement 7, line 14', reason: 'Missing after the restore' },
  };
  return {
    ...{ ...operated, paid, order, lost },
    propose: (changes: object = {}, merchant: number | string = test.merchant.id) =>
      operator.call('POST', `/management/merchants/${merchant}/imports`, { ...lost, ...changes }),
    approve: (id: string) => approver.call('POST', `/management/proposals/${id}/approve`),
    wallet: async () => (await operator.call('GET', `/management/merchants/${test.merchant.id}/wallets`)).body.data[0],
  };
}

describeOnEachStore('an import', (open) => {
  it('adds a payout with its entries, so that a repeat of its order is not paid again', async () => {
    const { test, operator, propose, approve, wallet, paid, order, lost } = await start(await open());
    const proposal = await propose();
    const { reference, reason, ...imported } = lost;
    expect(proposal.body).toMatchObject({ type: 'import', state: 'open', merchant_id: test.merchant.id, ...imported });
    expect((await test.call('GET', `/payouts/${lost.transaction_id}`)).status).toBe(404);
    expect((await approve(proposal.body.id)).body.state).toBe('approved');
    expect(await wallet()).toMatchObject({ available: 40_000, reserved: 0 });
    const repeated = await test.call('POST', '/payouts', order);
    expect([repeated.status, repeated.body.transaction_id]).toEqual([409, lost.transaction_id]);
    expect((await test.call('GET', `/payouts/${lost.transaction_id}`)).body).toMatchObject({ status: 'SUCCESS' });
    await test.gateway.idle();
    expect(paid).toEqual([]);
    const details = (await operator.call('GET', `/management/payouts/${lost.transaction_id}`)).body;
    expect(details).toMatchObject({ channel: 'bank', created_at: new Date(START - 60_000).toISOString(), events: [] });
    expect(details.statuses.at(-1).cause).toBe('succeeded by operator');
    expect((await auditStore(test.gateway.store)).differences).toEqual([]);
  });

  it('adds a payment, whose money settles', async () => {
    const { test, propose, approve, wallet } = await start(await open());
    const id = lostId('pay');
    const proposal = await propose({ transaction_id: id, payment_method_type: 'UPI_IN' });
    await approve(proposal.body.id);
    expect(await wallet()).toMatchObject({ available: 100_000, pending: 60_000 });
    expect((await test.call('GET', `/payments/${id}`)).body).toMatchObject({ status: 'SUCCESS', amount_paid: 60_000 });
    test.clock.advance(86_400_000);
    await test.gateway.idle();
    expect(await wallet()).toMatchObject({ available: 160_000, pending: 0 });
    expect((await auditStore(test.gateway.store)).differences).toEqual([]);
  });

  it('is refused if the wallet lacks the money, and stays open', async () => {
    const { propose, approve, operator, wallet } = await start(await open());
    const { id } = (await propose({ amount: 100_001 })).body;
    const refused = await approve(id);
    expect([refused.status, refused.body.detail]).toEqual([409, 'Only 100000 INR is available, not 100001.']);
    expect((await operator.call('GET', `/management/proposals/${id}`)).body.state).toBe('open');
    expect(await wallet()).toMatchObject({ available: 100_000 });
  });

  it('is refused if the transaction is known, or its order has another one', async () => {
    const { test, propose, approve, order } = await start(await open());
    const created = await test.call('POST', '/payouts', order);
    await test.gateway.idle();
    const other = await propose();
    expect(other.status).toBe(409);
    expect(other.body.detail).toContain(`payments-gateway payout resolve ${created.body.transaction_id} --succeeded`);
    const free = await propose({ merchant_order_id: 'order-2', amount: 10 });
    expect((await propose({ merchant_order_id: 'order-2', amount: 10 })).status).toBe(409);
    await approve(free.body.id);
    const again = await propose({ merchant_order_id: 'order-3', amount: 10 });
    expect([again.status, again.body.detail]).toEqual([409, `${lostId('out')} is known: it is SUCCESS.`]);
  });

  it('is rejected with the wrong member', async () => {
    const { propose } = await start(await open());
    const pointer = async (changes: object) => (await propose(changes)).body.violations[0].pointer;
    expect(await pointer({ transaction_id: 'out_1' })).toBe('/transaction_id');
    expect(await pointer({ transaction_id: lostId('pay').replace('pay', 'evt') })).toBe('/transaction_id');
    expect(await pointer({ payment_method_type: 'UPI_IN' })).toBe('/payment_method_type');
    expect(await pointer({ channel: 'other' })).toBe('/channel');
    expect(await pointer({ currency: 'EGP' })).toBe('/currency');
    expect(await pointer({ amount: 0 })).toBe('/amount');
    expect((await propose({}, 1)).status).toBe(404);
  });
});
