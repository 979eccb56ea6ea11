/** Customer usage and its limits, with concurrent payments. */
import { expect, it } from 'vitest';
import { type ContendedRow, Rejection } from '../../../gateway/src/database/store.ts';
import type { Payment, Transaction } from '../../../gateway/src/domain/transaction.ts';
import { addUsage, subtractUsage, usageRows } from '../../../gateway/src/transactions/customer-usage.ts';
import { addMerchant, addPayment } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';

const DAY_MS = 24 * 60 * 60_000;
const LIMITS = { perDay: 100, perMonth: 250 };

describeOnEachStore('the limits of a customer', (open) => {
  async function openWithPayment(changes: Partial<Payment> = {}) {
    const store = await open();
    const payment = await addPayment(store, await addMerchant(store), changes);
    /** Counts an amount. Returns whether the limits allow it. */
    const count = async (amount: number, other: Partial<Transaction> = {}, together?: readonly ContendedRow[]) => {
      const outcome = await store.unit(
        async (db) => {
          const counted = await addUsage(db, { ...payment, ...other } as Payment, amount, LIMITS);
          return counted || new Rejection('limit_exceeded');
        },
        { together },
      );
      return outcome === true;
    };
    return { store, payment, count };
  }

  it('apply by day and by month, in UTC, and ignore refused amounts', async () => {
    const { payment, count } = await openWithPayment({ createdAt: Date.UTC(2026, 2, 2, 23, 59, 59, 999) });
    const on = (day: number) => ({ createdAt: payment.createdAt + day * DAY_MS });
    expect(await count(Number.MAX_SAFE_INTEGER)).toBe(false);
    expect(await count(101)).toBe(false);
    expect(await count(100)).toBe(true);
    expect(await count(1)).toBe(false);
    expect(await count(100, { createdAt: payment.createdAt + 1 })).toBe(true);
    expect(await count(51, on(2))).toBe(false);
    expect(await count(50, on(2))).toBe(true);
    expect(await count(1, on(3))).toBe(false);
    expect(await count(100, on(30))).toBe(true);
  });

  it('apply per merchant, customer, currency and kind', async () => {
    const { store, count } = await openWithPayment();
    const { id: merchantId } = await addMerchant(store);
    await count(100);
    for (const other of [{ merchantId }, { customer: { id: 'another' } }, { currency: 'EGP' }, { kind: 'payout' }])
      expect(await count(100, other as Partial<Transaction>), JSON.stringify(other)).toBe(true);
  });

  it('free up subtracted amounts', async () => {
    const { store, payment, count } = await openWithPayment();
    await count(100);
    await store.unit((db) => subtractUsage(db, payment, 40));
    expect(await count(41)).toBe(false);
    expect(await count(40)).toBe(true);
  });

  it('apply to concurrent payments of several customers, including their first ones, committed together', async () => {
    const { store, payment, count } = await openWithPayment();
    const customers = ['a', 'b', 'c'].map((id) => ({ ...payment, customer: { id } }));
    const outcomes = await Promise.all(
      Array.from({ length: 36 }, (_, index) => {
        const other = customers[index % customers.length] ?? payment;
        return count(30 + (index % 2), other, usageRows(other));
      }),
    );
    expect(outcomes.filter((counted) => counted)).toHaveLength(9);
    const sums = await store.read.all('select sum(amount) as sum from customer_usage group by customer_id, period');
    expect(sums).toHaveLength(6);
    for (const { sum } of sums) expect([90, 91, 92, 93]).toContain(Number(sum));
  });
});
