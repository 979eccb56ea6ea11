/** payments-gateway: its sandbox selects the outcome by the customer's ID. */

import type { JsonObject } from '../../../contract/src/model.ts';
import { requestExamples } from '../../../generated/examples.ts';
import type { Driver, PaymentGoal, PayoutGoal } from './driver.ts';
import { bodyLike, exampleItems } from './examples.ts';

const PAYER = { name: 'Asha Rao', email: 'asha.rao@example.com', phone: '+919812345671' };
const PAYMENT_AMOUNT = 20_000;
const PAYOUT_AMOUNT = 1_500;
const ANY_REASON = 'BANK_REJECTED';
/** Not one of the sandbox's test customers, which are asked only for what their names say. */
const ANYONE = 'kit-customer';

export const gatewayDriver: Driver = {
  name: 'gateway',

  payment(goal) {
    const customer: JsonObject = { id: customerOf(goal), ...(asks(goal) ? {} : PAYER) };
    const redirect = goal.flow === 'redirect';
    return bodyLike(requestExamples.createPayment, redirect ? 'redirect-egp' : 'h2h-upi', {
      amount: PAYMENT_AMOUNT,
      customer: redirect ? { ...customer, phone: '+201001234567' } : customer,
    });
  },

  payout(goal) {
    const example = bodyLike(requestExamples.createPayout, 'imps-inr', { amount: PAYOUT_AMOUNT });
    return { ...example, customer: { ...(example['customer'] as JsonObject), id: customerOf(goal) } };
  },

  items: exampleItems,
  pay: payOnPage,
  emptyWallet: bodyLike(requestExamples.createPayout, 'wallet-dzd', { amount: PAYOUT_AMOUNT }),
};

function asks({ asks = false, until }: PaymentGoal): boolean {
  return asks || until === 'EXTRA_DATA_NEEDED';
}

/** A payment leaves these without a request; in the others it waits for the merchant or the customer. */
const STOPS = new Set(['CREATED h2h', 'VERIFYING h2h', 'VERIFYING redirect', 'PROCESSING']);

function customerOf(goal: PaymentGoal | PayoutGoal): string {
  const { until, reason = until === 'FAILED' ? ANY_REASON : undefined } = goal;
  if ('flow' in goal && asks(goal) && reason === undefined) return ANYONE;
  if (reason !== undefined) return `decline-${'declined' in goal && goal.declined === 'late' ? 'late-' : ''}${reason}`;
  return STOPS.has('flow' in goal ? `${until} ${goal.flow}` : until) ? `stop-${until}` : 'succeed';
}

/** Sends the form of the hosted page, as the customer's browser does. */
async function payOnPage(redirectUrl: string): Promise<void> {
  const response = await fetch(redirectUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  });
  await response.arrayBuffer();
  if (response.status >= 400) throw new Error(`the payment page responded with ${response.status}`);
}
