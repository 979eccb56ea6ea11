/**
 * A driver for the example server. The server plays the bank, and the customer's ID selects the outcome; a service of
 * your own may have test customers, test amounts, or a simulation API (then add `move`).
 */

const PAYER = { name: 'Asha Rao', phone: '+919812345671' };

/** Values to confirm and clarify with, by the name of the item. */
const ITEMS = { ...PAYER, tid: '406112345678' };

export default {
  name: 'python-example',

  /** The body of a createPayment that leads to the goal. The kit adds merchant_order_id and callback_url. */
  payment({ flow, until, reason, asks }) {
    // This service has no payment page. The kit reports what needs one as not reached.
    if (flow !== 'h2h') return undefined;
    const payer = asks || until === 'EXTRA_DATA_NEEDED' ? {} : PAYER;
    return {
      amount: 20_000,
      currency: 'INR',
      payment_method_type: 'UPI_IN',
      customer: { id: customerOf(until, reason), ...payer },
    };
  },

  /** Nor does it pay out. */
  payout: () => undefined,

  /** Values for the items that `clarify` or `confirm` of a payment names. */
  items: (names, payment) =>
    Object.fromEntries(names.map((name) => [name, name === 'amount' ? `${payment.amount}` : ITEMS[name]])),
};

function customerOf(until, reason = 'BANK_REJECTED') {
  if (until === 'FAILED') return `decline-${reason}`;
  return until === 'CREATED' || until === 'VERIFYING' ? `stop-${until}` : 'any-customer';
}
