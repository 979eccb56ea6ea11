/** Books: transactions of all kinds, with the ledger entries and webhooks of their steps. */

import { expect } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import type { PaymentEvent } from '../../../gateway/src/domain/events.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { applyPaymentEvent } from '../../../gateway/src/domain/payment.ts';
import { applyPayoutEvent } from '../../../gateway/src/domain/payout.ts';
import type { Payment, Payout, Step, Transaction } from '../../../gateway/src/domain/transaction.ts';
import { createWallet } from '../../../gateway/src/ledger/wallets.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { firstId, randomIds } from '../../../gateway/src/platform/ids.ts';
import { addMerchant, fund, openTestPayment, openTestPayout, record, recordStep, START } from './fixtures.ts';

/** Records consecutive steps, beginning with the creation. */
async function play<T extends Transaction>(store: Store, first: Step<T>, ...next: ((one: T) => Step<T>)[]) {
  expect(await store.unit((db) => recordStep(db, first, { ids: randomIds, webhook: '{}' }))).toBeUndefined();
  let { transaction } = first;
  for (const step of next.map((one) => () => one(transaction))) {
    const made = step();
    expect(await record(store, made)).toBeUndefined();
    transaction = made.transaction;
  }
  return transaction.id;
}

/** Adds a payment of 499.00 with a creation time and later steps. Returns its ID. */
export function addPaymentAt(
  store: Store,
  { id: merchantId }: Merchant,
  now: number,
  ...next: ((one: Payment) => Step<Payment>)[]
): Promise<string> {
  return play(store, openTestPayment(merchantId, { amount: 49_900 }, now), ...next);
}

/** Adds a payout of 20.00 with a creation time and later steps. Returns its ID. */
export async function addPayoutAt(
  store: Store,
  { id: merchantId }: Merchant,
  now: number,
  ...next: ((one: Payout) => Step<Payout>)[]
): Promise<string> {
  const opened = await store.unit((db) => openTestPayout(db, merchantId, { amount: 2_000 }, now));
  return play(store, opened, ...next);
}

const asking: PaymentEvent = {
  type: 'confirmation_needed',
  payData: { receiver_account: 'collect@bank', available_amounts: [49_900, 50_000] },
  confirm: ['tid'],
};
const confirmed = { type: 'confirmed', items: { tid: '1' } } as const;
const paid = { type: 'succeeded', amountPaid: 50_000 } as const;
const declined = { type: 'declined', reason: 'BANK_REJECTED' } as const;

/** Longer than the settlement delay. */
const SETTLED_MS = 10_000;

/** The steps of a payment that is collected at a time. */
const collectAt = (now: number) =>
  [asking, confirmed, paid].map((event) => (one: Payment) => applyPaymentEvent(sandboxMethods, one, event, now));

export const COLLECTED = collectAt(START);
export const FAILED = (one: Payment) => applyPaymentEvent(sandboxMethods, one, declined, START);
export const PAID_OUT = (one: Payout) => applyPayoutEvent(one, { type: 'succeeded' }, START);
const RELEASED = (one: Payout) => applyPayoutEvent(one, declined, START);

/** Books of two merchants with a transaction in every state that affects the ledger. */
export async function books(store: Store) {
  const [merchant, other] = [await addMerchant(store), await addMerchant(store)];
  for (const one of [merchant, other]) await fund(store, one, 10_000);
  const ids = {
    created: await addPaymentAt(store, merchant, START),
    failed: await addPaymentAt(store, merchant, START, FAILED),
    collected: await addPaymentAt(store, merchant, START, ...COLLECTED),
    settled: await addPaymentAt(store, merchant, START - SETTLED_MS, ...collectAt(START - SETTLED_MS)),
    held: await addPayoutAt(store, merchant, START),
    paidOut: await addPayoutAt(store, merchant, START, PAID_OUT),
    released: await addPayoutAt(store, merchant, START, RELEASED),
    elsewhere: await addPaymentAt(store, other, START, ...COLLECTED),
  };
  return { merchant, other, ids };
}

/** The largest amount of an entry. */
export const AMOUNT_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Adds pairs of entries to a wallet at START: each pair adds the largest amount and takes it out again. From 1,025
 * pairs on, the sums exceed 2^63.
 */
export async function addLargeEntries(store: Store, { id }: Merchant, pairs: number): Promise<void> {
  await store.unit(async (db) => {
    await createWallet(db, id, 'INR', START);
    await db.run(
      `insert into ledger_entries
         (id, merchant_id, currency, transaction_id, from_account, to_account, amount, reason, created_at)
       with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n + 1 < cast(? as bigint))
       select cast(? as text) || cast(1000000000000000 + n as text), cast(? as bigint), 'INR', null,
         case when n % 2 = 0 then 'bank' else 'available' end, case when n % 2 = 0 then 'available' else 'bank' end,
         cast(? as bigint), case when n % 2 = 0 then 'funded' else 'drained' end, cast(? as bigint)
       from numbers`,
      ...[2 * pairs, firstId('led', START), id, AMOUNT_MAX, START],
    );
  });
}

/** Adds payments that are newer than a payment, FAILED and of another amount, on SQLite. */
export function addNewerPayments(store: Store, id: string, count: number): Promise<number> {
  return store.unit((db) =>
    db.run(
      `with recursive n (n) as (select 1 union all select n + 1 from n where n < ${count})
       insert into transactions (id, merchant_id, kind, order_id, currency, amount, status, version, created_at, details, state)
       select 'pay_0ZZZZZZZZZ' || substr('0000000000000000' || n, length(n || '') + 1), merchant_id, kind, 'copy ' || n, currency, 1,
         'FAILED', version, created_at, details, state
       from n, transactions where id = ?`,
      id,
    ),
  );
}
