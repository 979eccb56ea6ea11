import { expect, it } from 'vitest';
import { DAY_MS } from '../../../gateway/src/ledger/settlements.ts';
import { createWallet } from '../../../gateway/src/ledger/wallets.ts';
import { SETTLEMENT_COLUMNS } from '../../../gateway/src/management/settlements.ts';
import { AMOUNT_MAX, addLargeEntries } from '../harness/books.ts';
import { fund, START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { startOperated } from './operator.ts';

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const DATE = dateOf(START);

describeOnEachStore('the settlements of a day', (open) => {
  it('list each wallet page by page, with every documented member', async () => {
    const { test, operator } = await startOperated(await open());
    const { store } = test.gateway;
    const other = await test.addMerchant('Other');
    await store.unit((db) => createWallet(db, test.merchant.id, 'EGP', test.clock.now()));
    await fund(store, test.merchant, 300);
    await fund(store, other.merchant, 200);
    const wallets: [number, string, number][] = [];
    for (let cursor = ''; cursor !== undefined; ) {
      const { status, body } = await operator.call('GET', `/management/settlements?date=${DATE}&limit=1${cursor}`);
      expect(status).toBe(200);
      for (const settled of body.data) {
        expect(Object.keys(settled)).toEqual(SETTLEMENT_COLUMNS);
        wallets.push([settled.merchant_id, settled.currency, Number(settled.closing_available)]);
      }
      cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
    }
    expect(wallets).toEqual([
      [test.merchant.id, 'EGP', 0],
      [test.merchant.id, 'INR', 300],
      [other.merchant.id, 'INR', 200],
    ]);
    const ofOther = await operator.call('GET', `/management/settlements?date=${DATE}&merchant_id=${other.merchant.id}`);
    expect(ofOther.body.data).toEqual([
      expect.objectContaining({ date: DATE, opening_available: '0', moved_funded: '200', closing_available: '200' }),
    ]);
  });

  it('have exact sums above 2^63, as decimal strings', async () => {
    const { test, operator } = await startOperated(await open());
    await addLargeEntries(test.gateway.store, test.merchant, 1_025);
    const { body } = await operator.call('GET', `/management/settlements?date=${DATE}`);
    const sum = String(1_025n * BigInt(AMOUNT_MAX));
    expect(body.data).toMatchObject([{ moved_funded: sum, moved_drained: sum, closing_available: '0' }]);
  });

  it('cover a day of the last month, which may be incomplete', async () => {
    const { test, operator } = await startOperated(await open());
    const call = (date: string) => operator.call('GET', `/management/settlements?date=${date}`);
    test.clock.advance(DAY_MS);
    expect((await call(dateOf(START + DAY_MS))).body.data).toEqual([]);
    expect((await call(dateOf(START - 30 * DAY_MS))).status).toBe(200);
    for (const date of [dateOf(START - 31 * DAY_MS), dateOf(START + 2 * DAY_MS), '2026-02-30', 'yesterday', '']) {
      const { status, body } = await call(date);
      expect([status, body.violations?.[0]?.pointer], date).toEqual([400, '/date']);
    }
    expect((await operator.call('GET', '/management/settlements')).status).toBe(400);
    expect((await operator.call('GET', `/management/settlements?date=${DATE}&cursor=1`)).status).toBe(400);
  });
});
