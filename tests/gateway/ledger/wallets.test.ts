/** Wallets and their entries, with the constraints that the database enforces. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Store, Value } from '../../../gateway/src/database/store.ts';
import type { LedgerEntry } from '../../../gateway/src/domain/ledger.ts';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import { checkFunds, type Posting, postEntry, readWallets } from '../../../gateway/src/ledger/wallets.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { addMerchant, addPayment, createPosting, fund, START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';

const REFUSED = /check|constraint/i;

const COLLECTED = { from: 'channel', to: 'pending', reason: 'collected' } as const;

function post(store: Store, merchant: Merchant, entry: LedgerEntry, changes?: Partial<Posting>): Promise<void> {
  return store.unit((db) => postEntry(db, entry, createPosting(merchant, changes)));
}

async function wallet(store: Store, { id }: Merchant, now = START) {
  const [found] = await readWallets(store.read, id, now);
  return found && { available: found.available, pending: found.pending, reserved: found.reserved };
}

describeOnEachStore('the ledger', (open) => {
  it('refuses to take a wallet beyond the largest amount', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    await fund(store, merchant, Number.MAX_SAFE_INTEGER);
    await expect(fund(store, merchant, 1)).rejects.toThrow(REFUSED);
    expect(await wallet(store, merchant)).toMatchObject({ available: Number.MAX_SAFE_INTEGER });
  });

  it.each([
    ['no amount', ['channel', 'pending', 0, 'collected']],
    ['a negative amount', ['channel', 'pending', -5, 'collected']],
    ['an amount of 2^53', ['channel', 'pending', 2 ** 53, 'collected']],
    ['twice the same account', ['pending', 'pending', 5, 'collected']],
    ['an unknown account', ['pocket', 'pending', 5, 'collected']],
  ] as const)('refuses an entry with %s', async (_what, values) => {
    const store = await open();
    const merchant = await addMerchant(store);
    await fund(store, merchant, 100);
    const insert = `insert into ledger_entries
      (id, merchant_id, currency, from_account, to_account, amount, reason, created_at) values (?, ?, ?, ?, ?, ?, ?, ?)`;
    const row: Value[] = ['led', merchant.id, 'INR', ...values, START];
    await expect(store.unit((db) => db.run(insert, ...row))).rejects.toThrow(REFUSED);
  });

  it('is entered once per transaction and reason', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const [one, other] = [await addPayment(store, merchant), await addPayment(store, merchant)];
    const collect = ({ id: transactionId }: Payment) =>
      post(store, merchant, { ...COLLECTED, amount: 700, availableAt: START + 1 }, { transactionId });
    await collect(one);
    await expect(collect(one)).rejects.toThrow(/unique/i);
    await collect(other);
    for (const amount of [5, 5]) await fund(store, merchant, amount);
    expect(await wallet(store, merchant)).toEqual({ available: 10, pending: 1_400, reserved: 0 });
  });

  it('keeps every wallet equal to its entries under any sequence', async () => {
    const store = await open();
    const account = fc.constantFrom('available', 'pending', 'reserved', 'bank', 'channel');
    const tried = fc.record({ from: account, to: account, amount: fc.integer({ min: 0, max: 50 }) });
    const entries = tried.filter(
      ({ from, to }) => to !== 'pending' || !['available', 'reserved', 'bank'].includes(from),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(entries, { maxLength: 12 }), async (wanted) => {
        const merchant = await addMerchant(store);
        const accounts: Record<string, number> = { available: 0, pending: 0, reserved: 0, bank: 1e6, channel: 1e6 };
        for (const entry of wanted) {
          const { from, to, amount } = entry;
          const legal = from !== to && amount > 0 && (accounts[from] ?? 0) >= amount;
          const availableAt = to === 'pending' ? START + 1 : undefined;
          const posting = post(store, merchant, { ...entry, reason: 'funded', availableAt });
          const posted = await posting.then(() => true).catch(() => false);
          expect(posted).toBe(legal);
          if (!legal) continue;
          accounts[from] = (accounts[from] ?? 0) - amount;
          accounts[to] = (accounts[to] ?? 0) + amount;
        }
        const { available, pending, reserved } = accounts;
        const found = (await wallet(store, merchant)) ?? { available: 0, pending: 0, reserved: 0 };
        expect(found).toEqual({ available, pending, reserved });
      }),
      { numRuns: 20 },
    );
  });

  it('has collected money available at the time in its entry, without another write', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    await post(store, merchant, { ...COLLECTED, amount: 700, availableAt: START + 1 });
    const check = (now: number) =>
      store.unit((db) => checkFunds(db, { merchantId: merchant.id, currency: 'INR', now }, 700));
    expect(await wallet(store, merchant)).toEqual({ available: 0, pending: 700, reserved: 0 });
    expect(await check(START)).toBe('short');
    const changedAt = async () => (await readWallets(store.read, merchant.id, START + 5))[0]?.updatedAt;
    expect(await wallet(store, merchant, START + 1)).toEqual({ available: 700, pending: 0, reserved: 0 });
    expect(await changedAt()).toBe(START + 1);
    expect(await check(START + 1)).toBe('held');
    expect(await changedAt()).toBe(START + 1);
    expect(await wallet(store, merchant, START)).toEqual({ available: 700, pending: 0, reserved: 0 });
    // The wallet has been settled up to START + 1.
    await post(store, merchant, { ...COLLECTED, amount: 50, availableAt: START + 1 });
    await post(store, merchant, { ...COLLECTED, amount: 30, availableAt: START + 2 });
    expect(await wallet(store, merchant, START + 1)).toEqual({ available: 750, pending: 30, reserved: 0 });
  });

  it('refuses one of two units that take the last money concurrently', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    await fund(store, merchant, 100);
    const take: LedgerEntry = { from: 'available', to: 'reserved', amount: 60, reason: 'reserved' };
    const outcomes = await Promise.allSettled([post(store, merchant, take), post(store, merchant, take)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await wallet(store, merchant)).toEqual({ available: 40, pending: 0, reserved: 60 });
  });
});
