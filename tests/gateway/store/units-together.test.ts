/** Units of work that PostgreSQL commits in one transaction: they share it without affecting each other. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { type Database, Rejection, type Store } from '../../../gateway/src/database/store.ts';
import { createEntry } from '../../../gateway/src/domain/ledger.ts';
import type { Step } from '../../../gateway/src/domain/transaction.ts';
import { checkFunds, postEntry, readWallets, walletRow } from '../../../gateway/src/ledger/wallets.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { contendedRows } from '../../../gateway/src/transactions/write-step.ts';
import {
  addMerchant,
  createPosting,
  fund,
  holdUnit,
  openTestPayment,
  openTestPayout,
  recordStep,
  START,
} from '../harness/fixtures.ts';
import { openTestPostgres, separateDatabase } from '../harness.ts';

const TOGETHER = { together: [] };

function insertMerchant(db: Database, id: number): Promise<number> {
  return db.run('insert into merchants (id, name, created_at) values (?, ?, ?)', id, `m${id}`, START);
}

/** The PostgreSQL transaction that inserted each merchant. */
async function listTransactionIds(store: Store): Promise<unknown[]> {
  return (await store.read.all('select cast(cast(xmin as text) as bigint) as xid from merchants')).map(
    ({ xid }) => xid,
  );
}

interface PayoutOutcome {
  readonly amount: number;
  readonly cover: string | undefined;
}

/** Creates a payout as the operation does. */
async function payOut(store: Store, merchant: Merchant, amount: number): Promise<PayoutOutcome> {
  const step = await store.unit(
    async (db) => {
      const opened = await openTestPayout(db, merchant.id, { amount });
      return (await recordStep(db, opened, { ids: randomIds, webhook: undefined })) ?? opened;
    },
    { together: [walletRow(merchant.id, 'INR')] },
  );
  return { amount, cover: step instanceof Rejection ? undefined : step.transaction.fundsHold };
}

function openCustomerPayment(merchant: Merchant, customer: string): Step {
  return openTestPayment(merchant.id, { customer: { id: customer } });
}

function create(store: Store, step: Step) {
  const together = contendedRows(step);
  return store.unit((db) => recordStep(db, step, { ids: randomIds, webhook: undefined }), { together });
}

describe('units of work in a group commit on PostgreSQL', () => {
  it('share a transaction, up to a limit', async () => {
    const store = await openTestPostgres();
    const ids = Array.from({ length: 65 }, (_, index) => index + 1);
    await Promise.all(ids.map((id) => store.unit((db) => insertMerchant(db, id), TOGETHER)));
    const counts = Map.groupBy(await listTransactionIds(store), (xid) => xid);
    expect([...counts.values()].map(({ length }) => length)).toEqual([64, 1]);
  });

  it('write the search keys of a creation that follows a confirmation', async () => {
    const store = await openTestPostgres();
    const merchant = await addMerchant(store);
    const known = openCustomerPayment(merchant, 'known');
    await create(store, known);
    const created = openCustomerPayment(merchant, 'new');
    const confirmed = { transaction: { ...known.transaction, version: 2 }, supplied: { tid: 'HDFC0001' } };
    await Promise.all([create(store, { ...known, ...confirmed }), create(store, created)]);
    const keys = await store.read.all('select 1 from search_keys where transaction_id = ?', created.transaction.id);
    expect(keys).toHaveLength(1);
  });

  it('decline exactly the uncovered payouts', async () => {
    const store = await openTestPostgres();
    const cases = fc.record({
      funds: fc.integer({ min: 1, max: 300 }),
      amounts: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ funds, amounts }) => {
        const merchant = await addMerchant(store);
        await fund(store, merchant, funds);
        const outcomes = await Promise.all(amounts.map((amount) => payOut(store, merchant, amount)));
        const held = outcomes.filter(({ cover }) => cover === 'held').reduce((sum, { amount }) => sum + amount, 0);
        const [wallet] = await readWallets(store.read, merchant.id, START);
        expect(wallet).toMatchObject({ available: funds - held, reserved: held });
        // Equivalent to a serial order: first the covered payouts, then the declined ones.
        const short = outcomes.filter(({ cover }) => cover === 'short');
        expect(short.filter(({ amount }) => amount <= funds - held)).toEqual([]);
        expect(outcomes.filter(({ cover }) => cover === undefined)).toEqual([]);
      }),
      { numRuns: 60 },
    );
    expect((await auditStore(store)).differences).toEqual([]);
  });

  it('settle each credit once, regardless of earlier reads', async () => {
    const store = await openTestPostgres();
    for (let round = 0; round < 5; round++) {
      const merchant = await addMerchant(store);
      const credit = (reads: number, now: number) =>
        store.unit(
          async (db) => {
            for (let read = 0; read < reads; read++) await db.get('select ? as number', read);
            await postEntry(
              db,
              { ...createEntry('collected', 10), availableAt: now },
              createPosting(merchant, { now }),
            );
          },
          { together: [walletRow(merchant.id, 'INR')] },
        );
      await Promise.all([0, 1, 2, 0, 1, 2].map((reads, index) => credit(reads, START + index)));
      expect(await readWallets(store.read, merchant.id, START + 5)).toMatchObject([{ available: 60, pending: 0 }]);
    }
  });

  it('run once even if one takes money out of a wallet, and another one funds a new wallet', async () => {
    const store = await openTestPostgres();
    const [old, young] = [await addMerchant(store), await addMerchant(store)];
    await fund(store, old, 1_000);
    let runs = 0;
    const post = (merchant: Merchant, from: 'available' | 'channel', to: 'reserved' | 'pending') =>
      store.unit(
        (db) => {
          runs += 1;
          const availableAt = to === 'pending' ? START + 1 : undefined;
          return postEntry(db, { from, to, amount: 5, reason: 'reserved', availableAt }, createPosting(merchant));
        },
        { together: [walletRow(merchant.id, 'INR')] },
      );
    await Promise.all([post(old, 'available', 'reserved'), post(young, 'channel', 'pending')]);
    expect(runs).toBe(2);
    expect(await readWallets(store.read, young.id, START)).toMatchObject([{ pending: 5 }]);
  });

  it('never deadlock between two processes over the same wallets and customers', async () => {
    const database = await separateDatabase();
    const stores = [database.connect(), database.connect()] as const;
    await migrate(stores[0]);
    const merchants = [await addMerchant(stores[0]), await addMerchant(stores[0]), await addMerchant(stores[0])];
    for (const merchant of merchants) await fund(stores[0], merchant, 100_000_000);
    const customers = Array.from({ length: 8 }, (_, index) => `customer-${index}`);
    const usage = { amount: 1, limits: { perDay: 1_000_000, perMonth: 1_000_000 } };
    for (let round = 0; round < 12; round++) {
      // Every other round has new customers, and payments only.
      const paysOut = round % 2 === 1;
      await Promise.all(
        stores.flatMap((store) =>
          shuffled(merchants.flatMap((merchant) => customers.map((customer) => [merchant, customer] as const))).map(
            async ([merchant, customer]) => {
              const step = { ...openCustomerPayment(merchant, `${customer}-${Math.floor(round / 2)}`), usage };
              await Promise.all([create(store, step), paysOut && payOut(store, merchant, 1)]);
            },
          ),
        ),
      );
    }
    const audit = await auditStore(stores[0]);
    for (const store of stores) await store.close();
    expect(audit.differences).toEqual([]);
    expect(await database.counted('deadlocks')).toBe(0);
    // Two stores, twelve rounds of 24 or 48 units: 864 commits without groups.
    expect(await database.counted('xact_commit')).toBeLessThan(200);
  });

  it("don't wait for another merchant's locked wallet", async () => {
    const store = await openTestPostgres();
    const [locked, free] = [await addMerchant(store), await addMerchant(store)];
    for (const merchant of [locked, free]) await fund(store, merchant, 1_000_000);
    const { letGo, done } = await holdUnit(store, (db) =>
      checkFunds(db, { merchantId: locked.id, currency: 'INR', now: START }, 1),
    );
    const waiting = payOut(store, locked, 1_000);
    const others = [payOut(store, free, 1_000), payOut(store, free, 2_000)];
    expect((await Promise.all(others)).map(({ cover }) => cover)).toEqual(['held', 'held']);
    // Neither do the next ones.
    expect((await payOut(store, free, 3_000)).cover).toBe('held');
    letGo();
    await done;
    expect((await waiting).cover).toBe('held');
  });
});

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => [randomIds.text(8), value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
}
