/**
 * A driver tells the kit how to bring your service into a state. Copy this file, replace what is marked, and run
 *
 *     npx payments-conformance BASE_URL --driver ./driver.ts
 *
 * The kit adds `merchant_order_id` and `callback_url` to the bodies. The kit itself reads transactions, and sends
 * clarify and confirm. Whatever the driver can't do is reported as not reached, never as passed.
 */
import type { Driver } from 'payments-conformance';

const driver: Driver = {
  name: 'my-service',

  /**
   * The body of a createPayment that leads to the goal. `goal.flow` is 'h2h' or 'redirect', `goal.until` the status in
   * which the payment has to stay, unless it is final, and `goal.reason` the decline reason of a payment that fails.
   * Return undefined if your service can't be brought there.
   */
  payment({ flow, until, reason, asks = false }) {
    // Replace: how test customers of your service are named. Often a test system decides by amount or by customer.
    const id = until === 'FAILED' ? `test-declined-${reason ?? 'BANK_REJECTED'}` : 'test-approved';
    if (!['SUCCESS', 'FAILED'].includes(until)) return undefined;
    const payer = { id, name: 'Asha Rao', email: 'asha.rao@example.com', phone: '+919812345671' };
    return {
      amount: 20_000,
      currency: 'INR',
      payment_method_type: 'UPI_IN',
      // `asks`: the service has to ask for data on the way, so leave out what it would ask for.
      customer: asks ? { id } : payer,
      ...(flow === 'redirect' && { return_url: 'https://shop.example/return' }),
    };
  },

  /** The body of a createPayout that leads to the goal. */
  payout({ until, reason }) {
    const id = until === 'FAILED' ? `test-declined-${reason ?? 'BANK_REJECTED'}` : 'test-approved';
    return {
      amount: 1_500,
      currency: 'INR',
      payment_method_type: 'IMPS_IN',
      customer: { id, name: 'Asha Rao', account_number: '026291800001191', ifsc: 'SBIN0001234' },
    };
  },

  /** Values for what a payment asks for: names from its `clarify` or `confirm`. */
  items(names) {
    const values: Record<string, string> = { email: 'asha.rao@example.com', phone: '+919812345671', tid: 'T230101' };
    return Object.fromEntries(names.map((name) => [name, values[name] ?? 'sample-1']));
  },

  /** Optional. Plays the customer, who pays on the payment page. Reject if that fails. */
  async pay(redirectUrl) {
    // Replace: the request that your page sends when the customer pays.
    const response = await fetch(redirectUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) });
    if (!response.ok) throw new Error(`the payment page responded with ${response.status}`);
  },

  /**
   * Optional. Moves a created transaction to the goal by a simulation API, if your service has one. With it, the checks of
   * each transition are reached: a goal with `from` is asked for in two calls, first with that status.
   */
  // async move(kind, transactionId, goal, { baseUrl }) {
  //   await fetch(`${baseUrl}/simulate/${kind}/${transactionId}/${goal.until}`, { method: 'POST' });
  // },

  /** Optional. Lets the next request to an operation get a 429, 500 or 503, and returns the key to send it with. */
  // async disturb(operationId, status, { baseUrl, key }) {
  //   await fetch(`${baseUrl}/simulate/fail/${operationId}/${status}`, { method: 'POST' });
  //   return key;
  // },
};

export default driver;
