/** The contract's operations on payouts. */
import type { CreatePayoutRequest, PayoutProcessing, Payout as PayoutView } from '../../../generated/types.ts';
import { openPayout } from '../domain/payout.ts';
import type { FundsHold } from '../domain/transaction.ts';
import type { Call } from '../http/context.ts';
import { transactionNotFound } from '../http/problems.ts';
import { checkFunds } from '../ledger/wallets.ts';
import { commitStep } from '../transactions/commit-step.ts';
import { withFirstCall } from '../transactions/next-step.ts';
import { createdBefore, createOpening, payoutOrder, requireUsableUrls } from '../transactions/orders.ts';
import { shownById } from '../transactions/rows.ts';
import type { Services } from '../transactions/services.ts';
import { viewPayout, viewPayoutCreation } from '../transactions/view.ts';

/**
 * Creates a payout and reserves its amount (source 4.6). A repeated request gets the first response and moves no money.
 */
export async function createPayout(
  services: Services,
  { merchant, body }: Call<CreatePayoutRequest>,
): Promise<PayoutProcessing> {
  requireUsableUrls(body);
  const order = payoutOrder(body);
  const opening = createOpening(services, merchant, { kind: 'payout', order, flow: 'h2h' });
  const open = (fundsHold: FundsHold) => openPayout({ ...opening, fundsHold });
  const held = open('held');
  const wallet = { merchantId: merchant.id, currency: order.currency, now: opening.now };
  const created = await commitStep(services, held, {
    withCall: await withFirstCall(held, services, opening.now),
    async decide(db, step) {
      const fundsHold = await checkFunds(db, wallet, order.amount);
      return fundsHold === 'held' ? step : open(fundsHold);
    },
  });
  return viewPayoutCreation(created?.transaction ?? (await createdBefore(services.store, held.transaction, body)));
}

/** Returns the payout in its current state (source 4.7). */
export async function getPayout(
  { store }: Services,
  { merchant, parameters }: Call<undefined, { payout_id: string }>,
): Promise<PayoutView> {
  const { payout_id: transactionId } = parameters;
  const payout = await shownById(store.read, transactionId, { merchantId: merchant.id, kind: 'payout' });
  if (!payout) throw transactionNotFound('payout');
  return viewPayout(payout);
}
