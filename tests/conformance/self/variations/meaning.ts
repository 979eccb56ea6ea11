/** Choices about transactions and the wallet that the source leaves open, decided differently. */
import { gatewayDriver } from '../../../../conformance/src/drivers/gateway.ts';
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { type Backend, type Incoming, type Outgoing, toObject } from '../alteration.ts';
import { problem, readTarget, turned, without } from '../defects/build.ts';
import type { Variation } from '../trial.ts';
import { alternate, choose, pause, responding, shown, variation } from './build.ts';

const METHODS = ['payment_method', 'payment_method_type'];
const WAITING = ['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED'];

const fields: readonly Variation[] = [
  shown('fields/other-methods', (one, { kind, on, status }) => {
    const [method] = METHODS.flatMap((name) => one[name] ?? []);
    if (kind === 'payout' || on === 'confirmPayment' || method === undefined) return;
    const names = choose(one, [['payment_method'], ['payment_method_type'], METHODS]);
    if (names !== METHODS && !WAITING.includes(status)) return;
    without(...METHODS)(one);
    for (const name of names) one[name] = method;
  }),
  shown('fields/other-pay_data', (one) => {
    if (!('pay_data' in one)) return;
    const { receiver_account: _account, available_amounts: _amounts, ...rest } = toObject(one['pay_data']);
    const amounts = choose<JsonObject>(one, [{}, { available_amounts: [] }]);
    one['pay_data'] = { ...rest, ...amounts, qr: 'data', bank: { name: 'HDFC' } };
  }),
  shown(
    'fields/clarify-names-more',
    turned('clarify', (list) => [...(list as Json[]), 'favourite_colour']),
    ['state/incomplete', 'bad-input/clarifyPayment'],
  ),
];

/** Codes that a cause requires. */
const SPECIFIED_REASONS = ['INSUFFICIENT_BALANCE', 'CANCELLED_BY_CUSTOMER'];

function renameReason(one: JsonObject): void {
  const reason = one['decline_reason'];
  if (typeof reason === 'string' && !SPECIFIED_REASONS.includes(reason))
    one['decline_reason'] = `ACQUIRER_${reason.length}`;
}

/** Reads a transaction again while the response shows it in the status. */
async function readWhile(status: string, read: () => Promise<Outgoing>, first: Outgoing): Promise<Outgoing> {
  let outgoing = first;
  for (let attempt = 0; attempt < 30 && toObject(outgoing.body)['status'] === status; attempt += 1) {
    await pause(30);
    outgoing = await read();
  }
  return outgoing;
}

const isDeclinedEarly = (customer: string) => /^decline-(?!late)/.test(customer);

const states: readonly Variation[] = [
  variation(
    'states/declined-at-once',
    () => ({
      transaction: renameReason,
      async response(response, { operation, path, headers, body }, backend) {
        const created = toObject(response.body);
        const isEarly = isDeclinedEarly(String(toObject(toObject(body)['customer'])['id']));
        if (!operation.startsWith('create') || response.status >= 300 || !isEarly) return;
        const read = () =>
          backend.send({ method: 'GET', path: `${path}/${String(created['transaction_id'])}`, headers });
        const shown = toObject((await readWhile(String(created['status']), read, response)).body);
        if (shown['status'] !== 'FAILED') return;
        renameReason(shown);
        const method = shown['payment_method'];
        response.body = { ...shown, ...(method !== undefined && { payment_method_type: method }) };
      },
    }),
    { differs: ['repeat'] },
  ),
  variation('states/settles-at-once', () => ({
    async response(response, { operation, method, path, headers }, backend) {
      if (operation !== 'getPayment') return;
      Object.assign(response, await readWhile('VERIFYING', () => backend.send({ method, path, headers }), response));
    },
  })),
  variation(
    'states/asks-twice',
    () => {
      const asked = new Set<string>();
      return {
        async request(request, backend) {
          const isOwn = request.headers['authorization'] === `Bearer ${backend.key}`;
          if (request.operation !== 'clarifyPayment' || !isOwn || asked.has(request.path)) return undefined;
          const payment = await readTarget(request, backend);
          const given = toObject(toObject(request.body)['clarify_data']);
          const names = Array.isArray(payment['clarify']) ? payment['clarify'].map(String) : [];
          const values = [...names.map((name) => given[name]), ...Object.values(given)];
          const isComplete = values.every((value) => typeof value === 'string' && /^[\w @.+-]{2,60}$/.test(value));
          const isValid = isComplete && String(given['email'] ?? '@').includes('@');
          if (!isValid || payment['status'] !== 'EXTRA_DATA_NEEDED') return undefined;
          asked.add(request.path);
          return { status: 200, headers: { 'content-type': 'application/json' }, body: payment };
        },
      };
    },
    { differs: ['response', 'bad-input/clarifyPayment', 'bad-request/clarifyPayment'] },
  ),
  variation('states/late', () => ({
    transaction(one, { on, kind, status }) {
      if (on === 'webhook' || kind !== 'payment' || status !== 'SUCCESS') return;
      if (Date.now() - Date.parse(String(one['finalized_at'])) > 300) return;
      without('amount_paid', 'finalized_at')(one);
      one['status'] = 'VERIFYING';
    },
    webhook(webhook) {
      webhook.delayMs += 500;
    },
  })),
  {
    ...responding('states/upi-link', 'createPayment', ({ body }) =>
      turned('redirect_url', (url) => String(url).replace('http://', 'upi://'))(toObject(body)),
    ),
    options: {
      driver: {
        ...gatewayDriver,
        pay: async (url, access) => gatewayDriver.pay?.(url.replace('upi://', 'http://'), access),
      },
    },
  },
  variation(
    'states/clarify-without-payment',
    () => {
      const nextForm = alternate<Partial<Outgoing>>([{ body: {} }, { status: 204, body: undefined }]);
      return {
        response(response, { operation }) {
          if (operation === 'clarifyPayment' && response.status === 200) Object.assign(response, nextForm());
        },
      };
    },
    { differs: ['replay/clarifyPayment', 'state', 'response', 'walk', 'consistency'] },
  ),
];

type Entry = { readonly available: number; readonly pending: number; readonly currency: string };

/** Whether the response has the balance of the merchant whose key the kit has. */
const isOwnBalance = ({ status }: Outgoing, { operation, headers }: Incoming, { key }: Backend): boolean =>
  operation === 'getBalance' && status === 200 && headers['authorization'] === `Bearer ${key}`;

const money: readonly Variation[] = [
  responding(
    'balance/other-form',
    'getBalance',
    (response) => {
      const { balances, merchant_id: id } = toObject(response.body);
      if (!Array.isArray(balances)) return;
      response.body = {
        balances: balances.toReversed(),
        merchant_id: 9_007_199_254_700_000 + Number(id),
        last_updated_at: '2026-01-01T00:00:00Z',
      };
    },
    ['money/last-updated'],
  ),
  variation('balance/only-used', () => {
    const used = new Set(['INR']);
    return {
      response(response, request, backend) {
        if (!isOwnBalance(response, request, backend)) return;
        const body = toObject(response.body);
        const entries = body['balances'] as unknown as Entry[];
        for (const { available, pending, currency } of entries) if (available + pending > 0) used.add(currency);
        response.body = { ...body, balances: entries.filter(({ currency }) => used.has(currency)) as unknown as Json };
      },
    };
  }),
  variation('balance/settles-later', () => ({ settlementMs: 400 })),
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
  variation('lookup/lags', () => {
    const created = new Map<string, number>();
    return {
      response(response, { operation, body, query }) {
        if (operation === 'createPayment') created.set(String(toObject(body)['merchant_order_id']), Date.now());
        const order = new URLSearchParams(query).get('merchant_order_id') ?? '';
        const isNew = Date.now() - (created.get(order) ?? 0) < 300;
        if (operation === 'findPayment' && isNew) Object.assign(response, problem(404));
      },
    };
  }),
];

export const meaning: readonly Variation[] = [...fields, ...states, ...money];
