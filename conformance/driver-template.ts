/**
 * A driver tells the kit how to bring your service into a state. Copy this file, edit the marked places, and run
 *
 *     npx payments-conformance BASE_URL --driver ./driver.ts
 *
 * The kit adds `merchant_order_id` and `callback_url` to the bodies. It reads transactions, and sends clarify
 * and confirm itself. Missing abilities of the driver are reported as not reached, never as passed.
 */
import type { Driver } from 'payments-conformance';

const driver: Driver = {
  name: 'my-service',

  /**
   * The body of a createPayment that leads to the goal. `goal.flow` is 'h2h' or 'redirect', `goal.until` the status in
   * which the payment has to stay, unless it is final, and `goal.reason` the decline reason of a payment that fails.
   * Return undefined if your service can't reach it. `goal.currency` names a wallet: a body in another currency means that
   * this one has none. `goal.paid` is an amount to pay instead of the requested one. `goal.opensIn` is a status that the
   * creation itself has to return.
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
      // `asks`: the service has to ask for data on the way, so leave that data out.
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
      customer: { id, name: 'Asha Rao', account_number: '026291800001191', bank_code: 'SBIN0001234' },
    };
  },

  /**
   * Values for the items in `clarify` or `confirm` of a payment. `payment` is the last response about it. An `amount` has to
   * be one of its offers, and your test system has to accept the `tid`.
   */
  items(names, payment) {
    const { amount, pay_data: offer } = Object(payment);
    const values: Record<string, string> = {
      email: 'asha.rao@example.com',
      phone: '+919812345671',
      tid: 'T230101',
      amount: String(offer?.available_amounts?.[0] ?? amount),
    };
    return Object.fromEntries(names.map((name) => [name, values[name] ?? 'sample-1']));
  },

  /** Optional. Pays on the payment page, as the customer. Reject if that fails. */
  async pay(redirectUrl, { fetch }) {
    // Replace: the request that your page sends when the customer pays.
    // The page leads back to the shop, which isn't there.
    const body = new URLSearchParams({ action: 'pay' });
    const response = await fetch(redirectUrl, { method: 'POST', body, redirect: 'manual' });
    if (response.status >= 400) throw new Error(`the payment page responded with ${response.status}`);
  },

  /** Optional. Cancels on the page, as the customer, and reads the return address from the page of a final payment. */
  // async cancel(redirectUrl, { fetch }) {
  //   await fetch(redirectUrl, { method: 'POST', body: new URLSearchParams({ action: 'cancel' }), redirect: 'manual' });
  // },
  // async returnAddress(redirectUrl, { fetch }) {
  //   const response = await fetch(`${redirectUrl}/return`, { redirect: 'manual' });
  //   return response.headers.get('location') ?? '';
  // },

  /**
   * Optional. Moves a created transaction to the goal by a simulation API, if your service has one. The kit calls it for every
   * transaction, right after its creation, so ignore any that reach the goal on their own. The checks of transitions
   * need it: for a goal with `from`, the kit calls it twice, first with that status.
   * This `fetch` waits when your service returns 429 or 503.
   */
  // async move(kind, transactionId, goal, { baseUrl, fetch }) {
  //   await fetch(`${baseUrl}/simulate/${kind}/${transactionId}/${goal.until}`, { method: 'POST' });
  // },

  /** Optional. Lets the next request to an operation get a 429, 500 or 503, and returns the key to send it with. */
  // async disturb(operationId, status, { baseUrl, key, fetch }) {
  //   await fetch(`${baseUrl}/simulate/fail/${operationId}/${status}`, { method: 'POST' });
  //   return key;
  // },

  /**
   * Optional. `emptyWallet` is a body of a createPayout in a currency that `payout` doesn't use. The kit sends it with an
   * amount beyond the balance, and expects INSUFFICIENT_BALANCE. If that exceeds the largest payout of your service, empty
   * the wallet in `drainWallet`, which the kit also calls for wallets too full to pay out. Return a function that refills
   * the wallet.
   */
  // emptyWallet: { amount: 1_500, currency: 'EGP', payment_method_type: 'WALLET_EG', customer: { id: 'test-approved' } },
  // async drainWallet(currency, { baseUrl, fetch }) {
  //   await fetch(`${baseUrl}/simulate/wallets/${currency}/empty`, { method: 'POST' });
  //   return () => fetch(`${baseUrl}/simulate/wallets/${currency}/restore`, { method: 'POST' });
  // },
};

export default driver;
