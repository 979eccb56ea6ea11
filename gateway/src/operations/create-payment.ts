import type { CreatePaymentRequest, CreatePaymentResponse } from '../../../generated/types.ts';
import { flowOf, lacksReturnUrl, openPayment } from '../domain/payment.ts';
import { invalid } from '../wire/problems.ts';
import { paymentOrder } from '../wire/request.ts';
import { viewCreation } from '../wire/view.ts';
import { openWithCall } from './advance.ts';
import { commitStep } from './commit-step.ts';
import { openingOf } from './openings.ts';
import type { Call, Services } from './operation.ts';
import { createdBefore } from './repeat.ts';
import { requireUsableUrls } from './urls.ts';

/** Characters of 5 random bits: 160 bits cannot be guessed. */
const TOKEN_LENGTH = 32;

/** Creates a payment (source 4.1). A repeated request gets the first response and moves no money. */
export async function createPayment(
  services: Services,
  { merchant, body }: Call<CreatePaymentRequest>,
): Promise<CreatePaymentResponse> {
  const { store, ids, methods, checkoutUrl } = services;
  requireUsableUrls(body);
  const order = paymentOrder(body);
  if (lacksReturnUrl(methods, order)) {
    throw invalid([{ pointer: '/return_url', message: 'is required, since the method works by redirect' }]);
  }
  const opening = openingOf(services, merchant.id, { kind: 'payment', order, flow: flowOf(methods, order) });
  const checkoutToken = ids.text(TOKEN_LENGTH, 'checkout', merchant.id, order.orderId).toLowerCase();
  const opened = openPayment({ ...opening, checkoutToken });
  const step = await openWithCall(opened, services, opening.now);
  const created = await commitStep(services, step, { withoutCall: opened });
  const payment = created?.transaction ?? (await createdBefore(store, opened.transaction, body));
  return viewCreation(payment, checkoutUrl);
}
