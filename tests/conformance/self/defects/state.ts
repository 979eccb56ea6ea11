/** Unreachable states, stuck states, and illegal actions that succeed. */
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Alteration, type Backend, type Incoming, type Outgoing, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, findPlace, json, responding, set, shown, without } from './build.ts';

const OPEN_FIELDS = ['clarify', 'pay_data', 'confirm', 'finalized_at', 'amount_paid', 'decline_reason'];
/** Long enough for the allowed behavior. */
const NEVER = 5_000;

/** Shows a status instead of others forever, and drops the webhooks of the others. */
function stuck(
  id: string,
  title: string,
  foundBy: string,
  kind: 'payment' | 'payout',
  status: string,
  instead: readonly string[],
): Defect {
  const applies = (transaction: JsonObject, of: string) =>
    of === kind && instead.includes(String(transaction['status']));
  const row = {
    id: `state/stuck/${id}`,
    title,
    foundBy,
    verdict: 'not reached',
    options: { timeoutMs: NEVER },
  } as const;
  return defect(row, () => ({
    transaction(transaction, place) {
      if (place.on === 'webhook' || place.on === 'confirmPayment' || !applies(transaction, place.kind)) return;
      for (const field of OPEN_FIELDS) delete transaction[field];
      transaction['status'] = status;
    },
    webhook: (webhook) => (applies(webhook.body, findPlace(webhook).kind) ? [] : undefined),
  }));
}

const AFTER_CREATED = ['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'VERIFYING', 'SUCCESS', 'FAILED'];

const stays: readonly Defect[] = [
  stuck(
    'payments-in-created',
    'a payment never leaves CREATED',
    'state/payment/h2h/SUCCESS',
    'payment',
    'CREATED',
    AFTER_CREATED,
  ),
  stuck(
    'redirects-in-created',
    'a payment by redirect never leaves CREATED',
    'state/payment/redirect/SUCCESS',
    'payment',
    'CREATED',
    AFTER_CREATED,
  ),
  stuck(
    'payments-in-verifying',
    'a payment never leaves VERIFYING',
    'state/payment/h2h/SUCCESS',
    'payment',
    'VERIFYING',
    ['SUCCESS', 'FAILED'],
  ),
  stuck(
    'payments-never-fail',
    'a payment that fails stays in CREATED',
    'state/payment/h2h/FAILED',
    'payment',
    'CREATED',
    ['FAILED'],
  ),
  stuck('payouts-in-processing', 'a payout never leaves PROCESSING', 'state/payout/SUCCESS', 'payout', 'PROCESSING', [
    'SUCCESS',
    'FAILED',
  ]),
  stuck(
    'payouts-never-fail',
    'a payout that fails stays in PROCESSING',
    'state/payout/FAILED',
    'payout',
    'PROCESSING',
    ['FAILED'],
  ),
];

/** The status of the payment that an action is for. */
async function statusBefore(request: Incoming, backend: Backend): Promise<{ status: string; payment: JsonObject }> {
  const path = request.path.replace(/\/(clarify|confirm)$/, '');
  const payment = toObject(
    (await backend.send({ method: 'GET', path, headers: { authorization: `Bearer ${backend.key}` } })).body,
  );
  return { status: String(payment['status']), payment };
}

/** Takes an action in a status in which it isn't legal. */
function accepting(operation: 'clarifyPayment' | 'confirmPayment', status: string): Defect {
  const row = {
    id: `state/illegal/${operation}-in-${status}`,
    title: `${operation} is accepted in ${status}`,
    foundBy: `state/illegal/${operation}/${status}`,
    verdict: 'differs',
  } as const;
  const request = async (incoming: Incoming, backend: Backend): Promise<Outgoing | undefined> => {
    if (incoming.operation !== operation) return undefined;
    const { status: found, payment } = await statusBefore(incoming, backend);
    if (found !== status) return undefined;
    const { transaction_id = '', merchant_order_id = '' } = payment;
    const confirmed = { transaction_id, merchant_order_id, status: 'VERIFYING', message: 'Validated.' };
    return json(200, operation === 'confirmPayment' ? confirmed : payment);
  };
  return defect(row, () => ({ request }));
}

const illegal: readonly Defect[] = [
  accepting('clarifyPayment', 'CREATED'),
  accepting('clarifyPayment', 'PAY_CONFIRMATION_NEEDED'),
  accepting('clarifyPayment', 'SUCCESS'),
  accepting('confirmPayment', 'CREATED'),
  accepting('confirmPayment', 'EXTRA_DATA_NEEDED'),
  accepting('confirmPayment', 'VERIFYING'),
  accepting('confirmPayment', 'SUCCESS'),
  accepting('confirmPayment', 'FAILED'),
];

/** Payments that a confirm in a final status opens again. */
function reopening(): Alteration {
  const reopened = new Set<string>();
  return {
    async request(request, backend) {
      if (request.operation !== 'confirmPayment') return undefined;
      const { status, payment } = await statusBefore(request, backend);
      if (status !== 'FAILED') return undefined;
      reopened.add(String(payment['transaction_id']));
      const { transaction_id = '', merchant_order_id = '' } = payment;
      return json(200, { transaction_id, merchant_order_id, status: 'VERIFYING', message: 'Validated.' });
    },
    transaction(transaction, { on }) {
      if (on === 'webhook' || !reopened.has(String(transaction['transaction_id']))) return;
      without('finalized_at', 'decline_reason')(transaction);
      transaction['status'] = 'VERIFYING';
    },
  };
}

/** Completes an incomplete action, so that the gateway accepts it. */
function completing(operation: string, list: string, field: string): Alteration {
  return {
    async request(request, backend) {
      if (request.operation !== operation) return undefined;
      const { payment } = await statusBefore(request, backend);
      const names = Array.isArray(payment[list]) ? payment[list].map(String) : [];
      const amount = String(payment['amount']);
      const values: Record<string, string> = { amount, phone: '+919812345671', email: 'asha@example.com' };
      const given = toObject(toObject(request.body)[field]);
      const all = Object.fromEntries(names.map((name) => [name, given[name] ?? values[name] ?? 'sample']));
      rewrite(request, { [field]: all });
      return undefined;
    },
  };
}

const actions: readonly Defect[] = [
  defect(
    {
      id: 'state/reopened/by-confirm',
      title: 'a confirm of a FAILED payment opens it again',
      foundBy: 'state/illegal/confirmPayment/FAILED',
    },
    reopening,
  ),
  defect(
    {
      id: 'state/incomplete/confirm',
      title: 'confirmPayment takes an incomplete confirm_data',
      foundBy: 'state/incomplete/confirmPayment',
    },
    () => completing('confirmPayment', 'confirm', 'confirm_data'),
  ),
  defect(
    {
      id: 'state/incomplete/clarify',
      title: 'clarifyPayment takes an incomplete clarify_data',
      foundBy: 'state/incomplete/clarifyPayment',
      verdict: 'differs',
    },
    () => completing('clarifyPayment', 'clarify', 'clarify_data'),
  ),
  defect(
    {
      id: 'state/ignored/confirm',
      title: 'confirmPayment returns VERIFYING without effect',
      foundBy: 'state/payment/h2h/SUCCESS',
      verdict: 'not reached',
      options: { timeoutMs: NEVER },
    },
    () => ({
      async request(request, backend) {
        if (request.operation !== 'confirmPayment') return undefined;
        const { transaction_id = '', merchant_order_id = '' } = (await statusBefore(request, backend)).payment;
        return json(200, { transaction_id, merchant_order_id, status: 'VERIFYING', message: 'Validated.' });
      },
    }),
  ),
  defect(
    {
      id: 'state/ignored/clarify',
      title: 'clarifyPayment has no effect',
      foundBy: 'state/payment/h2h/SUCCESS-after-clarify',
      verdict: 'not reached',
      options: { timeoutMs: NEVER },
    },
    () => ({
      async request(request, backend) {
        if (request.operation !== 'clarifyPayment') return undefined;
        return json(200, (await statusBefore(request, backend)).payment);
      },
    }),
  ),
  asking(
    {
      id: 'state/refused/confirm',
      title: 'confirmPayment returns 409 for every payment',
      foundBy: 'replay/confirmPayment',
    },
    'confirmPayment',
    () => json(409, { title: 'Wrong state', status: 409 }),
  ),
  defect(
    {
      id: 'state/again/clarify',
      title: 'clarifyPayment accepts the same data again once it has them',
      foundBy: 'state/illegal/clarifyPayment/again',
      verdict: 'differs',
    },
    () => {
      const taken = new Map<string, Outgoing>();
      return {
        response(response, { operation, path }) {
          if (operation !== 'clarifyPayment') return;
          if (response.status === 200) taken.set(path, structuredClone(response));
          Object.assign(response, taken.get(path));
        },
      };
    },
  ),
  shown(
    { id: 'state/asks/nothing', title: 'EXTRA_DATA_NEEDED names no item', foundBy: 'consistency/payment/asks' },
    { status: 'EXTRA_DATA_NEEDED' },
    set('clarify', []),
  ),
  shown(
    {
      id: 'state/first/payout-succeeds-at-once',
      title: 'createPayout returns SUCCESS',
      foundBy: 'replay/createPayout',
    },
    { on: 'createPayout' },
    set('status', 'SUCCESS'),
  ),
  shown(
    { id: 'state/first/verifying', title: 'createPayment returns VERIFYING', foundBy: 'replay/createPayment' },
    { on: 'createPayment' },
    (one) => {
      without('clarify')(one);
      one['status'] = 'VERIFYING';
    },
  ),
  shown(
    {
      id: 'state/first/redirect-url-by-h2h',
      title: 'createPayment returns redirect_url by H2H too',
      foundBy: 'replay/createPayment',
    },
    { on: 'createPayment' },
    (one) => {
      one['redirect_url'] ??= 'https://pay.example.com/1';
    },
  ),
  responding(
    { id: 'state/page/unknown', title: 'redirect_url leads nowhere', foundBy: 'replay/createPayment' },
    'createPayment',
    (response) => {
      const body = toObject(response.body);
      if ('redirect_url' in body) response.body = { ...body, redirect_url: `${String(body['redirect_url'])}x` };
    },
  ),
];

/** Needs no page where the driver moves payments. */
const noAddress = responding(
  {
    id: 'state/redirect/no-address',
    title: 'a payment by redirect is verified at once, without a redirect_url',
    foundBy: 'state/payment/redirect/page',
  },
  'createPayment',
  (response) => {
    const { redirect_url: page, ...rest } = toObject(response.body);
    if (page !== undefined) response.body = { ...rest, status: 'VERIFYING' };
  },
);

export const state: readonly Defect[] = [...stays, ...illegal, ...actions, noAddress];
