/** Corrections of wallets, and outcomes of transactions whose channel gives none: one operator proposes, another one approves. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { WalletWatch } from '../../../gateway/src/monitoring/database-state.ts';
import { createOperatorKey } from '../../../gateway/src/operators/operator-keys.ts';
import { setOperatorRole } from '../../../gateway/src/operators/operators.ts';
import { firstId, randomIds } from '../../../gateway/src/platform/ids.ts';
import { fund, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { createCaller, type TestMerchant } from '../harness/gateway.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';
import { startOperated } from './operator.ts';

const EVIDENCE = { reference: 'Statement 7, line 14', reason: 'The channel is silent' };
const PAY_DATA = { receiver_account: 'shop@bank', available_amounts: [49_900] };

/** Gives customers an account to pay to, and then never responds. */
const SILENT: Channel = {
  ...BANK,
  initiate: async () => ({ event: { type: 'confirmation_needed', payData: PAY_DATA, confirm: ['tid'] } }),
};

async function start(store: Store) {
  const operated = await startOperated(store, { channels: [SILENT] });
  const { test, receiver } = operated;
  await fund(store, test.merchant, 100_000);
  const callback_url = `${receiver.address}/hook`;
  const approver = await addOperator(test, 'Lee', 'approve');
  const wallet = async (merchant: TestMerchant = test) =>
    (await operated.operator.call('GET', `/management/merchants/${merchant.merchant.id}/wallets`)).body.data[0];
  const propose = async (path: string, body: object, status = 201) => {
    const proposed = await operated.operator.call('POST', path, { ...EVIDENCE, ...body });
    expect(proposed.status, proposed.text).toBe(status);
    return proposed.body;
  };
  return {
    ...operated,
    ...{ approver, wallet, propose, store },
    correct: (body: object, status?: number) =>
      propose(`/management/merchants/${test.merchant.id}/corrections`, { currency: 'INR', ...body }, status),
    /** A payment with an account from its channel, confirmed by the merchant by default. */
    async pay({ confirm = true } = {}) {
      const { body } = await test.call('POST', '/payments', paymentRequest({ callback_url }));
      await test.gateway.idle();
      const path = `/payments/${body.transaction_id}`;
      if (confirm)
        expect((await test.call('POST', `${path}/confirm`, { confirm_data: { tid: '12' } })).status).toBe(200);
      return body.transaction_id as string;
    },
    async payOut() {
      const { body } = await test.call('POST', '/payouts', payoutRequest({ callback_url, amount: 60_000 }));
      await test.gateway.idle();
      return body.transaction_id as string;
    },
    decide: (id: string, decision: 'approve' | 'reject' = 'approve', by = approver) =>
      by.call('POST', `/management/proposals/${id}/${decision}`, { reason: 'Compared' }),
  };
}

const amounts = (available: number, pending = 0, reserved = 0) =>
  expect.objectContaining({ available, pending, reserved });

describe('a correction', () => {
  it('moves money once another operator approves it, with an entry, a record, and an audit without differences', async () => {
    const { correct, wallet, decide, operator, store, test } = await start(await openTestSqlite());
    const debit = await correct({ direction: 'debit', amount: 30_000 });
    expect(debit).toMatchObject({ state: 'open', type: 'correction', amount: 30_000, proposed_by: { name: 'Dana' } });
    expect(await wallet()).toEqual(amounts(100_000));
    const approved = await decide(debit.id);
    expect(approved.body).toMatchObject({ state: 'approved', decision: { by: { name: 'Lee' }, reason: 'Compared' } });
    expect(await wallet()).toEqual(amounts(70_000));
    await decide((await correct({ direction: 'credit', amount: 5 })).id);
    expect(await wallet()).toEqual(amounts(70_005));
    const ledger = (await operator.call('GET', `/management/merchants/${test.merchant.id}/ledger?currency=INR`)).body
      .data;
    expect(ledger.map((entry: { reason: string }) => entry.reason)).toEqual(['credited', 'debited', 'funded']);
    expect(ledger[1].id).toBe(approved.body.ledger_entry_id);
    const changes = (await operator.call('GET', '/management/changes')).body.data;
    expect(changes.map((change: { action: string; operator: string }) => [change.action, change.operator])).toEqual([
      ['approveProposal', 'Lee'],
      ['proposeCorrection', 'Dana'],
      ['approveProposal', 'Lee'],
      ['proposeCorrection', 'Dana'],
    ]);
    expect(await auditStore(store)).toMatchObject({ entries: 3, differences: [] });
  });

  it("can't be approved by its proposer or decided twice, and moves nothing if rejected", async () => {
    const { correct, wallet, decide, test, propose, approver } = await start(await openTestSqlite());
    const body = { ...EVIDENCE, direction: 'credit', amount: 5, currency: 'INR' };
    const own = await approver.call('POST', `/management/merchants/${test.merchant.id}/corrections`, body);
    expect((await decide(own.body.id)).status).toBe(403);
    expect(await wallet()).toEqual(amounts(100_000));
    expect((await decide(own.body.id, 'reject')).body.state).toBe('rejected');
    expect((await decide(own.body.id, 'reject')).status).toBe(409);
    const { id } = await correct({ direction: 'credit', amount: 5 });
    const both = await Promise.all([decide(id), decide(id), decide(id, 'reject')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await decide('prp_1')).status).toBe(404);
    await propose('/management/merchants/1/corrections', { direction: 'credit', amount: 5, currency: 'INR' }, 404);
  });
});

describe('a refused correction', () => {
  it("can't be approved by its operator with another key and a higher role", async () => {
    const { correct, operator, store, test } = await start(await openTestSqlite());
    const { id } = await correct({ direction: 'credit', amount: 5 });
    const { key } = await store.unit(async (db) => {
      await setOperatorRole(db, operator.id, 'approve');
      return createOperatorKey(db, operator.id, test.clock.now(), randomIds);
    });
    const own = await createCaller(test.gateway, key)('POST', `/management/proposals/${id}/approve`);
    expect([own.status, own.body.detail]).toEqual([403, expect.stringContaining('You proposed this.')]);
  });

  it('takes at most the available money, stays open otherwise, and names invalid members', async () => {
    const { correct, wallet, decide, operator } = await start(await openTestSqlite());
    const { id } = await correct({ direction: 'debit', amount: 100_001 });
    const refused = await decide(id);
    expect([refused.status, refused.body.detail]).toEqual([409, 'Only 100000 INR is available, not 100001.']);
    expect((await operator.call('GET', `/management/proposals/${id}`)).body.state).toBe('open');
    expect(await wallet()).toEqual(amounts(100_000));
    const full = await correct({ direction: 'credit', amount: Number.MAX_SAFE_INTEGER });
    expect((await decide(full.id)).status).toBe(409);
    const pointers = async (body: object) =>
      (await correct({ direction: 'credit', amount: 5, ...body }, 400)).violations.map(
        ({ pointer }: { pointer: string }) => pointer,
      );
    expect(await pointers({ currency: 'EGP' })).toEqual(['/currency']);
    expect(await pointers({ amount: 0 })).toEqual(['/amount']);
    expect(await pointers({ reference: undefined, reason: undefined })).toEqual(['/reference', '/reason']);
  });
});

describeOnEachStore('a transaction whose channel is silent', (open) => {
  it('ends as two operators say, with its entry, its webhook and their name in its history', async () => {
    const { pay, propose, decide, wallet, operator, receiver, store, test } = await start(await open());
    const id = await pay();
    const proposal = await propose(`/management/payments/${id}/resolve`, { outcome: 'succeeded', amount_paid: 49_800 });
    expect(proposal).toMatchObject({
      type: 'resolution',
      transaction_id: id,
      outcome: 'succeeded',
      amount_paid: 49_800,
    });
    expect((await test.call('GET', `/payments/${id}`)).body.status).toBe('VERIFYING');
    expect((await decide(proposal.id)).status).toBe(200);
    await test.gateway.idle();
    expect((await test.call('GET', `/payments/${id}`)).body).toMatchObject({ status: 'SUCCESS', amount_paid: 49_800 });
    expect(await wallet()).toMatchObject({ pending: 49_800 });
    const { body } = await operator.call('GET', `/management/payments/${id}`);
    expect(body.statuses.at(-1)).toMatchObject({ status: 'SUCCESS', cause: 'succeeded by operator' });
    expect(receiver.requests.map(({ body: sent }) => JSON.parse(sent).status)).toContain('SUCCESS');
    expect((await auditStore(store)).differences).toEqual([]);
  });

  it('is approved once of two at the same time, with room for one', async () => {
    const { pay, propose, decide, store, test } = await start(await open());
    await fund(store, test.merchant, Number.MAX_SAFE_INTEGER - 149_900);
    const proposals = [];
    for (const id of [await pay(), await pay()])
      proposals.push(
        await propose(`/management/payments/${id}/resolve`, { outcome: 'succeeded', amount_paid: 49_900 }),
      );
    const decided = await Promise.all(proposals.map(({ id }) => decide(id)));
    expect(decided.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('gives the money of a payout back, or pays it, once', async () => {
    const { payOut, propose, decide, wallet, store, operator } = await start(await open());
    const id = await payOut();
    expect(await wallet()).toEqual(amounts(40_000, 0, 60_000));
    const path = `/management/payouts/${id}/resolve`;
    const { id: proposal } = await propose(path, { outcome: 'declined', decline_reason: 'BANK_REJECTED' });
    await propose(path, { outcome: 'succeeded' }, 409);
    await decide(proposal);
    expect(await wallet()).toEqual(amounts(100_000));
    const again = await propose(path, { outcome: 'succeeded' }, 409);
    expect(again.detail).toContain(`${id} is already FAILED`);
    const listed = async (query: string) => (await operator.call('GET', `/management/proposals?${query}`)).body.data;
    expect(await listed(`transaction_id=${id}`)).toMatchObject([{ id: proposal, state: 'approved' }]);
    expect(await listed('state=open')).toEqual([]);
    expect((await auditStore(store)).differences).toEqual([]);
  });
});

describe('an unresolved transaction', () => {
  it('can be set to paid or unpaid before it is VERIFYING', async () => {
    const { pay, propose, decide, test } = await start(await openTestSqlite());
    const [paid, unpaid] = [await pay({ confirm: false }), await pay({ confirm: false })];
    const status = async (id: string) => (await test.call('GET', `/payments/${id}`)).body.status;
    expect(await status(paid)).toBe('PAY_CONFIRMATION_NEEDED');
    const success = await propose(`/management/payments/${paid}/resolve`, {
      outcome: 'succeeded',
      amount_paid: 49_900,
    });
    const failure = await propose(`/management/payments/${unpaid}/resolve`, {
      outcome: 'declined',
      decline_reason: 'BANK_REJECTED',
    });
    await decide(success.id);
    await decide(failure.id);
    expect([await status(paid), await status(unpaid)]).toEqual(['SUCCESS', 'FAILED']);
  });

  it('stays unchanged if the approval is refused, because the wallet has no room', async () => {
    const { pay, propose, decide, operator, store, test } = await start(await openTestSqlite());
    await fund(store, test.merchant, Number.MAX_SAFE_INTEGER - 100_010);
    const id = await pay({ confirm: false });
    const proposal = await propose(`/management/payments/${id}/resolve`, { outcome: 'succeeded', amount_paid: 49_900 });
    const read = async () => {
      const [payment, changes] = [
        await operator.call('GET', `/management/payments/${id}`),
        await operator.call('GET', '/management/changes'),
      ];
      return { payment: payment.body, changes: changes.body.data };
    };
    const before = await read();
    const refused = await decide(proposal.id);
    expect([refused.status, refused.body.detail]).toEqual([409, 'The wallet can hold 10 INR more, not 49900.']);
    expect(await read()).toEqual(before);
    expect(before.payment).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED', proposals: [{ state: 'open' }] });
  });

  it('requires exactly the members of its outcome', async () => {
    const { pay, propose } = await start(await openTestSqlite());
    const path = `/management/payments/${await pay()}/resolve`;
    const pointer = async (body: object) => (await propose(path, body, 400)).violations[0].pointer;
    expect(await pointer({ outcome: 'succeeded' })).toBe('/amount_paid');
    expect(await pointer({ outcome: 'declined' })).toBe('/decline_reason');
    expect(await pointer({ outcome: 'declined', decline_reason: 'because' })).toBe('/decline_reason');
    expect(await pointer({ outcome: 'declined', decline_reason: 'BANK_REJECTED', amount_paid: 5 })).toBe(
      '/amount_paid',
    );
    await propose('/management/payments/pay_1/resolve', { outcome: 'succeeded', amount_paid: 5 }, 404);
  });
});

const lostId = (kind: 'pay' | 'out') => `${firstId(kind, START - 60_000)}0000000000000000`;

async function startImports(store: Store) {
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
    const { test, operator, propose, approve, wallet, paid, order, lost } = await startImports(await open());
    const proposal = await propose();
    const { reference, reason, ...imported } = lost;
    expect(proposal.body).toMatchObject({ type: 'import', state: 'open', merchant_id: test.merchant.id, ...imported });
    expect((await test.call('GET', `/payouts/${lost.transaction_id}`)).status).toBe(404);
    const watch = new WalletWatch();
    test.clock.advance(120_000);
    const now = test.clock.now();
    const differing = (at: number) => watch.differing(test.gateway.store.read, at);
    expect(await differing(now)).toBe(0);
    expect((await approve(proposal.body.id)).body.state).toBe('approved');
    // The entries have the time of the transaction, before the watch began.
    for (const at of [now, now + 60_001, now + 180_000]) expect(await differing(at)).toBe(0);
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
    const { test, propose, approve, wallet } = await startImports(await open());
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
});

describe('a refused import', () => {
  it('is refused if the transaction is known, or its order has another one', async () => {
    const { test, propose, approve, order } = await startImports(await openTestSqlite());
    const created = await test.call('POST', '/payouts', order);
    await test.gateway.idle();
    const other = await propose();
    expect(other.status).toBe(409);
    expect(other.body.detail).toContain(
      `payments-gateway payout resolve ${created.body.transaction_id} --outcome succeeded`,
    );
    const free = await propose({ merchant_order_id: 'order-2', amount: 10 });
    expect((await propose({ merchant_order_id: 'order-2', amount: 10 })).status).toBe(409);
    await approve(free.body.id);
    const again = await propose({ merchant_order_id: 'order-3', amount: 10 });
    expect([again.status, again.body.detail]).toEqual([409, `${lostId('out')} is known: it is SUCCESS.`]);
  });

  it('is rejected with the wrong member', async () => {
    const { propose } = await startImports(await openTestSqlite());
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
