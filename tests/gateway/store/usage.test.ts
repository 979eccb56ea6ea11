import { expect, it } from 'vitest';
import { openPayment } from '../../../gateway/src/domain/payment.ts';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import { createMerchant } from '../../../gateway/src/store/merchants.ts';
import type { Store } from '../../../gateway/src/store/store.ts';
import { changeUsage, LimitReached } from '../../../gateway/src/store/usage.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { describeOnEachStore } from '../harness.ts';

const NOON = Date.UTC(2026, 2, 2, 12);
const DAY = 24 * 60 * 60_000;
const LIMITS = { perDay: 100, perMonth: 150 };

async function paymentOf(store: Store): Promise<Payment> {
  const { id } = await store.unit((db) => createMerchant(db, 'Merchant', NOON));
  const request = requestExamples.createPayment['h2h-upi'].body;
  return openPayment({ id: 'pay_1', merchantId: id, request, now: NOON, checkoutToken: '' }).transaction;
}

describeOnEachStore('what a customer has moved', (open) => {
  it('is limited by day and by month, exactly', async () => {
    const store = await open();
    const payment = await paymentOf(store);
    const add = (amount: number, at = NOON) =>
      store.unit((db) => changeUsage(db, { ...payment, createdAt: at }, { amount, limits: LIMITS }));
    await add(60);
    await add(40);
    await expect(add(1)).rejects.toBeInstanceOf(LimitReached);
    await add(50, NOON + DAY);
    await expect(add(1, NOON + DAY)).rejects.toBeInstanceOf(LimitReached);
    await add(100, NOON + 31 * DAY);
    await expect(add(101, NOON + 62 * DAY)).rejects.toBeInstanceOf(LimitReached);
  });

  it('is given back by a failure', async () => {
    const store = await open();
    const payment = await paymentOf(store);
    const change = (amount: number) =>
      store.unit((db) => changeUsage(db, payment, { amount, ...(amount > 0 && { limits: LIMITS }) }));
    await change(100);
    await change(-30);
    await change(30);
    await expect(change(1)).rejects.toBeInstanceOf(LimitReached);
  });

  it('is counted for each merchant, kind, customer and currency by itself', async () => {
    const store = await open();
    const payment = await paymentOf(store);
    const other = await store.unit((db) => createMerchant(db, 'Other', NOON));
    const add = (changes: Partial<Payment>) =>
      store.unit((db) => changeUsage(db, { ...payment, ...changes }, { amount: 100, limits: LIMITS }));
    await add({});
    await add({ merchantId: other.id });
    await add({ customer: { id: 'another' } });
    await add({ currency: 'EGP' });
    await add({ kind: 'payout' } as never);
    await expect(add({})).rejects.toBeInstanceOf(LimitReached);
  });

  it('never goes over the limit when many come at once', async () => {
    const store = await open();
    const payment = await paymentOf(store);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => store.unit((db) => changeUsage(db, payment, { amount: 10, limits: LIMITS }))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });
});
