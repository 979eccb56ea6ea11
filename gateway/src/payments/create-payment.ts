import type { CreatePaymentRequest, CreatePaymentResponse } from '../../../generated/types.ts';
import { lacksReturnUrl, openPayment, selectFlow } from '../domain/payment.ts';
import type { Call } from '../http/call.ts';
import { invalid } from '../http/problems.ts';
import { commitStep } from '../transactions/commit-step.ts';
import { withFirstCall } from '../transactions/next-step.ts';
import { createdBefore, createOpening, paymentOrder, requireUsableUrls } from '../transactions/orders.ts';
import type { Services } from '../transactions/services.ts';
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
  // Decide.
  const opening = createOpening(services, merchant.id, { kind: 'payment', order, flow: selectFlow(methods, order) });
  const checkoutToken = ids.text(TOKEN_LENGTH, 'checkout', merchant.id, order.orderId).toLowerCase();
  const opened = openPayment({ ...opening, checkoutToken });
  const withCall = await withFirstCall(opened, services, opening.now);
  // Write in one transaction, then dispatch to the worker.
  const created = await commitStep(services, opened, { withCall });
  const payment = created?.transaction ?? (await createdBefore(store, opened.transaction, body));
  return viewCreation(payment, checkoutUrl);
}
