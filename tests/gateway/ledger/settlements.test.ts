/** Days of wallets: each closing balance is the next opening one, and the last one equals the wallet. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database, Store } from '../../../gateway/src/database/store.ts';
import { createEntry, REASONS, type Reason } from '../../../gateway/src/domain/ledger.ts';
import { DAY_MS, type Days, type WalletDay } from '../../../gateway/src/ledger/settlements.ts';
import { postEntry, readWallets, signedAmount, WALLET_ACCOUNTS } from '../../../gateway/src/ledger/wallets.ts';
import { settlementPages } from '../../../gateway/src/management/settlements.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { AMOUNT_MAX, addLargeEntries } from '../harness/books.ts';
import { addMerchant, createPosting, fund, START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';

const FIRST = START - (START % DAY_MS);
const DAYS = 5;
const WEEK: Days = { from: FIRST, before: FIRST + DAYS * DAY_MS };

async function settle(
  db: Database,
  days: Days,
  { now = FIRST + DAYS * DAY_MS, merchant }: { now?: number; merchant?: Merchant } = {},
): Promise<WalletDay[]> {
  const settled: WalletDay[] = [];
  for await (const page of settlementPages(db, merchant?.id, { days, now })) settled.push(...page);
  return settled;
}

/** Reasons of entries. Settling has none. */
const POSTED = REASONS.filter((reason) => reason !== 'settled');

const ZERO = { available: 0n, pending: 0n, reserved: 0n };
const CURRENCIES = ['EGP', 'INR'] as const;

interface Move {
  readonly currency: (typeof CURRENCIES)[number];
  readonly reason: Reason;
  readonly amount: number;
  /** Milliseconds until a collected amount is available. */
  readonly settlesIn: number;
  /** Milliseconds since the previous move. */
  readonly after: number;
}

const moves = fc.array(
  fc.record({
    currency: fc.constantFrom(...CURRENCIES),
    reason: fc.constantFrom(...POSTED),
    amount: fc.integer({ min: 1, max: 1_000 }),
    settlesIn: fc.constantFrom(0, 1, 2_000, DAY_MS, 2 * DAY_MS),
    after: fc.oneof(
      fc.integer({ min: 0, max: DAY_MS / 2 }),
      fc.constantFrom(0, 1, DAY_MS - 1, DAY_MS, DAY_MS + 1, 2 * DAY_MS),
    ),
  }),
  { maxLength: 25 },
);

/** Posts consecutive moves, if the wallets have room for them. Returns the posted moves with their times. */
async function post(store: Store, merchant: Merchant, wanted: readonly Move[]) {
  const posted: (Move & { readonly at: number; readonly availableAt: number | undefined })[] = [];
  let at = FIRST;
  for (const { after, ...move } of wanted) {
    at += after;
    const { currency, reason, amount, settlesIn } = move;
    const availableAt = reason === 'collected' ? at + settlesIn : undefined;
    const posting = createPosting(merchant, { currency, now: at });
    const done = await store
      .unit((db) => postEntry(db, { ...createEntry(reason, amount), availableAt }, posting))
      .then(
        () => true,
        () => false,
      );
    if (done) posted.push({ ...move, after, at, availableAt });
  }
  return posted;
}

describeOnEachStore('a settlement', (open) => {
  it("begins with the previous day's closing balance, has the day's movements, and ends with the wallet", async () => {
    const store = await open();
    const property = fc.asyncProperty(moves, async (wanted) => {
      const merchant = await addMerchant(store);
      for (const currency of CURRENCIES) await fundAt(store, merchant, currency, FIRST - 1);
      const posted = await post(store, merchant, wanted);
      const settled = await settle(store.read, WEEK, { merchant });
      expect(settled.map(({ currency, day }) => [currency, (day - FIRST) / DAY_MS])).toEqual(
        CURRENCIES.flatMap((currency) => Array.from({ length: DAYS }, (_, day) => [currency, day])),
      );
      for (const [index, { currency, day, opening, moved, closing }] of settled.entries()) {
        const next = settled[index + 1];
        if (next?.currency === currency) expect(next.opening).toEqual(closing);
        const own = posted.filter((one) => one.currency === currency);
        const ofDay = own.filter(({ at }) => at >= day && at < day + DAY_MS);
        const sums = REASONS.map((reason) => [reason, BigInt(sum(ofDay.filter((one) => one.reason === reason)))]);
        const settledBefore = (time: number) => sum(own.filter(({ availableAt = time }) => availableAt < time));
        const settledSum = settledBefore(day + DAY_MS);
        const settledOnDay = BigInt(settledSum - settledBefore(day));
        expect(moved).toEqual({ ...Object.fromEntries(sums), settled: settledOnDay });
        const ended = own.filter(({ at }) => at < day + DAY_MS);
        const others = { available: 1_000 + settledSum, pending: -settledSum, reserved: 0 };
        for (const account of WALLET_ACCOUNTS) {
          const signed = ended.map(({ reason, amount }) => signedAmount(createEntry(reason, amount), account));
          expect(closing[account]).toBe(BigInt(signed.reduce((total, one) => total + one, others[account])));
          expect(opening[account]).toBeGreaterThanOrEqual(0n);
        }
      }
      const until = { from: FIRST, before: FIRST + 60 * DAY_MS };
      for (const wallet of await readWallets(store.read, merchant.id, WEEK.before)) {
        const last = (await settle(store.read, until, { merchant })).findLast(
          (one) => one.currency === wallet.currency,
        );
        for (const account of WALLET_ACCOUNTS) expect(last?.closing[account]).toBe(BigInt(wallet[account]));
      }
    });
    await fc.assert(property, { numRuns: store.kind === 'sqlite' ? 30 : 6 });
  });

  it('lists all merchants in numerical order, including wallets without movements, across pages', async () => {
    const store = await open();
    const first = await addMerchant(store);
    for (let amount = 1; amount <= 101; amount++)
      await fund(store, amount === 1 ? first : await addMerchant(store), amount);
    const day = { from: FIRST, before: FIRST + DAY_MS };
    const settled = await settle(store.read, day);
    expect(settled.map(({ closing }) => closing.available)).toEqual(
      Array.from({ length: 101 }, (_, index) => BigInt(index + 1)),
    );
    expect(settled[0]).toMatchObject({ day: FIRST, opening: ZERO, moved: { funded: 1n }, closing: { available: 1n } });
    const later = await settle(store.read, { from: FIRST + DAY_MS, before: FIRST + 2 * DAY_MS });
    expect(later.map(({ opening }) => opening)).toEqual(settled.map(({ closing }) => closing));
    expect(await settle(store.read, day, { merchant: first })).toEqual(settled.slice(0, 1));
  });
  it('has exact sums of many large entries', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    await addLargeEntries(store, merchant, 1_025);
    const [settled] = await settle(store.read, { from: FIRST, before: FIRST + DAY_MS }, { merchant });
    const moved = 1_025n * BigInt(AMOUNT_MAX);
    expect(settled?.moved).toMatchObject({ funded: moved, drained: moved, collected: 0n });
    expect(settled).toMatchObject({ opening: { available: 0n }, closing: { available: 0n } });
  });
});

const sum = (moved: readonly Move[]) => moved.reduce((total, { amount }) => total + amount, 0);

async function fundAt(store: Store, merchant: Merchant, currency: string, now: number): Promise<void> {
  await store.unit((db) => postEntry(db, createEntry('funded', 1_000), createPosting(merchant, { currency, now })));
}
