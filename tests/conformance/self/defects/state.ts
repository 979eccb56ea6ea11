/** Unreachable states, stuck states, and illegal actions that succeed. */
import { gatewayDriver } from '../../../../conformance/src/drivers/gateway.ts';
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import {
  type Alteration,
  type Backend,
  findPlace,
  type Incoming,
  type Outgoing,
  rewrite,
  toObject,
} from '../alteration.ts';
import type { Defect } from '../trial.ts';
import {
  asking,
  completeAction,
  defect,
  json,
  readTarget,
  replaying,
  responding,
  set,
  shown,
  turned,
  without,
} from './build.ts';

const withoutOpenFields = without('clarify', 'pay_data', 'confirm', 'finalized_at', 'amount_paid', 'decline_reason');

/** Shows a status instead of others forever, and drops the webhooks of the others. */
function stuck(
  id: string,
  check: string,
  kind: 'payment' | 'payout',
  status: string,
  instead: readonly string[],
): Defect {
  const applies = (transaction: JsonObject, of: string) =>
    of === kind && instead.includes(String(transaction['status']));
  return defect(`stuck/${id}`, `not reached ${check}`, () => ({
    transaction(transaction, place) {
      if (place.on === 'webhook' || place.on === 'confirmPayment' || !applies(transaction, place.kind)) return;
      withoutOpenFields(transaction);
      transaction['status'] = status;
    },
    webhook: (webhook) => (applies(webhook.body, findPlace('webhook', webhook.body).kind) ? [] : undefined),
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

type Action = 'clarifyPayment' | 'confirmPayment';

/** Responds to an action in the status as to a legal one, and does nothing. */
async function accept(operation: Action, status: string, request: Incoming, backend: Backend) {
  if (request.operation !== operation) return undefined;
  const payment = await readTarget(request, backend);
  if (payment['status'] !== status) return undefined;
  const { transaction_id = '', merchant_order_id = '' } = payment;
  const confirmed = { transaction_id, merchant_order_id, status: 'VERIFYING', message: 'Validated.' };
  return json(200, operation === 'confirmPayment' ? confirmed : payment);
}

function accepting(operation: Action, status: string, found: string): Defect {
  return defect(`accepted/${operation}/${status}`, found, () => ({
    request: (request, backend) => accept(operation, status, request, backend),
  }));
}

const ILLEGAL: Readonly<Record<Action, readonly string[]>> = {
  clarifyPayment: ['CREATED', 'PAY_CONFIRMATION_NEEDED', 'SUCCESS'],
  confirmPayment: ['CREATED', 'EXTRA_DATA_NEEDED', 'VERIFYING', 'SUCCESS', 'FAILED'],
};

const illegal = (['clarifyPayment', 'confirmPayment'] as const).flatMap((operation) =>
  ILLEGAL[operation].map((status) => accepting(operation, status, `differs state/illegal/${operation}/${status}`)),
);

/** A declined payment that a confirmation opens again. */
function reopening(): Alteration {
  const reopened = new Set<Json | undefined>();
  return {
    async request(request, backend) {
      const accepted = await accept('confirmPayment', 'FAILED', request, backend);
      if (accepted) reopened.add(toObject(accepted.body)['transaction_id']);
      return accepted;
    },
    transaction(transaction, { on }) {
      if (on === 'webhook' || !reopened.has(transaction['transaction_id'])) return;
      withoutOpenFields(transaction);
      transaction['status'] = 'VERIFYING';
    },
  };
}

const actions: readonly Defect[] = [
  accepting('confirmPayment', 'PAY_CONFIRMATION_NEEDED', 'not reached state/payment/h2h/SUCCESS'),
  accepting('clarifyPayment', 'EXTRA_DATA_NEEDED', 'not reached state/payment/h2h/SUCCESS-after-clarify'),
  defect('reopened', 'state/illegal/confirmPayment/FAILED', reopening),
  asking('incomplete/confirm', 'state/incomplete/confirmPayment', 'confirmPayment', completeAction),
  asking('incomplete/clarify', 'differs state/incomplete/clarifyPayment', 'clarifyPayment', completeAction),
  defect('incomplete/clarify-in-parts', 'differs state/incomplete/clarifyPayment', () => {
    const given = new Map<string, JsonObject>();
    const readItems = ({ body }: Incoming) => toObject(toObject(body)['clarify_data']);
    return {
      request(request) {
        if (request.operation === 'clarifyPayment')
          rewrite(request, { clarify_data: { ...given.get(request.path), ...readItems(request) } });
      },
      response({ status }, request) {
        const valid = Object.entries(readItems(request)).filter(
          ([name, value]) => typeof value === 'string' && !/unknown/.test(name),
        );
        if (request.operation === 'clarifyPayment' && status === 400)
          given.set(request.path, Object.fromEntries(valid));
      },
    };
  }),
  replaying('again/clarify', 'differs state/illegal/clarifyPayment/again', 'clarifyPayment'),
  replaying('race/confirm', 'differs race/confirmPayment', 'confirmPayment'),
  replaying('race/clarify', 'differs race/clarifyPayment', 'clarifyPayment'),
  shown('asks/nothing', 'consistency/payment/asks', { status: 'EXTRA_DATA_NEEDED' }, set('clarify', [])),
  shown('page/of-h2h', 'replay/createPayment', { on: 'createPayment' }, (one) => {
    one['redirect_url'] ??= 'https://pay.example.com/1';
  }),
];

/** Changes the return address that the driver reads from the page. */
function returning(name: string, change: (address: string) => string): Defect {
  const returnAddress: NonNullable<typeof gatewayDriver.returnAddress> = async (page, access) =>
    change((await gatewayDriver.returnAddress?.(page, access)) ?? '');
  const driver = { ...gatewayDriver, returnAddress };
  return defect(`page/${name}`, 'differs state/payment/redirect/return', () => ({}), { driver });
}

/** Sends customers to the payment page by way of the proxy. */
function redirectToProxy({ body }: Outgoing, { operation, headers }: Incoming): void {
  const toProxy = (url: Json) => `http://${headers['host']}${new URL(String(url)).pathname}`;
  if (operation === 'createPayment') turned('redirect_url', toProxy)(toObject(body));
}

/** The driver pays where it was asked to cancel, after it has cancelled. */
function payingAfterCancel(): Alteration {
  const cancelled = new Set<string>();
  let isPaid = false;
  return {
    response: redirectToProxy,
    request({ method, path, bytes }) {
      if (method !== 'POST' || !path.startsWith('/checkout/')) return undefined;
      if (bytes.toString().includes('cancel')) cancelled.add(path);
      else if (cancelled.has(path)) {
        isPaid = true;
        return { status: 303, headers: { location: 'https://shop.example/' }, text: '' };
      }
      return undefined;
    },
    transaction(one) {
      if (one['decline_reason'] !== 'CANCELLED_BY_CUSTOMER' || !isPaid) return;
      delete one['decline_reason'];
      Object.assign(one, { status: 'SUCCESS', amount_paid: one['amount'] ?? 0 });
    },
  };
}

const pages: readonly Defect[] = [
  // The driver needs no page to move payments.
  responding('page/none', 'state/payment/redirect/page', 'createPayment', (response) => {
    const { redirect_url: page, ...rest } = toObject(response.body);
    if (page !== undefined) response.body = { ...rest, status: 'VERIFYING' };
  }),
  responding('page/unknown', 'replay/createPayment', 'createPayment', ({ body }) =>
    turned('redirect_url', (url) => `${url}x`)(toObject(body)),
  ),
  defect('page/pays-when-loaded', 'differs state/payment/redirect/page', () => ({
    response: redirectToProxy,
    async request({ method, path }, { send }) {
      if (method !== 'GET' || !/^\/checkout\/\w+$/.test(path)) return;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      await send({ method: 'POST', path, headers, bytes: Buffer.from('action=pay') });
    },
  })),
  defect('page/paid-after-cancel', 'state/payment/redirect/cancelled', payingAfterCancel),
  shown(
    'page/other-reason-of-cancel',
    'differs state/payment/redirect/cancelled',
    {},
    turned('decline_reason', (reason) => (reason === 'CANCELLED_BY_CUSTOMER' ? 'TIMEOUT_EXPIRED' : reason)),
  ),
  asking('page/without-return-url', 'state/payment/redirect/no-return-url', 'createPayment', (request) => {
    const body = toObject(request.body);
    if (body['currency'] === 'EGP') rewrite(request, { return_url: 'https://shop.example/', ...body });
  }),
  returning('query-lost', (address) => address.replace('cart=7&', '')),
  returning('added-to-fragment', (address) => address.replace(/([?&]transaction_id=[^#]*)(#.*)$/, '$2$1')),
];

export const state: readonly Defect[] = [...stays, ...illegal, ...actions, ...pages];
