/** Views: projections of transactions and wallets to the bodies that merchants see. */
import { expiry } from './decide.js';
import { isFinal } from './state.js';

/** ISO 8601 with an explicit offset. */
const timestamp = (iso) => iso.replace('Z', '+00:00');

const expiresAt = (payment) => timestamp(new Date(expiry(payment)).toISOString());

/** The body of status responses and webhooks. JSON omits undefined members. */
export function transactionView(transaction) {
  const { kind, status, request } = transaction;
  return {
    status,
    transaction_id: transaction.id,
    merchant_order_id: request.merchant_order_id,
    currency: request.currency,
    amount: request.amount,
    ...(kind === 'payment' && { payment_method: request.payment_method_type }),
    ...(status === 'EXTRA_DATA_NEEDED' && { clarify: transaction.clarify }),
    ...(status === 'PAY_CONFIRMATION_NEEDED' && { pay_data: transaction.pay_data, confirm: transaction.confirm }),
    amount_paid: transaction.amount_paid,
    decline_reason: transaction.decline_reason,
    created_at: timestamp(transaction.created_at),
    ...(isFinal(status) && { finalized_at: timestamp(transaction.finalized_at) }),
    ...(kind === 'payment' && !isFinal(status) && { expires_at: expiresAt(transaction) }),
    livemode: false,
  };
}

/** The response to a creation. It names the method as the request does. */
export function creationView(transaction, baseUrl) {
  const { payment_method: method, ...view } = transactionView(transaction);
  return {
    ...view,
    payment_method_type: method,
    redirect_url: transaction.page && `${baseUrl}/pay/${transaction.page}`,
  };
}

export const confirmationView = ({ id, request, status }) => ({
  status,
  transaction_id: id,
  merchant_order_id: request.merchant_order_id,
  message: 'The transfer reference was validated. The payment is completed when its settlement is confirmed.',
});

export const balanceView = ({ merchant, wallet }) => ({
  merchant_id: merchant.id,
  last_updated_at: timestamp(wallet?.updated_at ?? merchant.opened_at),
  balances: Object.entries(wallet?.balances ?? {}).map(([currency, balance]) => ({ currency, ...balance })),
});
