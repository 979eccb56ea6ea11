import type { CreatePaymentRequest, CreatePaymentResponse } from '../../../generated/types.ts';
import { flowOf, lacksReturnUrl, openPayment } from '../domain/payment.ts';
import type { Call } from '../http/call.ts';
import { invalid } from '../http/problems.ts';
import { openWithCall } from '../transactions/advance.ts';
import { commitStep } from '../transactions/commit-step.ts';
import { openingOf } from '../transactions/openings.ts';
import { createdBefore } from '../transactions/repeat.ts';
import { paymentOrder } from '../transactions/request.ts';
import type { Services } from '../transactions/services.ts';
import { requireUsableUrls } from '../transactions/urls.ts';
import { viewCreation } from '../transactions/view.ts';

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
