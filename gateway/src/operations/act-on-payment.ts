/** The two actions of the host-to-host flow: clarify and confirm. */

import { pointerOf } from '../../../contract/src/pointer.ts';
import type {
  ClarifyPaymentRequest,
  ConfirmPaymentRequest,
  PaymentConfirmation,
  Payment as PaymentView,
} from '../../../generated/types.ts';
import { ChannelUnavailable } from '../channel/channel.ts';
import { invalid, ProblemError } from '../contract/problems.ts';
import { viewPayment, webhookBody } from '../contract/view.ts';
import type { PaymentEvent } from '../domain/events.ts';
import { applyPaymentEvent, lackingItems } from '../domain/payment.ts';
import type { Items, Payment, PaymentStatus } from '../domain/transaction.ts';
import { recordChange } from '../store/record.ts';
import type { Call, Services } from './operation.ts';
import { requirePayment } from './read-payment.ts';

type ById = { transaction_id: string };

/** Supplies the data that EXTRA_DATA_NEEDED asked for (source 4.2). */
export async function clarifyPayment(
  services: Services,
  { merchant, parameters, body }: Call<ClarifyPaymentRequest, ById>,
): Promise<PaymentView> {
  const { clarify_data: items } = body;
  const payment = await waitingPayment(services, merchant.id, parameters.transaction_id, 'EXTRA_DATA_NEEDED');
  requireItems(payment.clarify, items, 'clarify_data');
  const event = await services.channel
    .clarify(payment, items, services.clock.now())
    .catch((error: unknown): PaymentEvent => {
      if (!(error instanceof ChannelUnavailable)) throw error;
      return { type: 'declined', reason: error.reason };
    });
  return viewPayment(await change(services, payment, event));
}

/** Takes the transfer reference after the customer has paid (source 4.3). */
export async function confirmPayment(
  services: Services,
  { merchant, parameters, body }: Call<ConfirmPaymentRequest, ById>,
): Promise<PaymentConfirmation> {
  const { confirm_data: items } = body;
  const payment = await waitingPayment(services, merchant.id, parameters.transaction_id, 'PAY_CONFIRMATION_NEEDED');
  requireItems(payment.confirm, items, 'confirm_data');
  requireOfferedAmount(payment, items);
  const confirmed = await change(services, payment, { type: 'confirmed', items });
  return {
    transaction_id: confirmed.id,
    merchant_order_id: confirmed.orderId,
    status: 'VERIFYING',
    message: 'The transfer reference was validated; the final settlement confirmation is awaited.',
  };
}

async function waitingPayment(
  { store, clock }: Services,
  merchantId: number,
  id: string,
  status: PaymentStatus,
): Promise<Payment> {
  const payment = await requirePayment(store.read, merchantId, id);
  if (payment.status !== status) throw wrongState(payment.status);
  // The worker lets it expire; until it has, the customer is too late all the same.
  if (clock.now() >= payment.expiresAt)
    throw new ProblemError('wrong-state', 'The session has expired; start a new payment.');
  return payment;
}

function requireItems(wanted: readonly string[] | undefined, items: Items, member: string): void {
  const lacking = lackingItems(wanted, items);
  if (lacking.length === 0) return;
  throw invalid(
    lacking.map((item) => ({ part: 'body' as const, pointer: pointerOf(member, item), message: 'is missing' })),
  );
}

/** The customer says which of the offered amounts was transferred; it comes as text, as every item does. */
function requireOfferedAmount({ payData, confirm }: Payment, { amount }: Items): void {
  const offered = payData?.available_amounts.map(String) ?? [];
  if (!confirm?.includes('amount') || offered.includes(amount ?? '')) return;
  throw invalid([{ part: 'body', pointer: '/confirm_data/amount', message: `must be one of ${offered.join(', ')}` }]);
}

/** Applies an event. Of two that come at once, one is too late. */
async function change({ store, clock, wake }: Services, payment: Payment, event: PaymentEvent): Promise<Payment> {
  const now = clock.now();
  const step = applyPaymentEvent(payment, event, now);
  const rejection = await store.unit((db) => recordChange(db, step, { webhook: webhookBody(step), now }));
  if (rejection) throw wrongState((await requirePayment(store.read, payment.merchantId, payment.id)).status);
  wake();
  return step.transaction;
}

function wrongState(status: PaymentStatus): ProblemError {
  return new ProblemError('wrong-state', `The payment is ${status}; read its status before acting on it.`);
}
