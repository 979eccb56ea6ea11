/** Faults that only data of real customers show: large amounts, any text, one value in two places, requests at once. */
import { setImmediate } from 'node:timers/promises';
import { KINDS, OPERATION_NAMES } from '../../../../conformance/src/core/tracked.ts';
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Outgoing, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, conflict, defect, delivering, json, refused, responding, shown, turned } from './build.ts';
import { balances, plus } from './money.ts';

const DIFFERS = { verdict: 'differs' } as const;
const readOrder = (body: unknown) => String(toObject(body as JsonObject)['merchant_order_id']);

/** Shows another amount. */
function amount(name: string, title: string, check: string, turn: (value: number) => number): Defect {
  const row = { id: `customers/amount/${name}`, title, foundBy: `amount/${check}` };
  return shown(
    row,
    {},
    turned('amount', (value) => turn(Number(value))),
  );
}

const amounts: readonly Defect[] = [
  amount('signed-32', 'amounts end at 2^31', 'createPayment/2147483648', (value) => Math.min(value, 2 ** 31 - 1)),
  amount('unsigned-32', 'amounts wrap at 2^32', 'createPayout/4294967296', (value) => value % 2 ** 32 || 1),
  amount('float-32', 'amounts are floats of 32 bits', 'createPayment/16777217', Math.fround),
  amount(
    'rounded',
    'large amounts are rounded',
    'createPayout/9007199254740991',
    (value) => Math.floor(value / 2) * 2 || 1,
  ),
  asking(
    {
      id: 'customers/amount/largest-refused',
      title: 'the largest amount gets 400',
      ...DIFFERS,
      foundBy: 'amount/createPayment/9007199254740991',
    },
    'createPayment',
    ({ body }) => (toObject(body)['amount'] === Number.MAX_SAFE_INTEGER ? refused() : undefined),
  ),
];

/** Shows a wrong order ID. */
function order(name: string, title: string, check: string, turn: (value: string) => string): Defect {
  const row = { id: `customers/text/${name}`, title, foundBy: `text/${check}` };
  return shown(
    row,
    {},
    turned('merchant_order_id', (value) => turn(String(value))),
  );
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const isPlain = (text: string) => Array.from(text).every((character) => character <= '~');

/** Refuses requests with text outside ASCII. */
function ascii(operation: string, check: string): Defect {
  const row = { id: `customers/text/ascii-${operation}`, title: `${operation} takes ASCII only`, ...DIFFERS };
  return asking({ ...row, foundBy: `text/${check}` }, operation, ({ body }) =>
    isPlain(JSON.stringify(body) ?? '') ? undefined : refused(),
  );
}

/** Treats similar order IDs as equal. */
function loose(name: string, operation: string, fold: (value: string) => string): Defect {
  const row = { id: `customers/text/loose-${name}`, title: `order IDs are compared without their ${name}`, ...DIFFERS };
  return defect({ ...row, foundBy: `text/${operation}/differing-${name}` }, () => {
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
  order('normalized', 'order IDs are normalized', 'createPayment/decomposed', (text) => text.normalize('NFC')),
  order('trimmed', 'order IDs are trimmed', 'createPayment/spaces', (text) => text.trim()),
  order('escaped', 'order IDs are escaped for HTML', 'createPayout/html', escaped),
  order('cut', 'order IDs are cut off', 'createPayout/longest', (text) => text.slice(0, 100)),
  order('without-emoji', 'characters beyond 16 bits are lost', 'createPayment/emoji', (text) =>
    text.replace(/[^\0-\uffff]/gu, '?'),
  ),
  order('upper-case', 'order IDs are written in capitals', 'createPayout/capitals-and-digits', (text) =>
    text.toUpperCase(),
  ),
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
    {
      id: 'customers/text/closed-methods',
      title: 'an unknown method gets 400',
      ...DIFFERS,
      foundBy: 'text/createPayment/unknown-method',
    },
    'createPayment',
    ({ body }) => (String(toObject(body)['payment_method_type']).startsWith('METHOD_') ? refused() : undefined),
  ),
];

/** Customers' IDs are taken if they are plain. */
const identifiers: readonly Defect[] = KINDS.map((kind) => {
  const operation = OPERATION_NAMES[kind].create;
  const row = {
    id: `customers/text/plain-customers-${kind}`,
    title: 'IDs of customers can have letters and digits only',
  };
  return asking({ ...row, ...DIFFERS, foundBy: `text/${operation}/customer-id` }, operation, ({ body }) =>
    /^[\w-]*$/.test(String(toObject(toObject(body)['customer'])['id'])) ? undefined : refused(),
  );
});

const findPayoutId = (text: string) => /out_[A-Za-z0-9_-]+/.exec(text)?.[0];

const lookups: readonly Defect[] = [
  asking(
    {
      id: 'customers/lookup/payout-as-payment',
      title: 'getPayment returns payouts',
      ...DIFFERS,
      foundBy: 'lookup/getPayment/other-kind',
    },
    'getPayment',
    (request) => {
      const id = findPayoutId(request.path);
      if (id !== undefined) request.path = `/payouts/${id}`;
      return undefined;
    },
  ),
  asking(
    {
      id: 'customers/lookup/payout-found',
      title: 'findPayment finds payouts',
      ...DIFFERS,
      foundBy: 'lookup/findPayment/other-kind',
    },
    'findPayment',
    (request) => {
      const id = findPayoutId(request.query);
      if (id !== undefined) Object.assign(request, { path: `/payouts/${id}`, query: '' });
      return undefined;
    },
  ),
  defect(
    {
      id: 'customers/lookup/one-space-of-orders',
      title: 'payments and payouts share order IDs',
      ...DIFFERS,
      foundBy: 'lookup/one-order-id',
    },
    () => {
      const seen = new Set<string>();
      return {
        request({ operation, body }) {
          if (operation === 'createPayout' && seen.has(readOrder(body))) return conflict();
          if (operation === 'createPayment') seen.add(readOrder(body));
          return undefined;
        },
      };
    },
  ),
  defect(
    {
      id: 'customers/lookup/cached',
      title: 'findPayment keeps what it has not found',
      foundBy: 'lookup/findPayment/before-and-after',
    },
    () => {
      const kept = new Map<string, Outgoing>();
      return {
        response(response, { operation, query }) {
          if (operation !== 'findPayment') return;
          Object.assign(response, kept.get(query) ?? response);
          kept.set(query, { ...response });
        },
      };
    },
  ),
  asking(
    {
      id: 'customers/lookup/last-of-two',
      title: 'of two equal parameters the last one counts',
      ...DIFFERS,
      foundBy: 'bad-request/findPayment/transaction_id-twice',
    },
    'findPayment',
    (request) => {
      request.query = `?${new URLSearchParams(Object.fromEntries(new URLSearchParams(request.query)))}`;
      return undefined;
    },
  ),
  ...(['findPayment', 'getBalance'] as const).map((operation) =>
    defect(
      {
        ...{ id: `customers/isolation/${operation}`, title: `${operation} returns the first merchant's` },
        foundBy: operation === 'findPayment' ? 'isolation/findPayment/by-order-id' : 'isolation/getBalance',
      },
      () => ({
        request(request, { key }) {
          if (request.operation === operation) request.headers['authorization'] = `Bearer ${key}`;
          return undefined;
        },
      }),
    ),
  ),
];

const TURNS_MAX = 100_000;

/** Carries out an action again that meets another. */
function twice(operation: string): Defect {
  const row = { id: `customers/race/${operation}`, title: `${operation} succeeds several times at once`, ...DIFFERS };
  return defect({ ...row, foundBy: `race/${operation}` }, () => {
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
  responding(
    { id: 'customers/race/lookup-fails', title: 'a lookup during the creation fails', foundBy: 'race/findPayment' },
    'findPayment',
    (response) => {
      if (response.status === 404) Object.assign(response, json(500, { title: 'Internal error', status: 500 }));
    },
  ),
];

const wallets: readonly Defect[] = [
  balances(
    'requested-amount',
    'the requested amount is credited instead of the confirmed one',
    'wallet/INR/payments',
    (entry, books) =>
      plus(
        entry,
        books.final('payment', 'SUCCESS', entry.currency) -
          books.final('payment', 'SUCCESS', entry.currency, 'amount_paid'),
      ),
    'differs',
  ),
  balances(
    'other-currency',
    'payments of one currency are credited to another',
    'wallet/MAD/payments',
    (entry, books) => {
      const moved = books.final('payment', 'SUCCESS', 'MAD', 'amount_paid');
      return plus(entry, { MAD: -moved, DZD: moved }[entry.currency] ?? 0);
    },
  ),
  balances(
    'rest',
    'a rest of one unit is not shown',
    'wallet/DZD/payouts',
    ({ available }) => (available === 1 ? { available: 0 } : {}),
    'differs',
  ),
  balances(
    'in-flight',
    'a payout in flight is still available',
    'wallet/INR/payouts',
    (entry, books) => plus(entry, books.paidOut(entry.currency) - books.final('payout', 'SUCCESS', entry.currency)),
    'differs',
  ),
].map((one) => ({ ...one, id: one.id.replace('money/balance', 'customers/wallet') }));

const RETRY_MS = 3_000;

const deliveries: readonly Defect[] = [
  defect(
    {
      id: 'customers/webhook/every-other',
      title: 'every other event of a payout is not sent',
      foundBy: 'webhook/every-status',
    },
    () => {
      let count = 0;
      return {
        webhook: ({ body }) => {
          if ('payment_method' in body || 'payment_method_type' in body) return undefined;
          count += 1;
          return count % 2 === 0 ? [] : undefined;
        },
      };
    },
  ),
  delivering(
    { id: 'customers/webhook/other-amount', title: 'webhooks have another amount', foundBy: 'webhook/echo' },
    {},
    (webhook) => {
      webhook.body['amount'] = Number(webhook.body['amount']) + 1;
      return undefined;
    },
  ),
  delivering(
    {
      id: 'customers/webhook/foreign-field',
      title: 'webhooks have a field of another status',
      foundBy: 'webhook/same-fields',
    },
    { status: 'FAILED' },
    (webhook) => {
      webhook.body['confirm'] = ['tid'];
      return undefined;
    },
  ),
  delivering(
    {
      id: 'customers/webhook/query-lost',
      title: 'the query of the callback address is lost',
      foundBy: 'webhook/callback-query',
    },
    {},
    (webhook) => {
      webhook.url = webhook.url.split('?')[0] ?? '';
      return undefined;
    },
  ),
  delivering(
    {
      id: 'customers/webhook/old-timestamp',
      title: 'attempts keep the first timestamp',
      ...DIFFERS,
      foundBy: 'webhook/retry-timestamp',
      options: { only: ['webhook/retry/500', 'webhook/retry-timestamp'] },
    },
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
      return undefined;
    },
  ),
  defect(
    {
      id: 'customers/webhook/early',
      title: 'webhooks are sent before the status is there',
      foundBy: 'webhook/on-arrival/paymentFailed',
    },
    () => {
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
    },
  ),
];

export const customers: readonly Defect[] = [
  ...amounts,
  ...texts,
  ...identifiers,
  ...lookups,
  ...races,
  ...wallets,
  ...deliveries,
];
