/**
 * Transactions as the contract shows them. The status endpoint, the webhook and the responses of actions all use these,
 * so that a webhook's body is byte for byte what the status endpoint returns at that moment.
 */
import { responseExamples } from '../../../generated/examples.ts';
import type {
  ConfirmPaymentResponse,
  CreatePaymentResponse,
  Payment as PaymentView,
  PayoutProcessing,
  Payout as PayoutView,
} from '../../../generated/types.ts';
import type { Payment, Payout, StatusData, Step, Transaction } from '../domain/transaction.ts';

/** ISO 8601 in UTC, always with milliseconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** The transaction as its status endpoint returns it (contract: getPayment, getPayout). */
export function viewTransaction(transaction: Transaction): PaymentView | PayoutView {
  return transaction.kind === 'payment' ? viewPayment(transaction) : viewPayout(transaction);
}

/** The body of the webhook that a step sends, which is the transaction as its status endpoint then returns it. */
export function webhookBody({ transaction, notify }: Step): string | undefined {
  return notify ? JSON.stringify(viewTransaction(transaction)) : undefined;
}

/** The payment as getPayment returns it: each status with exactly its own fields. */
export function viewPayment(payment: StatusData<Payment>): PaymentView {
  const shown = {
    ...identity(payment),
    ...(payment.amountPaid !== undefined && { amount_paid: payment.amountPaid }),
    currency: payment.currency,
    ...(asksForAction(payment) && { payment_method_type: payment.method }),
    payment_method: payment.method,
    created_at: timestamp(payment.createdAt),
    ...(payment.status === 'EXTRA_DATA_NEEDED' && { clarify: payment.clarify }),
    ...(payment.status === 'PAY_CONFIRMATION_NEEDED' && { pay_data: payment.payData, confirm: payment.confirm }),
    ...ending(payment),
  };
  return shown as PaymentView;
}

/** The response to the creation and to its repetitions (contract: `order-id`). */
export function viewCreation(payment: Payment, redirectUrl: (token: string) => string): CreatePaymentResponse {
  if (payment.openedAs !== 'CREATED') {
    const { finalizedAt, declineReason, amountPaid, ...opened } = payment;
    return viewPayment({ ...opened, status: payment.openedAs }) as CreatePaymentResponse;
  }
  return {
    ...identity({ ...payment, status: 'CREATED' }),
    currency: payment.currency,
    payment_method_type: payment.method,
    created_at: timestamp(payment.createdAt),
    ...(payment.checkoutToken !== undefined && { redirect_url: redirectUrl(payment.checkoutToken) }),
  } as CreatePaymentResponse;
}

/** The response to the confirmation. */
export function viewConfirmation({ id, orderId }: Payment): ConfirmPaymentResponse {
  const { message } = responseExamples.confirmPayment[200].tid;
  return { transaction_id: id, merchant_order_id: orderId, status: 'VERIFYING', message };
}

/** The payout as getPayout returns it. */
export function viewPayout(payout: StatusData<Payout>): PayoutView {
  const shown = {
    ...identity(payout),
    currency: payout.currency,
    created_at: timestamp(payout.createdAt),
    ...ending(payout),
  };
  return shown as PayoutView;
}

/** The response to a payout's creation and to its repetitions. */
export function viewPayoutCreation(payout: Payout): PayoutProcessing {
  const { finalizedAt, declineReason, ...opened } = payout;
  return viewPayout({ ...opened, status: 'PROCESSING' }) as PayoutProcessing;
}

function identity({ id, orderId, status, amount }: StatusData<Transaction>) {
  return { transaction_id: id, merchant_order_id: orderId, status, amount };
}

function asksForAction({ status }: StatusData<Payment>): boolean {
  return status === 'EXTRA_DATA_NEEDED' || status === 'PAY_CONFIRMATION_NEEDED';
}

function ending({ finalizedAt, declineReason }: StatusData<Transaction>) {
  return {
    ...(finalizedAt !== undefined && { finalized_at: timestamp(finalizedAt) }),
    ...(declineReason !== undefined && { decline_reason: declineReason }),
  };
}
