/** payments-gateway: its sandbox selects the outcome by the customer's ID. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../contract/src/model.ts';
import { requestExamples } from '../../../generated/examples.ts';
import type { Balance } from '../../../generated/types.ts';
import type { Driver, Goal, PaymentGoal, ServiceAccess } from './driver.ts';
import { bodyLike, exampleItems } from './examples.ts';

const PAYER = { name: 'Asha Rao', email: 'asha.rao@example.com', phone: '+919812345671' };
const PAYMENT_AMOUNT = 20_000;
const PAYOUT_AMOUNT = 1_500;
const ANY_REASON = 'BANK_REJECTED';
/** This customer's transactions move only by simulation. */
const MANUAL = 'manual';
/** An ordinary customer, unknown to other runs, whose limits are unused. */
const ANYONE = `kit-customer-${randomUUID()}`;

export const gatewayDriver: Driver = {
  name: 'gateway',

  payment(goal) {
    const customer: JsonObject = { id: selectCustomer(goal), ...(asks(goal) ? {} : PAYER) };
    const redirect = goal.flow === 'redirect';
    const { currency = redirect ? 'EGP' : 'INR' } = goal;
    const name = findExample(requestExamples.createPayment, (body) => {
      return body['currency'] === currency && 'return_url' in body === redirect;
    });
    if (name === undefined) return undefined;
    return bodyLike(requestExamples.createPayment, name, {
      amount: PAYMENT_AMOUNT,
      customer: redirect ? { ...customer, phone: '+201001234567' } : customer,
    });
  },

  payout(goal) {
    const { currency = 'INR' } = goal;
    const name = findExample(requestExamples.createPayout, (body) => body['currency'] === currency);
    if (name === undefined) return undefined;
    const example = bodyLike(requestExamples.createPayout, name, { amount: PAYOUT_AMOUNT });
    return { ...example, customer: { ...(example['customer'] as JsonObject), id: selectCustomer(goal) } };
  },

  items: exampleItems,
  pay: (page, access) => actOnPage('pay', page, access),
  cancel: (page, access) => actOnPage('cancel', page, access),
  returnAddress: readReturnAddress,
  move,
  disturb,
  emptyWallet: bodyLike(requestExamples.createPayout, 'wallet-dzd', { amount: PAYOUT_AMOUNT }),
  drainWallet,
};

function findExample(
  examples: Readonly<Record<string, { readonly body: object }>>,
  fits: (body: JsonObject) => boolean,
): string | undefined {
  return Object.keys(examples).find((name) => fits((examples[name]?.body ?? {}) as JsonObject));
}

function asks({ asks = false, until, from }: PaymentGoal): boolean {
  return asks || (until === 'EXTRA_DATA_NEEDED' && from === undefined);
}

/** A payment leaves these without a request; in the others it waits for the merchant or the customer. */
const STOPS = new Set(['CREATED h2h', 'VERIFYING h2h', 'VERIFYING redirect', 'PROCESSING']);

function selectCustomer(goal: Goal): string {
  const { until, reason = until === 'FAILED' ? ANY_REASON : undefined } = goal;
  if (goal.from !== undefined) return MANUAL;
  if ('opensIn' in goal && goal.opensIn === 'PAY_CONFIRMATION_NEEDED') return `open-${goal.opensIn}`;
  if ('flow' in goal && asks(goal) && reason === undefined) return ANYONE;
  if (reason !== undefined) return `decline-${reason}`;
  return STOPS.has('flow' in goal ? `${until} ${goal.flow}` : until) ? `stop-${until}` : 'succeed';
}

/** The simulation event that leads to a status, with its body. */
const EVENTS: Readonly<Record<string, readonly [event: string, body?: JsonObject]>> = {
  EXTRA_DATA_NEEDED: ['ask-for-data', { items: ['name', 'phone'] }],
  PAY_CONFIRMATION_NEEDED: ['ask-for-confirmation'],
  VERIFYING: ['pay'],
  SUCCESS: ['succeed'],
  FAILED: ['decline', { decline_reason: ANY_REASON }],
};

/** Makes the sandbox act as the channel, for goals with `from`. */
async function move(kind: 'payment' | 'payout', id: string, goal: Goal, access: ServiceAccess): Promise<void> {
  const { from, until } = goal;
  const [event, body] = EVENTS[until] ?? [];
  if (from === undefined || event === undefined) return;
  const paid = until === 'SUCCESS' && 'paid' in goal ? { amount_paid: goal.paid ?? 0 } : undefined;
  await callSandbox(access, `/sandbox/${kind}s/${id}/${event}`, paid ?? body);
}

/** Problems of the sandbox's chaos, by their status. */
const FAULTS: Readonly<Record<number, string>> = { 429: 'rate_limited', 500: 'internal_error', 503: 'unavailable' };

/** Creates a merchant whose next request to the operation fails. A gateway open to others asks for its SANDBOX_KEY. */
async function disturb(operation: string, status: number, access: ServiceAccess): Promise<string> {
  const { SANDBOX_KEY: sandboxKey = '' } = process.env;
  const { key } = (await callSandbox({ ...access, key: sandboxKey }, '/sandbox/merchants')) as { key: string };
  await callSandbox({ ...access, key }, '/sandbox/chaos', { fault: FAULTS[status] ?? '', operation, requests: 1 });
  return key;
}

async function drainWallet(currency: string, access: ServiceAccess): Promise<() => Promise<unknown>> {
  const { balances } = (await callGateway(access, '/merchant/balance')) as Balance;
  const amount = balances.find((wallet) => wallet.currency === currency)?.available ?? 0;
  if (amount === 0) return async () => undefined;
  await callSandbox(access, `/sandbox/wallets/${currency}/drain`, { amount });
  return () => callSandbox(access, `/sandbox/wallets/${currency}/fund`, { amount });
}

function callSandbox(access: ServiceAccess, path: string, body: JsonObject = {}): Promise<unknown> {
  return callGateway(access, path, { method: 'POST', body: JSON.stringify(body) });
}

async function callGateway(access: ServiceAccess, path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${access.key}`, 'content-type': 'application/json' };
  const response = await access.fetch(`${access.baseUrl}${path}`, { ...init, headers });
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Sends the form of the hosted page, as the customer's browser does. */
async function actOnPage(action: 'pay' | 'cancel', redirectUrl: string, { fetch }: ServiceAccess): Promise<void> {
  const response = await fetch(redirectUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action }),
    redirect: 'manual',
  });
  await response.arrayBuffer();
  if (response.status >= 400) throw new Error(`the payment page responded with ${response.status}`);
}

/** Reads the link on the page of a final payment. */
async function readReturnAddress(redirectUrl: string, { fetch }: ServiceAccess): Promise<string> {
  const page = await (await fetch(redirectUrl)).text();
  const [, link] = /<a class="button[^"]*" href="(https?:[^"]+)"/.exec(page) ?? [];
  if (link === undefined) throw new Error('the payment page has no link to the shop');
  return link.replaceAll('&amp;', '&');
}

const OWN_DRIVER = "if it isn't payments-gateway, write a driver for it: npx payments-conformance init";

/** The step. The driver for payments-gateway is right for that, and for no other service. */
export function driverRemedy(driver: Driver, step: string): string {
  return driver.name === gatewayDriver.name ? OWN_DRIVER : step;
}
