/** What the customer can do on the payment page: look at the payment, pay it, or cancel it. */
import { ProblemError } from '../contract/problems.ts';
import { applyPaymentEvent, isOpen, requestCancel } from '../domain/payment.ts';
import { beginCall } from '../domain/schedule.ts';
import type { Items, Payment } from '../domain/transaction.ts';
import { merchantById } from '../store/merchants.ts';
import { paymentByCheckoutToken } from '../store/transactions.ts';
import { carryOut, moveOn, record } from './carry-out.ts';
import type { Services } from './operation.ts';

/** Decline reason of a payment that the customer cancels, outside the table (contract: `cancellation`). */
export const CANCELLED = 'CANCELLED_BY_CUSTOMER';

/** Other writers of a payment in CREATED are a worker and a second click: each is faster once or twice. */
const ATTEMPTS_MAX = 10;

/** A payment as its page shows it. */
export interface PageView {
  readonly payment: Payment;
  /** Its name. */
  readonly merchant: string;
  /** The customer can still pay or cancel. */
  readonly open: boolean;
  /** No money moves, whatever the customer does. */
  readonly sandbox: boolean;
  /** The time for which it is shown, in milliseconds since 1970. */
  readonly now: number;
}

/** The payment behind a page's token, if there is one. */
export async function viewPage({ store, time, channels }: Services, token: string): Promise<PageView | undefined> {
  const payment = await paymentByCheckoutToken(store.read, token);
  const merchant = payment && (await merchantById(store.read, payment.merchantId));
  if (!merchant) return undefined;
  const { now } = time.at(payment.merchantId);
  const open = payment.status === 'CREATED' && isOpen(payment, now);
  return { payment, merchant: merchant.name, open, sandbox: channels.find(payment.channel)?.sandbox ?? false, now };
}

/** The customer says that it is paid: verification begins. A payment that isn't open stays unchanged. */
export async function payOnPage(services: Services, token: string, items: Items): Promise<void> {
  await whileOpen(services, token, async (payment, now) => {
    // What is due comes first, as rules and channel may decline it: being faster than the worker gains nothing. And a
    // channel that has not responded yet might not know of the payment.
    if (payment.attempts !== undefined || isDue(payment, now)) {
      const moved = await takeOver(services, payment, now);
      if (moved?.attempts === undefined) return 'again';
      throw new ProblemError('unavailable', 'The channel does not respond; try again in a moment.');
    }
    const paid = applyPaymentEvent(payment, { type: 'paid', items }, now);
    return (await record(services, paid)) ? 'done' : 'again';
  });
}

/** The customer leaves without paying. A payment that isn't open stays unchanged. */
export async function cancelOnPage(services: Services, token: string): Promise<void> {
  await whileOpen(services, token, async (payment, now) => {
    const cancelled = await record(services, requestCancel(payment, CANCELLED, now, 'customer'));
    if (!cancelled) return 'again';
    // The worker calls a channel that does not respond now again.
    await carryOut(services, cancelled);
    return 'done';
  });
}

/** Acts on the payment as long as it is open and others are faster. */
async function whileOpen(
  { store, time }: Services,
  token: string,
  act: (payment: Payment, now: number) => Promise<'again' | 'done'>,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const payment = await paymentByCheckoutToken(store.read, token);
    if (payment?.status !== 'CREATED') return;
    const { now } = time.at(payment.merchantId);
    if (!isOpen(payment, now)) return;
    if ((await act(payment, now)) === 'done') return;
  }
  throw new ProblemError('unavailable', 'The payment was changed by others at every attempt; try again.');
}

/**
 * Moves a payment on. If its channel is being called for the first time, the result of that call is discarded: its refusal
 * would decline the payment, although this call, which comes later, may have had an effect.
 */
async function takeOver(services: Services, payment: Payment, now: number): Promise<Payment | undefined> {
  if (payment.attempts !== 0) return moveOn(services, payment);
  const taken = await record(services, beginCall(payment, now));
  return taken && moveOn(services, taken.transaction, taken.due);
}

function isDue({ dueAt }: Payment, now: number): boolean {
  return dueAt !== undefined && dueAt <= now;
}
