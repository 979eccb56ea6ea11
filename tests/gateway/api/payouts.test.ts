import { expect, it } from 'vitest';
import { readWallets } from '../../../gateway/src/ledger/wallets.ts';
import { balances, settled } from '../harness/customer.ts';
import { fund, payoutRequest } from '../harness/fixtures.ts';
import { describeOnEachDriver, startTestGateway, type TestGateway } from '../harness.ts';

const FUNDS = 100_000;
const AMOUNT = 60_000;

async function fundedGateway(opening: Promise<TestGateway['gateway']['store']>): Promise<TestGateway> {
  const test = await startTestGateway({ store: await opening });
  await fund(test.gateway.store, test.merchant, FUNDS);
  return test;
}

async function reserved({ gateway, merchant }: TestGateway): Promise<number | undefined> {
  return (await readWallets(gateway.store.read, merchant.id))[0]?.reserved;
}

describeOnEachDriver('a payout', (open) => {
  it('debits the balance immediately, and moves the money when it succeeds', async () => {
    const test = await fundedGateway(open());
    const request = payoutRequest({ amount: AMOUNT, customer: { id: 'succeed-later' } });
    const { status, body } = await test.call('POST', '/payouts', request);
    expect(status).toBe(201);
    expect(body).toEqual({
      transaction_id: expect.stringMatching(/^out_/),
      merchant_order_id: request.merchant_order_id,
      status: 'PROCESSING',
      amount: AMOUNT,
      currency: 'INR',
      created_at: '2026-03-02T09:00:00.000Z',
    });
    expect(await balances(test.call)).toEqual({ INR: { available: FUNDS - AMOUNT, pending: 0 } });
    expect(await reserved(test)).toBe(AMOUNT);
    expect(await settled(test, test.call, body.transaction_id)).toEqual(body);

    test.clock.advance(10_000);
    expect(await settled(test, test.call, body.transaction_id)).toEqual({
      ...body,
      status: 'SUCCESS',
      finalized_at: '2026-03-02T09:00:10.000Z',
    });
    expect(await balances(test.call)).toEqual({ INR: { available: FUNDS - AMOUNT, pending: 0 } });
    expect(await reserved(test)).toBe(0);
  });

  it('returns its amount when it is declined', async () => {
    const test = await fundedGateway(open());
    const request = payoutRequest({ amount: AMOUNT, customer: { id: 'decline-BANK_REJECTED' } });
    const { body } = await test.call('POST', '/payouts', request);
    expect(await settled(test, test.call, body.transaction_id)).toEqual({
      ...body,
      status: 'FAILED',
      finalized_at: '2026-03-02T09:00:00.000Z',
      decline_reason: 'BANK_REJECTED',
    });
    expect(await balances(test.call)).toEqual({ INR: { available: FUNDS, pending: 0 } });
    expect(await reserved(test)).toBe(0);
  });

  it('is declined for insufficient funds without a debit', async () => {
    const test = await fundedGateway(open());
    const { status, body } = await test.call('POST', '/payouts', payoutRequest({ amount: FUNDS + 1 }));
    expect({ status, shown: body.status }).toEqual({ status: 201, shown: 'PROCESSING' });
    expect(await balances(test.call)).toEqual({ INR: { available: FUNDS, pending: 0 } });
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({
      status: 'FAILED',
      decline_reason: 'INSUFFICIENT_BALANCE',
    });
    expect(await balances(test.call)).toEqual({ INR: { available: FUNDS, pending: 0 } });
  });

  it('cannot use the same money as a concurrent payout', async () => {
    const test = await fundedGateway(open());
    const made = await Promise.all(
      Array.from({ length: 5 }, () => test.call('POST', '/payouts', payoutRequest({ amount: 40_000 }))),
    );
    const shown = [];
    for (const { body } of made) shown.push(await settled(test, test.call, body.transaction_id));
    expect(shown.map(({ status }) => status).sort()).toEqual(['FAILED', 'FAILED', 'FAILED', 'SUCCESS', 'SUCCESS']);
    expect(await balances(test.call)).toEqual({ INR: { available: FUNDS - 80_000, pending: 0 } });
    expect(await reserved(test)).toBe(0);
  });

  it('does not use collected funds before settlement', async () => {
    const test = await startTestGateway({ store: await open() });
    const { store } = test.gateway;
    await fund(store, test.merchant, 1_000);
    await store.unit((db) => db.run('update wallets set pending = ?', AMOUNT));
    const { body } = await test.call('POST', '/payouts', payoutRequest({ amount: AMOUNT }));
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({
      decline_reason: 'INSUFFICIENT_BALANCE',
    });
  });

  it('uses only the wallet of its currency', async () => {
    const test = await fundedGateway(open());
    await fund(test.gateway.store, test.merchant, 5_000, 'EGP');
    const egp = {
      currency: 'EGP',
      payment_method_type: 'WALLET_EG',
      customer: { account_number: '201012345672' },
    } as const;
    const { body } = await test.call('POST', '/payouts', payoutRequest({ amount: 4_000, ...egp }));
    expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'SUCCESS', currency: 'EGP' });
    expect(await balances(test.call)).toEqual({
      EGP: { available: 1_000, pending: 0 },
      INR: { available: FUNDS, pending: 0 },
    });
  });
});

describeOnEachDriver('the balance', (open) => {
  it('is empty for a new merchant, and has the time of its last change', async () => {
    const { call, merchant, clock, gateway } = await startTestGateway({ store: await open() });
    expect((await call('GET', '/merchant/balance')).body).toEqual({
      merchant_id: merchant.id,
      balances: [],
      last_updated_at: '2026-03-02T09:00:00.000Z',
    });
    await fund(gateway.store, merchant, FUNDS);
    clock.advance(90_000);
    await call('POST', '/payouts', payoutRequest({ amount: AMOUNT }));
    expect((await call('GET', '/merchant/balance')).body.last_updated_at).toBe('2026-03-02T09:01:30.000Z');
  });
});
