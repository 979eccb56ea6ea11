/** What the customer can do on the payment page: pay, or cancel. */
import { webhookBody } from '../contract/view.ts';
import type { PaymentEvent } from '../domain/events.ts';
import { applyPaymentEvent } from '../domain/payment.ts';
import type { Items, Payment, Step } from '../domain/transaction.ts';
import { moveOn } from '../jobs/transaction-job.ts';
import type { Services } from '../operations/operation.ts';
import { recordChange } from '../store/record.ts';
import { StoreUnavailable } from '../store/store.ts';
import { paymentByCheckoutToken } from '../store/transactions.ts';

/** Decline reason of a payment that the customer cancels, outside the table (contract: `cancellation`). */
export const CANCELLED = 'CANCELLED_BY_CUSTOMER';

/** Other writers of a payment in CREATED are a worker and a second click: each overtakes once or twice. */
const ATTEMPTS_MAX = 10;

/** The customer says that it is paid: verification begins. */
export function pay(services: Services, token: string, items: Items): Promise<void> {
  return act(services, token, { type: 'paid', items });
}

/** The customer leaves without paying. */
export function cancel(services: Services, token: string): Promise<void> {
  return act(services, token, { type: 'declined', reason: CANCELLED });
}

/**
 * The payment as it stands: one whose session is over counts as expired from that moment on, also before a worker has
 * written it down.
 */
export function currently(payment: Payment, now: number): Payment {
  if (payment.status !== 'CREATED' || now < payment.expiresAt) return payment;
  return applyPaymentEvent(payment, { type: 'declined', reason: 'TIMEOUT_EXPIRED' }, now).transaction;
}

/** Applies the event to a payment in CREATED; one that is not, or is not any more, stays as it is. */
async function act(services: Services, token: string, event: PaymentEvent): Promise<void> {
  const { store, clock, wake } = services;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const payment = await paymentByCheckoutToken(store.read, token);
    if (payment?.status !== 'CREATED') return;
    const now = clock.now();
    const due = payment.dueAt !== undefined && payment.dueAt <= now;
    // What is due comes first, as rules and channel may decline it: a customer who is faster than the worker gains nothing.
    const moved = due
      ? await moveOn(services, payment)
      : await recorded(services, applyPaymentEvent(payment, event, now), now);
    if (!moved) continue;
    wake();
    if (!due) return;
  }
  throw new StoreUnavailable('the payment was changed by others at every attempt');
}

async function recorded({ store }: Services, step: Step<Payment>, now: number): Promise<boolean> {
  const rejection = await store.unit((db) => recordChange(db, step, { webhook: webhookBody(step), now }));
  return rejection === undefined;
}
