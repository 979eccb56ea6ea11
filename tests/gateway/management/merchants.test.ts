import { expect, it } from 'vitest';
import { createWallet } from '../../../gateway/src/ledger/wallets.ts';
import { disableMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { fund } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { startOperated } from './operator.ts';

describeOnEachStore('merchants', (open) => {
  it('are listed page by page by number, including disabled ones', async () => {
    const { test, operator } = await startOperated(await open());
    const merchants = [test, await test.addMerchant('Second'), await test.addMerchant('Third')].map(
      (one) => one.merchant,
    );
    const { store } = test.gateway;
    await store.unit((db) => disableMerchant(db, merchants[1]?.id ?? 0, test.clock.now()));
    const first = (await operator.call('GET', '/management/merchants?limit=2')).body;
    const second = (await operator.call('GET', `/management/merchants?limit=2&cursor=${first.next_cursor}`)).body;
    const created_at = new Date(test.clock.now()).toISOString();
    expect([...first.data, ...second.data]).toEqual(
      merchants.map(({ id, name }, index) => ({
        id,
        name,
        created_at,
        ...(index === 1 && { disabled_at: created_at }),
      })),
    );
    expect(second).not.toHaveProperty('next_cursor');
    const one = await operator.call('GET', `/management/merchants/${merchants[1]?.id}`);
    expect(one.body).toEqual(first.data[1]);
  });

  it('have wallets, and a ledger with the balance after each entry', async () => {
    const { test, operator } = await startOperated(await open());
    const { store } = test.gateway;
    const { merchant } = test;
    await store.unit((db) => createWallet(db, merchant.id, 'EGP', test.clock.now()));
    for (const amount of [100, 200, 300]) await fund(store, merchant, amount);
    const path = `/management/merchants/${merchant.id}`;
    const { data } = (await operator.call('GET', `${path}/wallets`)).body;
    expect(data).toEqual([
      expect.objectContaining({ currency: 'EGP', available: 0, pending: 0, reserved: 0 }),
      expect.objectContaining({ currency: 'INR', available: 600, pending: 0, reserved: 0 }),
    ]);
    const first = (await operator.call('GET', `${path}/ledger?currency=INR&limit=2`)).body;
    const second = (await operator.call('GET', `${path}/ledger?currency=INR&limit=2&cursor=${first.next_cursor}`)).body;
    const available = [...first.data, ...second.data].map((entry) => [entry.amount, entry.balance.available]);
    expect(available).toEqual([
      [300, '600'],
      [200, '300'],
      [100, '100'],
    ]);
    expect((await operator.call('GET', `${path}/ledger?currency=EGP`)).body).toEqual({ data: [] });
  });

  it('with unknown ids or cursors of other lists are rejected', async () => {
    const { operator } = await startOperated(await open());
    for (const part of ['', '/wallets', '/ledger?currency=INR', '/signing-secrets']) {
      expect((await operator.call('GET', `/management/merchants/99999${part}`)).status, part).toBe(404);
    }
    for (const path of ['/management/merchants/shop', '/management/merchants/0']) {
      const { status, body } = await operator.call('GET', path);
      expect([status, body.violations[0].pointer]).toEqual([400, '/merchant_id']);
    }
    for (const path of ['merchants', 'payments', 'payouts', 'events', 'stopped-urls', 'changes']) {
      const { status, body } = await operator.call('GET', `/management/${path}?cursor=led_1`);
      expect([status, body.violations[0].pointer], path).toEqual([400, '/cursor']);
    }
  });
});
