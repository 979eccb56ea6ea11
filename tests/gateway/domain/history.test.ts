/** The history of transactions, as written by operations and workers. */
import { describe, expect, it } from 'vitest';
import { type Change, listChanges } from '../../../gateway/src/domain/history.ts';
import { transactionById } from '../../../gateway/src/transactions/rows.ts';
import { startCheckout } from '../checkout/checkout.ts';
import { clarification, confirmation, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest, REDIRECT, START } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway } from '../harness.ts';

const LATE_MS = 10_000;

async function readChanges({ gateway, merchant }: TestGateway, id: string): Promise<Change[]> {
  const kind = id.startsWith('out') ? 'payout' : 'payment';
  const found = await transactionById(gateway.store.read, id, { merchantId: merchant.id, kind });
  if (!found) throw new Error(`there is no ${kind} ${id}`);
  return listChanges(found);
}

/** The history of a transaction in words, once all due work is done. */
async function readHistory(test: TestGateway, id: unknown): Promise<string[]> {
  await test.gateway.idle();
  const changes = await readChanges(test, String(id));
  return changes.map(({ status, cause, by }) => `${status}: ${cause} by ${by}`);
}

describe('the history', () => {
  it('has each step of a payment, with its actor and time', async () => {
    const test = await startTestGateway();
    const { body } = await test.call('POST', '/payments', paymentRequest({ customer: { id: 'clarify-email' } }));
    const id = body.transaction_id;
    const asked = await settled(test, test.call, id);
    test.clock.advance(1_000);
    await test.call('POST', `/payments/${id}/clarify`, clarification(asked));
    const clarified = await settled(test, test.call, id);
    test.clock.advance(1_000);
    await test.call('POST', `/payments/${id}/confirm`, confirmation(clarified));
    expect(await readHistory(test, id)).toEqual([
      'CREATED: created by merchant',
      'EXTRA_DATA_NEEDED: clarification_needed by channel',
      'EXTRA_DATA_NEEDED: data_supplied by merchant',
      'PAY_CONFIRMATION_NEEDED: clarified by channel',
      'VERIFYING: confirmed by merchant',
      'SUCCESS: succeeded by channel',
    ]);
    const times = (await readChanges(test, id)).map(({ at }) => at - START);
    expect(times).toEqual([0, 0, 1_000, 1_000, 2_000, 2_000]);
  });

  it("includes the customer's actions on the page", async () => {
    const checkout = await startCheckout();
    const paid = await checkout.open();
    await checkout.send(paid, { action: 'pay', account_number: 'asha@upi' });
    expect(await readHistory(checkout, (await checkout.payment(paid))['transaction_id'])).toEqual([
      'CREATED: created by merchant',
      'VERIFYING: paid by customer',
      'SUCCESS: succeeded by channel',
    ]);
    const cancelled = await checkout.open({ ...REDIRECT, merchant_order_id: 'order-2' });
    for (const _ of [1, 2]) await checkout.send(cancelled, { action: 'cancel' });
    expect(await readHistory(checkout, (await checkout.payment(cancelled))['transaction_id'])).toEqual([
      'CREATED: created by merchant',
      'CREATED: cancel_requested by customer',
      'FAILED: declined by gateway',
    ]);
  });

  it('names the channel for its decline', async () => {
    const test = await startTestGateway();
    await fund(test.gateway.store, test.merchant, 1_000_000);
    const customer = { id: 'decline-late-BANK_REJECTED' };
    const late = await test.call('POST', '/payouts', payoutRequest({ amount: 1_000, customer }));
    await test.gateway.idle();
    test.clock.advance(LATE_MS);
    const declined = ['PROCESSING: created by merchant', 'FAILED: declined by channel'];
    expect(await readHistory(test, late.body.transaction_id)).toEqual(declined);
  });
});
