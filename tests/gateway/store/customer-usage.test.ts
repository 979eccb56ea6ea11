/** Customer usage and its limits, with concurrent payments. */
import { expect, it } from 'vitest';
import { Rejection, type Store } from '../../../gateway/src/database/store.ts';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { addUsage, subtractUsage } from '../../../gateway/src/transactions/customer-usage.ts';
import { addMerchant, addPayment, START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';

const DAY_MS = 24 * 60 * 60_000;
const LIMITS = { perDay: 100, perMonth: 250 };

/** Counts an amount. Returns whether the limits allow it. */
function count(store: Store, payment: Payment, amount: number): Promise<boolean> {
  return store
    .unit(async (db) => {
      const counted = await addUsage(db, payment, amount, LIMITS);
      return counted || new Rejection('limit_exceeded');
    })
    .then((outcome) => outcome === true);
}

function giveBack(store: Store, payment: Payment, amount: number): Promise<void> {
  return store.unit((db) => subtractUsage(db, payment, amount));
}

describeOnEachStore('the limits of a customer', (open) => {
  let store: Store;
  let merchant: Merchant;

  async function paymentOf(changes: Partial<Payment> = {}): Promise<Payment> {
    store = await open();
    merchant = await addMerchant(store);
    return addPayment(store, merchant, changes);
  }

  it('apply by day and by month, in UTC', async () => {
    const payment = await paymentOf({ createdAt: Date.UTC(2026, 2, 2, 23, 59, 59, 999) });
    const on = (day: number) => ({ ...payment, createdAt: payment.createdAt + day * DAY_MS });
    await count(store, payment, 100);
    expect(await count(store, payment, 1)).toBe(false);
    expect(await count(store, { ...payment, createdAt: payment.createdAt + 1 }, 100)).toBe(true);
    expect(await count(store, on(2), 51)).toBe(false);
    expect(await count(store, on(2), 50)).toBe(true);
    expect(await count(store, on(3), 1)).toBe(false);
    expect(await count(store, on(30), 100)).toBe(true);
  });

  it.each([
    ['customer', { customer: { id: 'another' } }],
    ['currency', { currency: 'EGP' }],
    ['kind', { kind: 'payout' }],
  ] as const)('apply per %s', async (_what, other) => {
    const payment = await paymentOf();
    await count(store, payment, 100);
    expect(await count(store, { ...payment, ...other } as Payment, 100)).toBe(true);
  });

  it('apply per merchant', async () => {
    const payment = await paymentOf();
    await count(store, payment, 100);
    const other = await addMerchant(store);
    expect(await count(store, { ...payment, merchantId: other.id }, 100)).toBe(true);
  });

  it('ignore refused amounts', async () => {
    const payment = await paymentOf();
    for (let day = 0; day < 2; day++) await count(store, { ...payment, createdAt: START + day * DAY_MS }, 100);
    const third = { ...payment, createdAt: START + 2 * DAY_MS };
    expect(await count(store, third, 60)).toBe(false);
    expect(await count(store, third, 50)).toBe(true);
  });

  it('free up subtracted amounts', async () => {
    const payment = await paymentOf();
    await count(store, payment, 100);
    await giveBack(store, payment, 40);
    expect(await count(store, payment, 41)).toBe(false);
    expect(await count(store, payment, 40)).toBe(true);
  });

  it('apply to concurrent payments, including the first one', async () => {
    const payment = await paymentOf();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => count(store, payment, 30)));
    expect(outcomes.filter((counted) => counted)).toHaveLength(3);
    const sums = await store.read.all('select amount from customer_usage');
    expect(sums).toEqual([{ amount: 90 }, { amount: 90 }]);
  });

  it('refuse an amount over the daily limit, even as the first one', async () => {
    const payment = await paymentOf();
    expect(await count(store, payment, Number.MAX_SAFE_INTEGER)).toBe(false);
    expect(await count(store, payment, 101)).toBe(false);
  });
});
