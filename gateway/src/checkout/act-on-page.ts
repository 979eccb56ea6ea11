/** The actions of a customer on the payment page: view the payment, pay it, or cancel it. */

import type { Channel } from '../channels/channel.ts';
import { findMethod } from '../domain/methods.ts';
import { applyPaymentEvent, CANCELLED, isOpen, requestCancel } from '../domain/payment.ts';
import { awaitsResponse, beginCall, isCalling, isDue } from '../domain/schedule.ts';
import type { Items, Payment, Transaction } from '../domain/transaction.ts';
import { ProblemError } from '../http/problems.ts';
import { merchantById } from '../merchants/merchants.ts';
import { advanceTransaction, makePendingCall, retryOnConflict } from '../transactions/advance.ts';
import { type Committed, commitStep } from '../transactions/commit-step.ts';
import { paymentByCheckoutToken } from '../transactions/rows.ts';
import type { Services } from '../transactions/services.ts';

/** A payment as shown on its page. */
export interface PageView {
  readonly payment: Payment;
  /** Its name. */
  readonly merchant: string;
  /** The title of its method. */
  readonly method: string;
  /** The customer can still pay or cancel. */
  readonly open: boolean;
  /** The account to which the customer can transfer the money, if the channel has one. */
  readonly receiver?: string;
  /** No money moves. */
  readonly sandbox: boolean;
  /** The time at which it is shown, in milliseconds since 1970. */
  readonly now: number;
}

/** The payment with a page's token, if any. */
export async function viewPage(services: Services, token: string): Promise<PageView | undefined> {
  const { store, time, channels, methods } = services;
  const payment = await paymentByCheckoutToken(store.read, token);
  const merchant = payment && (await merchantById(store.read, payment.merchantId));
  if (!merchant) return undefined;
  const { now } = time.at(payment.merchantId);
  const open = payment.status === 'CREATED' && isOpen(payment, now);
  const method = findMethod(methods, 'payment', payment.method)?.title ?? payment.method;
  const channel = channels.find(payment.channel);
  const receiver = findReceiver(services, channel, payment);
  return {
    ...{ payment, merchant: merchant.name, method, open, sandbox: channel?.sandbox ?? false, now },
    ...(receiver !== undefined && { receiver }),
  };
}

/** The account to pay to. Without a valid one, the customer can still use the page's form. */
function findReceiver({ report }: Services, channel: Channel | undefined, payment: Payment): string | undefined {
  try {
    return channel?.receiver?.(payment);
  } catch (error) {
    report(error, { job: 'payment page', transaction_id: payment.id, channel: payment.channel });
    return undefined;
  }
}

/**
 * The customer reports the payment as paid, which starts its verification. A payment that isn't open stays unchanged.
 */
export async function payOnPage(services: Services, token: string, items: Items): Promise<void> {
  await whileOpen(services, token, async (payment, now) => {
    // Due steps come first. The rules or the channel may decline the payment, and a customer faster than the worker
    // must not bypass that. A channel that has not responded yet may not know the payment.
    if (awaitsResponse(payment) || isDue(payment, now)) {
      const moved = await takeOver(services, payment, now);
      if (!moved || !awaitsResponse(moved)) return undefined;
      throw new ProblemError('unavailable', 'The channel does not respond; try again in a moment.');
    }
    return commitStep(services, applyPaymentEvent(services.methods, payment, { type: 'paid', items }, now));
  });
}

/** The customer leaves without paying. A payment that isn't open stays unchanged. */
export async function cancelOnPage(services: Services, token: string): Promise<void> {
  await whileOpen(services, token, async (payment, now) => {
    const cancelled = await commitStep(services, requestCancel(payment, CANCELLED, now, 'customer'));
    // The worker retries the unresponsive channel now.
    if (cancelled) await makePendingCall(services, cancelled);
    return cancelled;
  });
}

/** Acts on the payment while it is open, and retries if other writers are faster. */
async function whileOpen(
  { store, time }: Services,
  token: string,
  act: (payment: Payment, now: number) => Promise<Committed<Payment> | undefined>,
): Promise<void> {
  await retryOnConflict(async () => {
    const payment = await paymentByCheckoutToken(store.read, token);
    if (payment?.status !== 'CREATED') return 'closed';
    const { now } = time.at(payment.merchantId);
    return isOpen(payment, now) ? act(payment, now) : 'closed';
  });
}

/**
 * Advances a payment. If its first channel call is in flight, that call's result is discarded: a refusal would decline
 * the payment, although this later call may have had an effect.
 */
async function takeOver(services: Services, payment: Payment, now: number): Promise<Transaction | undefined> {
  if (!isCalling(payment)) return advanceTransaction(services, payment);
  const taken = await commitStep(services, beginCall(payment, now));
  return taken && advanceTransaction(services, taken.transaction, taken.callUntil);
}
