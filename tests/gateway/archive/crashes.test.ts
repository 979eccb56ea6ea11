/** An archiving that ends at any moment loses nothing, counts nothing twice, and is completed by the next one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Merchant } from '../../../gateway/src/store/access/merchants.ts';
import { auditArchive } from '../../../gateway/src/store/archive/audit-archives.ts';
import { walletsOf } from '../../../gateway/src/store/books/wallets.ts';
import type { Store } from '../../../gateway/src/store/engine/store.ts';
import {
  addHistory,
  archive,
  deliverAll,
  expectBooksInOrder,
  idsIn,
  OLD,
  openArchiveFor,
  rowsOf,
} from '../harness/archives.ts';
import { addPaymentAt, addPayoutAt, COLLECTED, FAILED, PAID_OUT, RELEASED, SETTLED } from '../harness/books.ts';
import { addMerchant, fund } from '../harness/fixtures.ts';
import { describeOnEachStore, describeOnEachStoreAndPartitions } from '../harness.ts';

class Crash extends Error {}

/** Counts the units of work of two stores, and lets one of them fail before or after its commit. */
function crashAt(count: number, when: 'before' | 'after'): (store: Store) => Store {
  let left = count;
  return (store) => ({
    ...store,
    async unit(work, priority) {
      const isLast = left-- === 0;
      if (isLast && when === 'before') throw new Crash();
      const value = await store.unit(work, priority);
      if (isLast) throw new Crash();
      return value;
    },
  });
}

/** Archives until the crash. Returns false if it came to the end. */
async function archiveAndCrash(store: Store, target: Store, count: number, when: 'before' | 'after'): Promise<boolean> {
  const crashing = crashAt(count, when);
  return archive(crashing(store), crashing(target)).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Crash) return true;
      throw error;
    },
  );
}

describeOnEachStore('an archiving that crashes', (open) => {
  it.each(['before', 'after'] as const)('%s any of its commits leaves the books in order', async (when) => {
    const [store, target] = [await open(), await openArchiveFor(await open())];
    const { final } = await addHistory(store);
    const before = await rowsOf(store);
    let inBoth = 0;
    for (let count = 0, crashed = true; crashed; count++) {
      crashed = await archiveAndCrash(store, target, count, when);
      if ((await idsIn(target)).length === 0) continue;
      await expectBooksInOrder(store, target);
      inBoth = Math.max(inBoth, (await auditArchive(store, target)).inBoth);
    }
    expect(inBoth).toBeGreaterThan(0);
    expect((await auditArchive(store, target)).inBoth).toBe(0);
    expect(await idsIn(target)).toEqual(final.toSorted());
    expect(await rowsOf(store, target)).toEqual(before);
  });
});

/** Actions on a database, from its first transaction on. */
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constantFrom('paid', 'failed', 'open', 'out', 'released'), age: fc.nat(800) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('deliver', 'fund') }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('archive'), crash: fc.nat(9), when: fc.constantFrom('before', 'after') }),
  },
);
type Action = { type: string; age?: number; crash?: number; when?: 'before' | 'after' };

async function act(
  store: Store,
  target: Store,
  merchant: Merchant,
  { type, age = 0, crash = 0, when = 'after' }: Action,
) {
  const at = OLD + (age - 400) * 86_400_000;
  if (type === 'paid') await addPaymentAt(store, merchant, at, ...COLLECTED, SETTLED);
  if (type === 'failed') await addPaymentAt(store, merchant, at, FAILED);
  if (type === 'open') await addPaymentAt(store, merchant, at, ...COLLECTED);
  if (type === 'out') await addPayoutAt(store, merchant, at, PAID_OUT);
  if (type === 'released') await addPayoutAt(store, merchant, at, RELEASED);
  if (type === 'deliver') await deliverAll(store);
  if (type === 'fund') await fund(store, merchant, 1_000);
  if (type === 'archive') await archiveAndCrash(store, target, crash, when);
}

describeOnEachStoreAndPartitions('any sequence of payments, payouts, archive runs and crashes', (open) => {
  it('leaves the wallets and the books of both databases in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action as fc.Arbitrary<Action>, { minLength: 5, maxLength: 20 }), async (actions) => {
        const store = await open();
        const target = await openArchiveFor(store);
        const merchant = await addMerchant(store);
        await fund(store, merchant, 1_000_000);
        // So that there is an archive to compare with.
        await addPaymentAt(store, merchant, OLD, FAILED);
        await deliverAll(store);
        await archive(store, target);
        for (const one of actions) {
          const wallets = await walletsOf(store.read, merchant.id);
          const rows = await idsIn(store);
          await act(store, target, merchant, one);
          if (one.type !== 'archive') continue;
          expect(await walletsOf(store.read, merchant.id)).toEqual(wallets);
          expect(new Set([...(await idsIn(store)), ...(await idsIn(target))])).toEqual(
            new Set([...rows, ...(await idsIn(target))]),
          );
          await expectBooksInOrder(store, target);
        }
        await deliverAll(store);
        await archive(store, target);
        await expectBooksInOrder(store, target);
        expect((await auditArchive(store, target)).inBoth).toBe(0);
      }),
      { numRuns: 6 },
    );
  });
});
