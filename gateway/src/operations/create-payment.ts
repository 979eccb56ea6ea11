import type { CreatePaymentRequest, CreatePaymentResponse } from '../../../generated/types.ts';
import { invalid } from '../contract/problems.ts';
import { viewCreation, webhookBody } from '../contract/view.ts';
import { channelFor, findMethod } from '../domain/methods.ts';
import { flowOf, lacksReturnUrl, openPayment } from '../domain/payment.ts';
import type { Payment, Step } from '../domain/transaction.ts';
import { contendedRows, recordCreation } from '../store/record.ts';
import { Rejection } from '../store/store.ts';
import type { Call, Services } from './operation.ts';
import { repeated } from './repeat.ts';
import { requirePlan } from './test-data.ts';
import { requireUsableUrls } from './urls.ts';
import { writeStep } from './write-step.ts';

/** Characters of 5 random bits: 160 bits cannot be guessed. */
const TOKEN_LENGTH = 32;

/** Initiates a payment session (source 4.1). A repetition gets the first response and moves nothing. */
export async function createPayment(
  services: Services,
  { merchant, body }: Call<CreatePaymentRequest>,
): Promise<CreatePaymentResponse> {
  const { store, time, ids, channels, checkoutUrl } = services;
  requireUsableUrls(body);
  if (lacksReturnUrl(body)) {
    throw invalid([{ pointer: '/return_url', message: 'is required, since the method works by redirect' }]);
  }
  const channel = channelFor(findMethod('payment', body.payment_method_type), body.customer);
  const plan = requirePlan(channels, { kind: 'payment', channel, customer: body.customer }, flowOf(body));
  const moment = time.at(merchant.id);
  const { now } = moment;
  const opening = {
    id: ids.newId('pay', now, merchant.id, body.merchant_order_id),
    merchantId: merchant.id,
    request: body,
    now,
    checkoutToken: ids.text(TOKEN_LENGTH, 'checkout', merchant.id, body.merchant_order_id).toLowerCase(),
    plan,
  };
  const write = (step: Step<Payment>) => {
    const { transaction, notify } = step;
    const rows = contendedRows(step);
    const planned = { moment, dueAt: transaction.dueAt, notifies: notify ? transaction : undefined, rows };
    const webhook = webhookBody(step);
    return writeStep(
      services,
      planned,
      async (db, options) => (await recordCreation(db, step, { webhook, ...options })) ?? step,
    );
  };
  const step = openPayment(opening);
  let written = await write(step);
  if (written instanceof Rejection && written.reason === 'limit_exceeded' && step.overLimit)
    written = await write(step.overLimit());
  const payment = written instanceof Rejection ? await repeated(store, step.transaction, body) : written.transaction;
  return viewCreation(payment, checkoutUrl);
}
