import type { CreatePaymentRequest, CreatePaymentResponse } from '../../../generated/types.ts';
import { invalid } from '../contract/problems.ts';
import { viewCreation, webhookBody } from '../contract/view.ts';
import { channelFor, findMethod } from '../domain/methods.ts';
import { flowOf, lacksReturnUrl, openPayment } from '../domain/payment.ts';
import type { Payment, Step } from '../domain/transaction.ts';
import { recordCreation } from '../store/record.ts';
import type { Call, Services } from './operation.ts';
import { repeated } from './repeat.ts';
import { requirePlan } from './test-data.ts';
import { requireUsableUrls } from './urls.ts';

/** Characters of 5 random bits: 160 bits cannot be guessed. */
const TOKEN_LENGTH = 32;

/** Initiates a payment session (source 4.1). A repetition gets the first response and moves nothing. */
export async function createPayment(
  { store, time, ids, channels, checkoutUrl, wake, onStep }: Services,
  { merchant, body }: Call<CreatePaymentRequest>,
): Promise<CreatePaymentResponse> {
  requireUsableUrls(body);
  if (lacksReturnUrl(body)) {
    throw invalid([{ pointer: '/return_url', message: 'is required, since the method works by redirect' }]);
  }
  const channel = channelFor(findMethod('payment', body.payment_method_type), body.customer);
  const plan = requirePlan(channels, { kind: 'payment', channel, customer: body.customer }, flowOf(body));
  const { now, stored } = time.at(merchant.id);
  const opening = {
    id: ids.newId('pay', now, merchant.id, body.merchant_order_id),
    merchantId: merchant.id,
    request: body,
    now,
    checkoutToken: ids.text(TOKEN_LENGTH, 'checkout', merchant.id, body.merchant_order_id).toLowerCase(),
    plan,
  };
  let eventId: string | undefined;
  const onEvent = (id: string) => {
    eventId = id;
  };
  const record = (step: Step<Payment>) =>
    store.unit((db) => recordCreation(db, step, { webhook: webhookBody(step), stored, ids, onEvent }));
  let step = openPayment(opening);
  let rejection = await record(step);
  if (rejection?.reason === 'limit_exceeded' && step.overLimit) {
    step = step.overLimit();
    rejection = await record(step);
  }
  if (rejection) return viewCreation(await repeated(store, step.transaction, body), checkoutUrl);
  wake();
  onStep?.(step.transaction, eventId);
  return viewCreation(step.transaction, checkoutUrl);
}
