import type { CreatePayoutRequest, PayoutProcessing, Payout as PayoutView } from '../../../generated/types.ts';
import { viewPayout, viewPayoutCreation, webhookBody } from '../contract/view.ts';
import { channelFor, findMethod } from '../domain/methods.ts';
import { openPayout } from '../domain/payout.ts';
import { recordCreation } from '../store/record.ts';
import { Rejection } from '../store/store.ts';
import { shownById } from '../store/transactions.ts';
import { coverFor, walletRow } from '../store/wallets.ts';
import { throwNotFound } from './not-found.ts';
import type { Call, Services } from './operation.ts';
import { repeated } from './repeat.ts';
import { requirePlan } from './test-data.ts';
import { requireUsableUrls } from './urls.ts';
import { writeStep } from './write-step.ts';

/** Withdraws from the wallet (source 4.6). The amount is held at once; a repetition gets the first response and moves nothing. */
export async function createPayout(
  services: Services,
  { merchant, body }: Call<CreatePayoutRequest>,
): Promise<PayoutProcessing> {
  const { store, time, ids, channels } = services;
  requireUsableUrls(body);
  const channel = channelFor(findMethod('payout', body.payment_method_type), body.customer);
  requirePlan(channels, { kind: 'payout', channel, customer: body.customer }, 'h2h');
  const moment = time.at(merchant.id);
  const { now } = moment;
  const id = ids.newId('out', now, merchant.id, body.merchant_order_id);
  const rows = [walletRow(merchant.id, body.currency)];
  const written = await writeStep(services, { moment, dueAt: now, rows }, async (db, options) => {
    const cover = await coverFor(db, merchant.id, body.currency, body.amount);
    const step = openPayout({ id, merchantId: merchant.id, request: body, now, cover });
    return (await recordCreation(db, step, { webhook: webhookBody(step), ...options })) ?? step;
  });
  if (!(written instanceof Rejection)) return viewPayoutCreation(written.transaction);
  const taken = { merchantId: merchant.id, kind: 'payout', orderId: body.merchant_order_id } as const;
  return viewPayoutCreation(await repeated(store, taken, body));
}

/** Returns the payout in its current state (source 4.7). */
export async function getPayout(
  { store }: Services,
  { merchant, parameters }: Call<undefined, { payout_id: string }>,
): Promise<PayoutView> {
  const { payout_id: transactionId } = parameters;
  const payout = await shownById(store.read, merchant.id, 'payout', transactionId);
  return viewPayout(payout ?? (await throwNotFound(store.read, merchant.id, 'payout', { transactionId })));
}
