/** The history of transactions, as written by operations and workers. */
import { describe, expect, it } from 'vitest';
import { type Change, listChanges } from '../../../gateway/src/domain/history.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import type { Transaction } from '../../../gateway/src/domain/transaction.ts';
import { transactionById } from '../../../gateway/src/transactions/rows.ts';
import { startCheckout } from '../checkout/checkout.ts';
import { clarification, confirmation, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest, REDIRECT } from '../harness/fixtures.ts';
import { openTestSqlite, startTestGateway, type TestGateway } from '../harness.ts';

const UPI = findMethod(sandboxMethods, 'payment', 'UPI_IN');
const LATE_MS = 10_000;

async function readTransaction(test: TestGateway, id: string): Promise<Transaction> {
  const kind = id.startsWith('out') ? 'payout' : 'payment';
  const found = await transactionById(test.gateway.store.read, id, { merchantId: test.merchant.id, kind });
  if (!found) throw new Error(`there is no ${kind} ${id}`);
  return found;
}

const told = ({ status, cause, by }: Change) => `${status}: ${cause} by ${by}`;

describe('the history', () => {
  const open = openTestSqlite;
  async function start() {
    const test = await startTestGateway({ store: await open() });
    await fund(test.gateway.store, test.merchant, 1_000_000);
    const create = async (path: '/payments' | '/payouts', body: object): Promise<string> => {
      const created = await test.call('POST', path, body);
      await test.gateway.idle();
      return created.body.transaction_id;
    };
    const history = async (id: string) => listChanges(await readTransaction(test, id)).map(told);
    return { test, create, history };
  }

  it('has each step of a payment, with its actor and time', async () => {
    const { test, create, history } = await start();
    const began = test.clock.now();
    const id = await create('/payments', paymentRequest({ customer: { id: 'clarify-email' } }));
    test.clock.advance(1_000);
    await test.call('POST', `/payments/${id}/clarify`, clarification(await settled(test, test.call, id)));
    test.clock.advance(1_000);
    await test.call('POST', `/payments/${id}/confirm`, confirmation(await settled(test, test.call, id)));
    await test.gateway.idle();
    expect(await history(id)).toEqual([
      'CREATED: created by merchant',
      'EXTRA_DATA_NEEDED: clarification_needed by channel',
      'EXTRA_DATA_NEEDED: data_supplied by merchant',
      'PAY_CONFIRMATION_NEEDED: clarified by channel',
      'VERIFYING: confirmed by merchant',
      'SUCCESS: succeeded by channel',
    ]);
    const times = listChanges(await readTransaction(test, id)).map(({ at }) => at - began);
    expect(times).toEqual([0, 0, 1_000, 1_000, 2_000, 2_000]);
  });

  it("includes the customer's actions on the page", async () => {
    const checkout = await startCheckout();
    const history = async (path: string) => {
      const { transaction_id: id } = await checkout.payment(path);
      return listChanges(await readTransaction(checkout, String(id))).map(told);
    };
    const paid = await checkout.open();
    await checkout.send(paid, { action: 'pay', account_number: 'asha@upi' });
    await checkout.gateway.idle();
    expect(await history(paid)).toEqual([
      'CREATED: created by merchant',
      'VERIFYING: paid by customer',
      'SUCCESS: succeeded by channel',
    ]);
    const cancelled = await checkout.open({ ...REDIRECT, merchant_order_id: 'order-2' });
    for (const _ of [1, 2]) await checkout.send(cancelled, { action: 'cancel' });
    expect(await history(cancelled)).toEqual([
      'CREATED: created by merchant',
      'CREATED: cancel_requested by customer',
      'FAILED: declined by gateway',
    ]);
  });

  it('distinguishes declines by the gateway from declines by the channel', async () => {
    const { test, create, history } = await start();
    const invalid = await create('/payments', paymentRequest({ amount: Number.MAX_SAFE_INTEGER }));
    expect((await history(invalid)).at(-1)).toBe('FAILED: declined by gateway');
    const expired = await create('/payments', paymentRequest());
    test.clock.advance(UPI?.validityMs ?? 0);
    await test.gateway.idle();
    expect((await history(expired)).at(-1)).toBe('FAILED: declined by gateway');
    const late = await create(
      '/payouts',
      payoutRequest({ amount: 1_000, customer: { id: 'decline-late-BANK_REJECTED' } }),
    );
    expect(await history(late)).toEqual(['PROCESSING: created by merchant']);
    test.clock.advance(LATE_MS);
    await test.gateway.idle();
    expect(await history(late)).toEqual(['PROCESSING: created by merchant', 'FAILED: declined by channel']);
  });
});
