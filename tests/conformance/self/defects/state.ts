/** Unreachable states, stuck states, and illegal actions that succeed. */
import { gatewayDriver } from '../../../../conformance/src/drivers/gateway.ts';
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Alteration, type Backend, type Incoming, type Outgoing, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, findPlace, json, responding, row, set, shown, without } from './build.ts';

const OPEN_FIELDS = ['clarify', 'pay_data', 'confirm', 'finalized_at', 'amount_paid', 'decline_reason'];
/** Long enough for the allowed behavior. */
const NEVER = 5_000;

/** Shows a status instead of others forever, and drops the webhooks of the others. */
function stuck(
  id: string,
  foundBy: string,
  kind: 'payment' | 'payout',
  status: string,
  instead: readonly string[],
): Defect {
  const applies = (transaction: JsonObject, of: string) =>
    of === kind && instead.includes(String(transaction['status']));
  return defect(row(`state/stuck/${id}`, foundBy, 'not reached', { timeoutMs: NEVER }), () => ({
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
  stuck('payments-in-created', 'state/payment/h2h/PAY_CONFIRMATION_NEEDED', 'payment', 'CREATED', AFTER_CREATED),
  stuck('redirects-in-created', 'state/payment/redirect/SUCCESS', 'payment', 'CREATED', AFTER_CREATED),
  stuck('payments-in-verifying', 'state/payment/h2h/SUCCESS', 'payment', 'VERIFYING', ['SUCCESS', 'FAILED']),
  stuck('payments-never-fail', 'state/payment/h2h/FAILED', 'payment', 'CREATED', ['FAILED']),
  stuck('payouts-in-processing', 'state/payout/SUCCESS', 'payout', 'PROCESSING', ['SUCCESS', 'FAILED']),
  stuck('payouts-never-fail', 'state/payout/FAILED', 'payout', 'PROCESSING', ['FAILED']),
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
  const id = `state/illegal/${operation}-in-${status}`;
  const request = async (incoming: Incoming, backend: Backend): Promise<Outgoing | undefined> => {
    if (incoming.operation !== operation) return undefined;
    const { status: found, payment } = await statusBefore(incoming, backend);
    if (found !== status) return undefined;
    const { transaction_id = '', merchant_order_id = '' } = payment;
    const confirmed = { transaction_id, merchant_order_id, status: 'VERIFYING', message: 'Validated.' };
    return json(200, operation === 'confirmPayment' ? confirmed : payment);
  };
  return defect(row(id, `state/illegal/${operation}/${status}`, 'differs'), () => ({ request }));
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
      if (request.operation !== operation) return;
      const { payment } = await statusBefore(request, backend);
      const names = Array.isArray(payment[list]) ? payment[list].map(String) : [];
      const amount = String(payment['amount']);
      const values: Record<string, string> = { amount, phone: '+919812345671', email: 'asha@example.com' };
      const given = toObject(toObject(request.body)[field]);
      const all = Object.fromEntries(names.map((name) => [name, given[name] ?? values[name] ?? 'sample']));
      rewrite(request, { [field]: all });
    },
  };
}

const actions: readonly Defect[] = [
  defect(row('state/reopened/by-confirm', 'state/illegal/confirmPayment/FAILED'), reopening),
  defect(row('state/incomplete/confirm', 'state/incomplete/confirmPayment'), () =>
    completing('confirmPayment', 'confirm', 'confirm_data'),
  ),
  defect(row('state/incomplete/clarify', 'state/incomplete/clarifyPayment', 'differs'), () =>
    completing('clarifyPayment', 'clarify', 'clarify_data'),
  ),
  defect(row('state/ignored/confirm', 'state/payment/h2h/SUCCESS', 'not reached', { timeoutMs: NEVER }), () => ({
    async request(request, backend) {
      if (request.operation !== 'confirmPayment') return undefined;
      const { transaction_id = '', merchant_order_id = '' } = (await statusBefore(request, backend)).payment;
      return json(200, { transaction_id, merchant_order_id, status: 'VERIFYING', message: 'Validated.' });
    },
  })),
  defect(
    row('state/ignored/clarify', 'state/payment/h2h/SUCCESS-after-clarify', 'not reached', { timeoutMs: NEVER }),
    () => ({
      async request(request, backend) {
        if (request.operation !== 'clarifyPayment') return undefined;
        return json(200, (await statusBefore(request, backend)).payment);
      },
    }),
  ),
  defect(row('state/again/clarify', 'state/illegal/clarifyPayment/again', 'differs'), () => {
    const taken = new Map<string, Outgoing>();
    return {
      response(response, { operation, path }) {
        if (operation !== 'clarifyPayment') return;
        if (response.status === 200) taken.set(path, structuredClone(response));
        Object.assign(response, taken.get(path));
      },
    };
  }),
  shown(row('state/asks/nothing', 'consistency/payment/asks'), { status: 'EXTRA_DATA_NEEDED' }, set('clarify', [])),
  shown(
    row('state/first/payout-succeeds-at-once', 'replay/createPayout'),
    { on: 'createPayout' },
    set('status', 'SUCCESS'),
  ),
  shown(row('state/first/verifying', 'replay/createPayment'), { on: 'createPayment' }, (one) => {
    without('clarify')(one);
    one['status'] = 'VERIFYING';
  }),
  shown(row('state/first/redirect-url-by-h2h', 'replay/createPayment'), { on: 'createPayment' }, (one) => {
    one['redirect_url'] ??= 'https://pay.example.com/1';
  }),
  responding(row('state/page/unknown', 'replay/createPayment'), 'createPayment', (response) => {
    const body = toObject(response.body);
    if ('redirect_url' in body) response.body = { ...body, redirect_url: `${String(body['redirect_url'])}x` };
  }),
];

/** Needs no page where the driver moves payments. */
const noAddress = responding(
  row('state/redirect/no-address', 'state/payment/redirect/page'),
  'createPayment',
  (response) => {
    const { redirect_url: page, ...rest } = toObject(response.body);
    if (page !== undefined) response.body = { ...rest, status: 'VERIFYING' };
  },
);

const pages: readonly Defect[] = [
  asking(
    row('state/redirect/without-return-url', 'state/payment/redirect/no-return-url'),
    'createPayment',
    (request) => {
      const body = toObject(request.body);
      if (body['currency'] === 'EGP' && !('return_url' in body)) {
        rewrite(request, { ...body, return_url: 'https://shop.example/' });
      }
    },
  ),
  shown(
    row('state/redirect/cancel-reason', 'state/payment/redirect/cancelled', 'differs'),
    {},
    (payment: JsonObject) => {
      if (payment['decline_reason'] === 'CANCELLED_BY_CUSTOMER') payment['decline_reason'] = 'TIMEOUT_EXPIRED';
    },
  ),
  defect(
    row('state/redirect/return-query', 'state/payment/redirect/return', 'differs', {
      driver: {
        ...gatewayDriver,
        returnAddress: async (page, access) =>
          ((await gatewayDriver.returnAddress?.(page, access)) ?? '').replace('cart=7&', ''),
      },
    }),
    () => ({}),
  ),
];

export const state: readonly Defect[] = [...stays, ...illegal, ...actions, noAddress, ...pages];
