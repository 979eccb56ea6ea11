/** Faults that only data of real customers show: large amounts, any text, one value in two places, requests at once. */
import { setImmediate } from 'node:timers/promises';
import { KINDS, OPERATION_NAMES } from '../../../../conformance/src/core/transactions.ts';
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Incoming, type Outgoing, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, conflict, defect, delivering, json, refused, responding, row, shown, turned } from './build.ts';
import { balances, plus } from './money.ts';

const readOrder = (body: unknown) => String(toObject(body as JsonObject)['merchant_order_id']);

/** Shows another amount. */
function amount(name: string, check: string, turn: (value: number) => number): Defect {
  return shown(
    row(`customers/amount/${name}`, `amount/${check}`),
    {},
    turned('amount', (value) => turn(Number(value))),
  );
}

const amounts: readonly Defect[] = [
  amount('signed-32', 'createPayment/2147483648', (value) => Math.min(value, 2 ** 31 - 1)),
  amount('unsigned-32', 'createPayout/4294967296', (value) => value % 2 ** 32 || 1),
  amount('float-32', 'createPayment/16777217', Math.fround),
  amount('rounded', 'createPayout/9007199254740991', (value) => Math.floor(value / 2) * 2 || 1),
  asking(
    row('customers/amount/largest-refused', 'amount/createPayment/9007199254740991', 'differs'),
    'createPayment',
    ({ body }) => (toObject(body)['amount'] === Number.MAX_SAFE_INTEGER ? refused() : undefined),
  ),
];

/** Shows a wrong order ID. */
function order(name: string, check: string, turn: (value: string) => string): Defect {
  return shown(
    row(`customers/text/${name}`, `text/${check}`),
    {},
    turned('merchant_order_id', (value) => turn(String(value))),
  );
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const isPlain = (text: string) => Array.from(text).every((character) => character <= '~');

/** Refuses requests with text outside ASCII. */
function ascii(operation: string, check: string): Defect {
  return asking(row(`customers/text/ascii-${operation}`, `text/${check}`, 'differs'), operation, ({ body }) =>
    isPlain(JSON.stringify(body) ?? '') ? undefined : refused(),
  );
}

/** Treats similar order IDs as equal. */
function loose(name: string, operation: string, fold: (value: string) => string): Defect {
  return defect(row(`customers/text/loose-${name}`, `text/${operation}/differing-${name}`, 'differs'), () => {
    const seen = new Map<string, string>();
    return {
      request({ operation: asked, body }) {
        if (asked !== operation) return undefined;
        const given = readOrder(body);
        const first = seen.get(fold(given)) ?? given;
        seen.set(fold(given), first);
        return first === given ? undefined : conflict();
      },
    };
  });
}

const texts: readonly Defect[] = [
  order('normalized', 'createPayment/decomposed', (text) => text.normalize('NFC')),
  order('trimmed', 'createPayment/spaces', (text) => text.trim()),
  order('escaped', 'createPayout/html', escaped),
  order('cut', 'createPayout/longest', (text) => text.slice(0, 100)),
  order('without-emoji', 'createPayment/emoji', (text) => text.replace(/[^\0-\uffff]/gu, '?')),
  order('upper-case', 'createPayout/capitals-and-digits', (text) => text.toUpperCase()),
  ascii('createPayment', 'createPayment/devanagari'),
  ascii('createPayout', 'createPayout/right-to-left'),
  ascii('clarifyPayment', 'confirmPayment/composed'),
  ascii('confirmPayment', 'confirmPayment/devanagari'),
  loose('case', 'createPayment', (text) => text.toLowerCase()),
  loose('trailing-space', 'createPayout', (text) => text.trim()),
  loose('normalization', 'createPayment', (text) => text.normalize('NFC')),
  loose('accent', 'createPayout', (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  loose('emoji', 'createPayment', (text) => text.replaceAll(/[^\0-\uffff]/gu, '?')),
  loose('leading-zero', 'createPayout', (text) => (/^\d+$/.test(text) ? text.replace(/^0+/, '') : text)),
  asking(
    row('customers/text/closed-methods', 'text/createPayment/unknown-method', 'differs'),
    'createPayment',
    ({ body }) => (String(toObject(body)['payment_method_type']).startsWith('METHOD_') ? refused() : undefined),
  ),
];

/** Customers' IDs are taken if they are plain. */
const identifiers: readonly Defect[] = KINDS.map((kind) => {
  const operation = OPERATION_NAMES[kind].create;
  const found = row(`customers/text/plain-customers-${kind}`, `text/${operation}/customer-id`, 'differs');
  return asking(found, operation, ({ body }) =>
    /^[\w-]*$/.test(String(toObject(toObject(body)['customer'])['id'])) ? undefined : refused(),
  );
});

const findPayoutId = (text: string) => /out_[A-Za-z0-9_-]+/.exec(text)?.[0];

const lookups: readonly Defect[] = [
  asking(
    row('customers/lookup/payout-as-payment', 'lookup/getPayment/other-kind', 'differs'),
    'getPayment',
    (request) => {
      const id = findPayoutId(request.path);
      if (id !== undefined) request.path = `/payouts/${id}`;
    },
  ),
  asking(row('customers/lookup/payout-found', 'lookup/findPayment/other-kind', 'differs'), 'findPayment', (request) => {
    const id = findPayoutId(request.query);
    if (id !== undefined) Object.assign(request, { path: `/payouts/${id}`, query: '' });
  }),
  defect(row('customers/lookup/one-space-of-orders', 'lookup/one-order-id', 'differs'), () => {
    const seen = new Set<string>();
    return {
      request({ operation, body }) {
        if (operation === 'createPayout' && seen.has(readOrder(body))) return conflict();
        if (operation === 'createPayment') seen.add(readOrder(body));
        return undefined;
      },
    };
  }),
  defect(row('customers/lookup/cached', 'lookup/findPayment/before-and-after'), () => {
    const kept = new Map<string, Outgoing>();
    return {
      response(response, { operation, query }) {
        if (operation !== 'findPayment') return;
        Object.assign(response, kept.get(query) ?? response);
        kept.set(query, { ...response });
      },
    };
  }),
  asking(
    row('customers/lookup/last-of-two', 'bad-request/findPayment/transaction_id-twice', 'differs'),
    'findPayment',
    (request) => {
      request.query = `?${new URLSearchParams(Object.fromEntries(new URLSearchParams(request.query)))}`;
    },
  ),
];

const TURNS_MAX = 100_000;

/** Carries out an action again that meets another. */
function twice(operation: string): Defect {
  return defect(row(`customers/race/${operation}`, `race/${operation}`, 'differs'), () => {
    const first = new Map<string, Outgoing>();
    return {
      async response(response, request) {
        if (request.operation !== operation) return;
        if (response.status < 300) first.set(request.path, { ...response });
        // The successful request can respond after the refused ones.
        for (let turn = 0; turn < TURNS_MAX && !first.has(request.path); turn += 1) await setImmediate();
        Object.assign(response, first.get(request.path));
      },
    };
  });
}

const races: readonly Defect[] = [
  twice('confirmPayment'),
  twice('clarifyPayment'),
  responding(row('customers/race/lookup-fails', 'race/findPayment'), 'findPayment', (response) => {
    if (response.status === 404) Object.assign(response, json(500, { title: 'Internal error', status: 500 }));
  }),
];

/** The requested amount is credited instead of the paid one. */
const requested: Parameters<typeof balances>[2] = (entry, books) => {
  const paid = books.final('payment', 'SUCCESS', entry.currency, 'amount_paid');
  return plus(entry, books.final('payment', 'SUCCESS', entry.currency) - paid);
};

const wallets: readonly Defect[] = [
  balances('requested-amount', 'wallet/INR/payments', requested, 'differs'),
  balances('requested-larger-amount', 'wallet/EGP/payments', requested),
  balances(
    'late-decline-credited',
    'wallet/DZD/payments',
    (entry, books) => plus(entry, books.final('payment', 'FAILED', entry.currency)),
    'differs',
  ),
  balances('failed-payout-kept', 'wallet/MAD/payouts', (entry, books) =>
    plus(entry, -2 * books.final('payout', 'FAILED', entry.currency)),
  ),
  balances('other-currency', 'wallet/MAD/payments', (entry, books) => {
    const moved = books.final('payment', 'SUCCESS', 'MAD', 'amount_paid');
    return plus(entry, { MAD: -moved, DZD: moved }[entry.currency] ?? 0);
  }),
  balances('rest', 'wallet/DZD/payouts', ({ available }) => (available === 1 ? { available: 0 } : {}), 'differs'),
  balances(
    'in-flight',
    'wallet/INR/payouts',
    (entry, books) => plus(entry, books.paidOut(entry.currency) - books.final('payout', 'SUCCESS', entry.currency)),
    'differs',
  ),
].map((one) => ({ ...one, id: one.id.replace('money/balance', 'customers/wallet') }));

const RETRY_MS = 3_000;

const deliveries: readonly Defect[] = [
  defect(row('customers/webhook/every-other', 'webhook/every-status'), () => {
    let count = 0;
    return {
      webhook: ({ body }) => {
        if ('payment_method' in body || 'payment_method_type' in body) return undefined;
        count += 1;
        return count % 2 === 0 ? [] : undefined;
      },
    };
  }),
  delivering(row('customers/webhook/other-amount', 'webhook/echo'), {}, (webhook) => {
    webhook.body['amount'] = Number(webhook.body['amount']) + 1;
  }),
  delivering(row('customers/webhook/foreign-field', 'webhook/same-fields'), { status: 'FAILED' }, (webhook) => {
    webhook.body['confirm'] = ['tid'];
  }),
  delivering(
    row('customers/webhook/old-timestamp', 'webhook/retry-timestamp', 'differs', {
      only: ['webhook/retry/500', 'webhook/retry-timestamp'],
    }),
    {},
    (webhook) => {
      const { headers } = webhook;
      let first: Record<string, string> | undefined;
      // Signed within a second, the timestamps of valid attempts are the same too.
      webhook.retryMs = (status) => (status < 300 ? undefined : RETRY_MS);
      webhook.headers = (signed) => {
        first ??= headers(signed);
        return first;
      };
    },
  ),
  defect(row('customers/webhook/early', 'webhook/on-arrival/paymentFailed'), () => {
    const notified = new Map<string, number>();
    const BEHIND_MS = 1_000;
    return {
      transaction(payment, { on, status }) {
        const id = String(payment['transaction_id']);
        if (on === 'webhook') notified.set(id, Date.now());
        const behind = Date.now() - (notified.get(id) ?? Date.now()) < BEHIND_MS;
        if (on !== 'getPayment' || status !== 'FAILED' || !behind) return;
        for (const field of ['finalized_at', 'decline_reason']) delete payment[field];
        payment['status'] = 'CREATED';
      },
    };
  }),
];

/** Finds by the beginning of an ID or order ID. */
const prefixes = (['getPayment', 'getPayout', 'findPayment'] as const).map((operation) =>
  defect(row(`customers/lookup/prefix-${operation}`, `lookup/${operation}/exact`), () => {
    const known = new Set<string>();
    const complete = (given: string) => [...known].find((one) => one.length > 8 && one.startsWith(given)) ?? given;
    return {
      request(request) {
        if (request.operation === 'findPayment' && operation === 'findPayment') {
          const parameters = [...new URLSearchParams(request.query)].map(
            ([name, value]) => [name, complete(value)] as [string, string],
          );
          request.query = `?${new URLSearchParams(parameters)}`;
        } else if (request.operation === operation) {
          request.path = request.path.replace(/[^/]+$/, complete);
        }
      },
      transaction(transaction) {
        known.add(String(transaction['transaction_id']));
        known.add(String(transaction['merchant_order_id']));
      },
    };
  }),
);

/** Refuses creations in which the test finds something. */
function refusing(form: string, status: number, found: (request: Incoming) => boolean): Defect[] {
  return KINDS.map((kind) => OPERATION_NAMES[kind].create).map((operation) =>
    asking(row(`customers/form/${operation}-${form}`, `form/${operation}/${form}`, 'differs'), operation, (request) =>
      found(request) ? json(status, { title: 'Bad request', status, request_id: 'req_trial' }) : undefined,
    ),
  );
}

const written = (pattern: RegExp) => (request: Incoming) => pattern.test(request.bytes.toString());
const readMethod = ({ body }: Incoming) => String(toObject(body)['payment_method_type']);

const refusals: readonly Defect[] = [
  ...refusing('amount-with-zeros', 400, written(/"amount":\d+\.0/)),
  ...refusing('amount-with-exponent', 400, written(/"amount":\d+e/)),
  ...refusing('charset', 415, ({ headers }) => (headers['content-type'] ?? '').includes(';')),
  ...refusing('scheme', 401, ({ headers }) => (headers['authorization'] ?? '').startsWith('bearer')),
  ...refusing('contact', 400, written(/"email":"[^"]*\+/)),
  ...refusing('method-constructor', 500, (request) => readMethod(request) in {}),
];

export const customers: readonly Defect[] = [
  ...amounts,
  ...texts,
  ...identifiers,
  ...lookups,
  ...prefixes,
  ...races,
  ...wallets,
  ...refusals,
  ...deliveries,
];
