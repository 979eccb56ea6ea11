/** Choices about transactions and the wallet that the source leaves open, decided differently. */
import { gatewayDriver } from '../../../../conformance/src/drivers/gateway.ts';
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { type Backend, type Incoming, type Outgoing, toObject } from '../alteration.ts';
import type { Variation } from '../trial.ts';
import { pause, responding, shown, variation, without } from './build.ts';

const METHODS = ['payment_method', 'payment_method_type'] as const;

const waiting = ({ status }: { status: string }) =>
  status === 'EXTRA_DATA_NEEDED' || status === 'PAY_CONFIRMATION_NEEDED';

const fields: readonly Variation[] = [
  shown('fields/method-type-only', (one, place) => {
    if (waiting(place)) without(one, 'payment_method');
  }),
  shown('fields/method-only', (one, place) => {
    if (waiting(place)) without(one, 'payment_method_type');
  }),
  shown('fields/both-methods', (one, { kind, on }) => {
    const [method] = METHODS.flatMap((name) => one[name] ?? []);
    if (kind === 'payment' && on !== 'confirmPayment' && method !== undefined)
      Object.assign(one, Object.fromEntries(METHODS.map((name) => [name, method])));
  }),
  shown('fields/more-pay_data', (one) => {
    if ('pay_data' in one) one['pay_data'] = { ...toObject(one['pay_data']), qr: 'data', bank: { name: 'HDFC' } };
  }),
  shown('fields/no-receiver_account', (one) => {
    without(toObject(one['pay_data']), 'receiver_account');
  }),
  shown('fields/no-available_amounts', (one) => {
    without(toObject(one['pay_data']), 'available_amounts');
  }),
  shown('fields/empty-available_amounts', (one) => {
    if ('pay_data' in one) toObject(one['pay_data'])['available_amounts'] = [];
  }),
  shown(
    'fields/clarify-names-more',
    (one) => {
      const list = one['clarify'];
      if (Array.isArray(list)) one['clarify'] = [...list, 'favourite_colour'];
    },
    ['state/incomplete', 'bad-input/clarifyPayment'],
  ),
];

/** Codes that a cause requires. */
const SPECIFIED_REASONS = ['INSUFFICIENT_BALANCE', 'CANCELLED_BY_CUSTOMER'];

const renamedReasons = (one: JsonObject): void => {
  const reason = one['decline_reason'];
  if (typeof reason === 'string' && !SPECIFIED_REASONS.includes(reason))
    one['decline_reason'] = `ACQUIRER_${reason.length}`;
};

/** Shows a declined transaction as such when it is created. */
function declinedAtOnce(operation: string): Variation {
  return variation(
    `declines/at-once-by-${operation}`,
    () => ({
      async response(response, request, backend) {
        const created = toObject(response.body);
        const customer = String(toObject(toObject(request.body)['customer'])['id']);
        if (
          request.operation !== operation ||
          response.status >= 300 ||
          !customer.startsWith('decline-') ||
          customer.startsWith('decline-late')
        )
          return;
        const path = `${request.path}/${String(created['transaction_id'])}`;
        const headers = { authorization: String(request.headers['authorization']) };
        for (let attempt = 0; attempt < 40; attempt += 1) {
          const read = toObject((await backend.send({ method: 'GET', path, headers })).body);
          if (read['status'] === 'FAILED') {
            response.body =
              operation === 'createPayment' ? { ...read, payment_method_type: read['payment_method'] ?? '' } : read;
            return;
          }
          await pause(25);
        }
      },
    }),
    { differs: ['repeat'] },
  );
}

const declines: readonly Variation[] = [
  shown('declines/unknown-codes', renamedReasons),
  declinedAtOnce('createPayment'),
  declinedAtOnce('createPayout'),
];

/** Reads a payment until the service no longer works on it, and returns the response. */
const settled = async (read: () => Promise<Outgoing>, first: Outgoing): Promise<Outgoing> => {
  let outgoing = first;
  for (let attempt = 0; attempt < 20 && toObject(outgoing.body)['status'] === 'VERIFYING'; attempt += 1) {
    await pause(40);
    outgoing = await read();
  }
  return outgoing;
};

const states: readonly Variation[] = [
  variation('states/settles-at-once', () => ({
    async response(response, request, backend) {
      if (request.operation !== 'getPayment') return;
      const { method, path, headers } = request;
      Object.assign(response, await settled(() => backend.send({ method, path, headers }), response));
    },
  })),
  variation(
    'states/asks-twice',
    () => {
      const asked = new Set<string>();
      return {
        async request(request, backend) {
          if (request.operation !== 'clarifyPayment' || asked.has(request.path)) return undefined;
          const path = request.path.replace(/\/clarify$/, '');
          const headers = { authorization: `Bearer ${backend.key}` };
          const { body } = await backend.send({ method: 'GET', path, headers });
          const [name, ...others] = (toObject(body)['clarify'] as string[] | undefined) ?? [];
          const given = toObject(toObject(request.body)['clarify_data']);
          const values = [...[name, ...others].map((one) => given[String(one)]), ...Object.values(given)];
          const complete = values.every((value) => typeof value === 'string' && /^[\w @.+-]{2,60}$/.test(value));
          const mine = request.headers['authorization'] === headers.authorization;
          const { email = '@' } = given;
          if (!mine || !complete || !String(email).includes('@') || toObject(body)['status'] !== 'EXTRA_DATA_NEEDED')
            return undefined;
          asked.add(request.path);
          return { status: 200, headers: { 'content-type': 'application/json' }, body };
        },
      };
    },
    { differs: ['response', 'bad-input/clarifyPayment', 'bad-request/clarifyPayment'] },
  ),
  variation('states/late', () => {
    return {
      transaction(one, { on, kind, status }) {
        if (on === 'webhook' || kind !== 'payment' || status !== 'SUCCESS') return;
        if (Date.now() - Date.parse(String(one['finalized_at'])) > 300) return;
        without(one, 'amount_paid', 'finalized_at');
        one['status'] = 'VERIFYING';
      },
      webhook(webhook) {
        webhook.delayMs += 500;
      },
    };
  }),
  variation(
    'states/upi-link',
    () => ({
      response(response) {
        const body = toObject(response.body);
        if ('redirect_url' in body)
          response.body = { ...body, redirect_url: String(body['redirect_url']).replace('http://', 'upi://') };
      },
    }),
    {
      options: {
        driver: {
          ...gatewayDriver,
          pay: async (url, access) => gatewayDriver.pay?.(url.replace('upi://', 'http://'), access),
        },
      },
    },
  ),
  responding(
    'states/clarify-without-body',
    (response, { operation }) => {
      if (operation === 'clarifyPayment' && response.status === 200) response.body = {};
    },
    ['replay/clarifyPayment', 'state', 'response', 'walk', 'consistency'],
  ),
  responding(
    'states/clarify-no-content',
    (response, { operation }) => {
      if (operation !== 'clarifyPayment' || response.status !== 200) return;
      response.status = 204;
      response.body = undefined;
    },
    ['replay/clarifyPayment', 'state', 'response', 'walk', 'consistency'],
  ),
];

type Entry = { readonly available: number; readonly pending: number; readonly currency: string };

/** Changes balances. */
function balance(id: string, change: (body: JsonObject) => JsonObject, differs: readonly string[] = []): Variation {
  return responding(
    `balance/${id}`,
    (response, { operation }) => {
      if (operation === 'getBalance' && response.status === 200) response.body = change(toObject(response.body));
    },
    differs,
  );
}

/** Whether the response has the balance of the merchant whose key the kit has. */
const isOwnBalance = ({ status }: Outgoing, { operation, headers }: Incoming, { key }: Backend): boolean =>
  operation === 'getBalance' && status === 200 && headers['authorization'] === `Bearer ${key}`;

const eachEntry = (body: JsonObject, change: (entry: Entry) => Json | undefined): JsonObject => ({
  ...body,
  balances: (body['balances'] as unknown as Entry[]).flatMap((entry) => change(entry) ?? []),
});

const money: readonly Variation[] = [
  balance('large-merchant_id', (body) => ({
    ...body,
    merchant_id: 9_007_199_254_700_000 + Number(body['merchant_id']),
  })),
  balance('static-time', (body) => ({ ...body, last_updated_at: '2026-01-01T00:00:00Z' }), ['money/last-updated']),
  balance('other-order', (body) => ({
    ...body,
    balances: (body['balances'] as Json[]).toReversed(),
  })),
  variation('balance/only-used', () => {
    const used = new Set(['INR']);
    return {
      response(response, request, backend) {
        if (!isOwnBalance(response, request, backend)) return;
        response.body = eachEntry(toObject(response.body), (entry) => {
          if (entry.available + entry.pending > 0) used.add(entry.currency);
          return used.has(entry.currency) ? { ...entry } : undefined;
        });
      },
    };
  }),
  variation('balance/stale', () => {
    let shownAt = 0;
    let kept: Json | undefined;
    return {
      response(response, request, backend) {
        if (!isOwnBalance(response, request, backend)) return;
        if (Date.now() - shownAt > 300) [shownAt, kept] = [Date.now(), response.body];
        response.body = kept;
      },
    };
  }),
  variation('balance/settles-later', () => ({ settlementMs: 400 })),
  variation('lookup/lags', () => {
    const created = new Map<string, number>();
    return {
      response(response, { operation, body, query }) {
        if (operation === 'createPayment') created.set(String(toObject(body)['merchant_order_id']), Date.now());
        const order = new URLSearchParams(query).get('merchant_order_id') ?? '';
        const isNew = Date.now() - (created.get(order) ?? 0) < 300;
        if (operation !== 'findPayment' || !isNew) return;
        Object.assign(response, { status: 404, body: { title: 'Not found', status: 404 } });
        response.headers['content-type'] = 'application/problem+json';
      },
    };
  }),
];

export const meaning: readonly Variation[] = [...fields, ...declines, ...states, ...money];
