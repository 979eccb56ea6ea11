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
import { createCaller } from '../harness/gateway.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';
import { CONFIRMATION_NEEDED, startOperated } from './operator.ts';

const EVIDENCE = { reference: 'Statement 7, line 14', reason: 'The channel is silent' };
/** A live gateway whose merchant has 1,000.00, with an operator who proposes and one who approves. */
async function start(store: Store, payOut = BANK.payOut) {
  // Gives customers an account to pay to, and then never responds.
  const channel: Channel = { ...BANK, initiate: async () => CONFIRMATION_NEEDED, payOut };
  const operated = await startOperated(store, { channels: [channel] });
  const { test, receiver, operator } = operated;
  await fund(store, test.merchant, 100_000);
  const callback_url = `${receiver.address}/hook`;
  const approver = await addOperator(test, 'Lee', 'approve');
  const own = `/management/merchants/${test.merchant.id}`;
  const wallet = async () => (await operator.call('GET', `${own}/wallets`)).body.data[0];
  const propose = async (path: string, body: object, status = 201) => {
    const proposed = await operator.call('POST', path, { ...EVIDENCE, ...body });
    expect(proposed.status, proposed.text).toBe(status);
    return proposed.body;
  };
  return {
    ...operated,
    ...{ approver, wallet, propose, store },
    correct: (body: object, status?: number) => propose(`${own}/corrections`, { currency: 'INR', ...body }, status),
    /** A payment with an account from its channel, confirmed by the merchant by default. */
    async pay({ confirm = true } = {}) {
      const { body } = await test.call('POST', '/payments', paymentRequest({ callback_url }));
      await test.gateway.idle();
      const path = `/payments/${body.transaction_id}`;
      if (confirm) await test.call('POST', `${path}/confirm`, { confirm_data: { tid: '12' } });
      return body.transaction_id as string;
    },
    async payOut() {
      const { body } = await test.call('POST', '/payouts', payoutRequest({ callback_url, amount: 60_000 }));
      await test.gateway.idle();
      return body.transaction_id as string;
    },
    decide: (id: string, decision: 'approve' | 'reject' = 'approve') =>
      approver.call('POST', `/management/proposals/${id}/${decision}`, { reason: 'Compared' }),
    differences: async () => (await auditStore(store)).differences,
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
    const ledger = await operator.call('GET', `/management/merchants/${test.merchant.id}/ledger?currency=INR`);
    expect(ledger.body.data).toMatchObject([
      { reason: 'credited' },
      { reason: 'debited', id: approved.body.ledger_entry_id },
      { reason: 'funded' },
    ]);
    expect((await operator.call('GET', '/management/changes?limit=2')).body.data).toMatchObject([
      { action: 'approveProposal', operator: 'Lee' },
      { action: 'proposeCorrection', operator: 'Dana' },
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
    const wrong = await correct({ direction: 'credit', amount: 5, currency: 'EGP' }, 400);
    expect(wrong.violations).toMatchObject([{ pointer: '/currency' }]);
  });
});

describeOnEachStore('a transaction whose channel is silent', (open) => {
  it('ends as two operators say, with its entry, its webhook and their name in its history', async () => {
    const { pay, propose, decide, wallet, operator, receiver, test, differences } = await start(await open());
    const succeeded = { outcome: 'succeeded', amount_paid: 49_800 };
    for (const [confirm, status, resolution, end] of [
      [true, 'VERIFYING', succeeded, 'SUCCESS'],
      [false, 'PAY_CONFIRMATION_NEEDED', succeeded, 'SUCCESS'],
      [false, 'PAY_CONFIRMATION_NEEDED', { outcome: 'declined', decline_reason: 'BANK_REJECTED' }, 'FAILED'],
    ] as const) {
      const id = await pay({ confirm });
      const read = async () => (await test.call('GET', `/payments/${id}`)).body;
      const proposal = await propose(`/management/payments/${id}/resolve`, resolution);
      expect(proposal).toMatchObject({ type: 'resolution', transaction_id: id, ...resolution });
      expect((await read()).status).toBe(status);
      expect((await decide(proposal.id)).status).toBe(200);
      await test.gateway.idle();
      const { outcome, ...result } = resolution;
      expect(await read()).toMatchObject({ status: end, ...result });
      const { body } = await operator.call('GET', `/management/payments/${id}`);
      expect(body.statuses.at(-1)).toMatchObject({ status: end, cause: `${outcome} by operator` });
      const sent = receiver.requests.map((request) => JSON.parse(request.body));
      expect(sent).toContainEqual(expect.objectContaining({ transaction_id: id, status: end }));
    }
    expect(await wallet()).toMatchObject({ pending: 2 * 49_800 });
    expect(await differences()).toEqual([]);
  });

  it('is approved once of two at the same time, with room for one, and the other one stays unchanged', async () => {
    const { pay, propose, decide, operator, store, test } = await start(await open());
    await fund(store, test.merchant, Number.MAX_SAFE_INTEGER - 149_910);
    const proposals = [];
    for (const id of [await pay(), await pay({ confirm: false })]) {
      const resolution = { outcome: 'succeeded', amount_paid: 49_900 };
      proposals.push(await propose(`/management/payments/${id}/resolve`, resolution));
    }
    const read = ({ transaction_id: id }: { transaction_id: string }) =>
      operator.call('GET', `/management/payments/${id}`).then(({ body }) => body);
    const before = await Promise.all(proposals.map(read));
    const decided = await Promise.all(proposals.map(({ id }) => decide(id)));
    expect(decided.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = decided.findIndex(({ status }) => status === 409);
    expect(decided[refused]?.body.detail).toBe('The wallet can hold 10 INR more, not 49900.');
    expect(await read(proposals[refused])).toEqual(before[refused]);
    expect(before[refused].proposals).toMatchObject([{ state: 'open' }]);
    const { data } = (await operator.call('GET', '/management/changes')).body;
    expect(data.filter(({ action }: { action: string }) => action === 'approveProposal')).toHaveLength(1);
  });

  it('gives the money of a payout back, or pays it, once', async () => {
    const { payOut, propose, decide, wallet, differences, operator } = await start(await open());
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
    expect(await differences()).toEqual([]);
  });
});

it.each([
  [{ outcome: 'succeeded' }, '/amount_paid'],
  [{ outcome: 'declined' }, '/decline_reason'],
  [{ outcome: 'declined', decline_reason: 'BANK_REJECTED', amount_paid: 5 }, '/amount_paid'],
])('a resolution as %j is refused', async (resolution, pointer) => {
  const { pay, propose } = await start(await openTestSqlite());
  const refused = await propose(`/management/payments/${await pay()}/resolve`, resolution, 400);
  expect(refused.violations).toMatchObject([{ pointer }]);
  await propose('/management/payments/pay_1/resolve', { outcome: 'succeeded', amount_paid: 5 }, 404);
});

const lostId = (kind: 'pay' | 'out') => `${firstId(kind, START - 60_000)}0000000000000000`;

async function startImports(store: Store) {
  const paid: string[] = [];
  const started = await start(store, async ({ id }) => {
    paid.push(id);
    return { event: { type: 'succeeded' } };
  });
  const order = payoutRequest({ amount: 60_000 });
  const lost = {
    ...{ transaction_id: lostId('out'), merchant_order_id: order.merchant_order_id, amount: 60_000, currency: 'INR' },
    ...{ payment_method_type: order.payment_method_type, channel: 'bank', customer_id: 'customer-71' },
  };
  return {
    ...{ ...started, paid, order, lost },
    propose: (changes: object = {}, status?: number, merchant = started.test.merchant.id) =>
      started.propose(`/management/merchants/${merchant}/imports`, { ...lost, ...changes }, status),
  };
}

describeOnEachStore('an import', (open) => {
  it('adds a payout with its entries, so that a repeat of its order is not paid again', async () => {
    const { test, operator, propose, decide, wallet, paid, order, lost, differences } = await startImports(
      await open(),
    );
    const proposal = await propose();
    expect(proposal).toMatchObject({ type: 'import', state: 'open', merchant_id: test.merchant.id, ...lost });
    expect((await test.call('GET', `/payouts/${lost.transaction_id}`)).status).toBe(404);
    const watch = new WalletWatch();
    test.clock.advance(120_000);
    const now = test.clock.now();
    const differing = (at: number) => watch.differing(test.gateway.store.read, at);
    expect(await differing(now)).toBe(0);
    expect((await decide(proposal.id)).body.state).toBe('approved');
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
    expect(await differences()).toEqual([]);
  });

  it('adds a payment, whose money settles', async () => {
    const { test, propose, decide, wallet, differences } = await startImports(await open());
    const id = lostId('pay');
    await decide((await propose({ transaction_id: id, payment_method_type: 'UPI_IN' })).id);
    expect(await wallet()).toMatchObject({ available: 100_000, pending: 60_000 });
    expect((await test.call('GET', `/payments/${id}`)).body).toMatchObject({ status: 'SUCCESS', amount_paid: 60_000 });
    test.clock.advance(86_400_000);
    await test.gateway.idle();
    expect(await wallet()).toMatchObject({ available: 160_000, pending: 0 });
    expect(await differences()).toEqual([]);
  });
});

describe('a refused import', () => {
  it('is of a known transaction, or its order has another one', async () => {
    const { test, propose, decide, order } = await startImports(await openTestSqlite());
    const { transaction_id: known } = (await test.call('POST', '/payouts', order)).body;
    await test.gateway.idle();
    const command = `payments-gateway payout resolve ${known} --outcome succeeded`;
    expect((await propose({}, 409)).detail).toContain(command);
    const free = await propose({ merchant_order_id: 'order-2', amount: 10 });
    await propose({ merchant_order_id: 'order-2', amount: 10 }, 409);
    await decide(free.id);
    const again = await propose({ merchant_order_id: 'order-3', amount: 10 }, 409);
    expect(again.detail).toBe(`${lostId('out')} is known: it is SUCCESS.`);
  });

  it.each([
    [{ transaction_id: lostId('pay').replace('pay', 'evt') }, '/transaction_id'],
    [{ payment_method_type: 'UPI_IN' }, '/payment_method_type'],
    [{ channel: 'other' }, '/channel'],
    [{ currency: 'EGP' }, '/currency'],
  ])('has the wrong member %j', async (changes, pointer) => {
    const { propose } = await startImports(await openTestSqlite());
    expect((await propose(changes, 400)).violations).toMatchObject([{ pointer }]);
    await propose({}, 404, 1);
  });
});
