import type { CreatePayoutRequest, PayoutProcessing, Payout as PayoutView } from '../../../generated/types.ts';
import { ProblemError } from '../contract/problems.ts';
import { viewPayout, viewPayoutCreation, webhookBody } from '../contract/view.ts';
import { channelFor, findMethod } from '../domain/methods.ts';
import { openPayout } from '../domain/payout.ts';
import { recordCreation } from '../store/record.ts';
import { Rejection } from '../store/store.ts';
import { shownById } from '../store/transactions.ts';
import { coverFor } from '../store/wallets.ts';
import type { Call, Services } from './operation.ts';
import { repeated } from './repeat.ts';
import { requirePlan } from './test-data.ts';
import { requireUsableUrls } from './urls.ts';

/** Withdraws from the wallet (source 4.6). The amount is held at once; a repetition gets the first response and moves nothing. */
export async function createPayout(
  { store, time, ids, channels, wake, onStep }: Services,
  { merchant, body }: Call<CreatePayoutRequest>,
): Promise<PayoutProcessing> {
  requireUsableUrls(body);
  const channel = channelFor(findMethod('payout', body.payment_method_type), body.customer);
  requirePlan(channels, { kind: 'payout', channel, customer: body.customer }, 'h2h');
  const { now, stored } = time.at(merchant.id);
  const id = ids.newId('out', now, merchant.id, body.merchant_order_id);
  let eventId: string | undefined;
  const onEvent = (event: string) => {
    eventId = event;
  };
  const payout = await store.unit(async (db) => {
    const cover = await coverFor(db, merchant.id, body.currency, body.amount);
    const step = openPayout({ id, merchantId: merchant.id, request: body, now, cover });
    return (await recordCreation(db, step, { webhook: webhookBody(step), stored, ids, onEvent })) ?? step.transaction;
  });
  if (payout instanceof Rejection) {
    const taken = { merchantId: merchant.id, kind: 'payout', orderId: body.merchant_order_id } as const;
    return viewPayoutCreation(await repeated(store, taken, body));
  }
  wake();
  onStep?.(payout, eventId);
  return viewPayoutCreation(payout);
}

/** Returns the payout in its current state (source 4.7). */
export async function getPayout(
  { store }: Services,
  { merchant, parameters }: Call<undefined, { payout_id: string }>,
): Promise<PayoutView> {
  const payout = await shownById(store.read, merchant.id, 'payout', parameters.payout_id);
  if (!payout) throw new ProblemError('not-found', 'No payout of this merchant has this id.');
  return viewPayout(payout);
}
