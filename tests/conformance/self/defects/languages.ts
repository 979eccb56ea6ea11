/** Mistakes that a language, a framework, a cache or a database makes easy. */
import type { Json } from '../../../../contract/src/model.ts';
import { type Incoming, type Outgoing, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import {
  asking,
  defect,
  delivering,
  failed,
  json,
  refused,
  responding,
  rows,
  shown,
  turned,
  unknown,
} from './build.ts';

const CREATIONS = ['createPayment', 'createPayout'];

const row = rows('languages');

function earlierMonth(time: Json): Json {
  const date = new Date(String(time));
  date.setUTCMonth(date.getUTCMonth() - 1);
  return date.toISOString();
}

const times: readonly Defect[] = [
  shown(
    row('minutes', 'finalized_at is cut to the minute', 'consistency/payment/finalized_at'),
    { status: ['SUCCESS', 'FAILED'] },
    turned('finalized_at', (time) => String(time).replace(/:\d\d(\.\d+)?Z$/, ':00Z')),
  ),
  shown(row('month-from-zero', 'months count from zero', 'consistency/payment/clock'), {}, (one) => {
    for (const name of ['created_at', 'finalized_at']) turned(name, earlierMonth)(one);
  }),
  shown(
    row('zone-without-colon', 'times end with +0000', 'response/createPayment/timestamps', 'differs'),
    { on: 'createPayment' },
    turned('created_at', (time) => String(time).replace('Z', '+0000')),
  ),
];

const CACHED_MS = 5_000;

/** Repeats a response for some seconds to requests with the same cache key. */
function cached(given: ReturnType<typeof row>, on: readonly string[], key: (request: Incoming) => string): Defect {
  return defect(given, () => {
    const kept = new Map<string, { readonly at: number; readonly outgoing: Outgoing }>();
    return {
      response(response, request) {
        if (!on.includes(request.operation) || response.status >= 300) return;
        const known = kept.get(key(request));
        if (known && Date.now() - known.at < CACHED_MS) Object.assign(response, structuredClone(known.outgoing));
        else kept.set(key(request), { at: Date.now(), outgoing: structuredClone(response) });
      },
    };
  });
}

const caches: readonly Defect[] = [
  cached(
    row('cached-for-all', 'the balance is cached without regard to the key', 'isolation/getBalance'),
    ['getBalance'],
    ({ path }) => path,
  ),
  cached(
    row('cached-reads', 'payments are cached for 5 s', 'webhook/on-arrival/paymentSucceeded'),
    ['getPayment', 'findPayment'],
    ({ path, query }) => path + query,
  ),
];

const readQuery = (request: Incoming) => new URLSearchParams(request.query);

function toQuery(values: Record<string, string>): string {
  return `?${new URLSearchParams(values)}`;
}

const lookups: readonly Defect[] = [
  defect(row('wildcards', 'findPayment compares order ids with LIKE', 'lookup/findPayment/exact'), () => {
    const known: string[] = [];
    return {
      request(request) {
        if (request.operation === 'createPayment') known.push(String(toObject(request.body)['merchant_order_id']));
        const order = readQuery(request).get('merchant_order_id');
        if (request.operation !== 'findPayment' || !order?.endsWith('%')) return undefined;
        const found = known.find((one) => one.startsWith(order.slice(0, -1)));
        if (found !== undefined) request.query = toQuery({ merchant_order_id: found });
        return undefined;
      },
    };
  }),
  defect(
    row(
      'no-parameter',
      'findPayment without a parameter returns a payment',
      'bad-request/findPayment/no-parameter',
      'differs',
    ),
    () => {
      let last = '';
      return {
        request(request) {
          if (request.operation === 'createPayment') last = String(toObject(request.body)['merchant_order_id']);
          if (request.operation === 'findPayment' && request.query.length < 2)
            request.query = toQuery({ merchant_order_id: last });
          return undefined;
        },
      };
    },
  ),
  asking(
    row(
      'either-parameter',
      'findPayment with both parameters uses one',
      'bad-request/findPayment/both-parameters',
      'differs',
    ),
    'findPayment',
    (request) => {
      const id = readQuery(request).get('transaction_id');
      if (id !== null && readQuery(request).has('merchant_order_id')) request.query = toQuery({ transaction_id: id });
      return undefined;
    },
  ),
  asking(
    row('decoded-twice', 'parameters are decoded twice', 'text/createPayment/differing-percent'),
    'findPayment',
    (request) => {
      const order = readQuery(request).get('merchant_order_id');
      try {
        if (order !== null) request.query = toQuery({ merchant_order_id: decodeURIComponent(order) });
      } catch {
        // An invalid escape is not decoded again.
      }
      return undefined;
    },
  ),
];

const http: readonly Defect[] = [
  defect(row('byte-order-mark', 'bodies begin with a byte order mark', 'replay/getBalance'), () => ({
    response(response) {
      if (response.body !== undefined) response.text = `\ufeff${JSON.stringify(response.body)}`;
    },
  })),
  defect(
    row('key-in-any-case', 'API keys are compared without case', 'access/getBalance/other-case-key', 'differs'),
    () => ({
      request({ headers }, { key }) {
        const given = headers['authorization'] ?? '';
        if (given.toLowerCase() === `bearer ${key.toLowerCase()}`) headers['authorization'] = `Bearer ${key}`;
        return undefined;
      },
    }),
  ),
  defect(row('repeat-is-200', 'a repeated createPayout returns 200', 'repeat/payout/same', 'differs'), () => {
    const created = new Set<Json>();
    return {
      response(response, { operation }) {
        const id = toObject(response.body)['transaction_id'];
        if (operation !== 'createPayout' || id === undefined) return;
        if (created.has(id)) response.status = 200;
        created.add(id);
      },
    };
  }),
  defect(row('shared-field', 'requests at the same time share a field', 'replay/createPayment'), () => {
    let amount: Json = 0;
    return {
      request({ operation, body }) {
        if (operation === 'createPayment') amount = toObject(body)['amount'] ?? 0;
        return undefined;
      },
      response(response, { operation }) {
        const body = toObject(response.body);
        if (operation === 'createPayment' && 'amount' in body) response.body = { ...body, amount };
      },
    };
  }),
];

const webhooks: readonly Defect[] = [
  delivering(
    {
      ...row('ascii-signature', 'webhooks are signed in ASCII', 'webhook/signature', 'differs'),
      options: { only: ['webhook/signature', 'text/createPayment/emoji'] },
    },
    {},
    (webhook) => {
      const { headers } = webhook;
      webhook.headers = (signed) => headers({ ...signed, text: signed.text.replaceAll(/[^\0-\x7f]/g, '?') });
      return undefined;
    },
  ),
  delivering(
    row('decoded-callback', 'the query of the callback address is decoded', 'webhook/callback-query'),
    {},
    (webhook) => {
      const [path, search] = webhook.url.split('?');
      if (search !== undefined) webhook.url = `${path}?${decodeURIComponent(search)}`;
      return undefined;
    },
  ),
  delivering(
    {
      ...row('retried-with-news', 'a retried webhook has another body under the same id', 'webhook/same-as-status'),
      options: { only: ['webhook/same-as-status', 'webhook/retry/500'] },
    },
    {},
    (webhook) => {
      const { retryMs } = webhook;
      webhook.retryMs = (status, attempt) => {
        webhook.body['created_at'] = new Date().toISOString();
        return retryMs(status, attempt);
      };
      return undefined;
    },
  ),
  defect(row('shared-callback', 'all webhooks go to the last callback_url', 'webhook/arrives'), () => {
    let last: string | undefined;
    return {
      webhook(webhook) {
        last ??= webhook.url;
        const [here, other] = [webhook.url, last];
        last = here;
        webhook.url = other;
        return undefined;
      },
    };
  }),
];

const utf8AsLatin1 = (text: Json): Json => Buffer.from(String(text)).toString('latin1');

const serialized: readonly Defect[] = [
  responding(
    row('omitted-zero', 'amounts of zero are left out of the balance (Go)', 'replay/getBalance'),
    'getBalance',
    (one) => {
      const balances = toObject(one.body)['balances'];
      for (const entry of Array.isArray(balances) ? balances : []) {
        const wallet = toObject(entry);
        for (const name of ['available', 'pending']) if (wallet[name] === 0) delete wallet[name];
      }
    },
  ),
  shown(
    row('local-offset', 'finalized_at has the offset of India (Python, Go)', 'response/getPayment/timestamps'),
    {},
    turned('finalized_at', (time) =>
      new Date(Date.parse(String(time)) + 19_800_000).toISOString().replace('Z', '+05:30'),
    ),
  ),
  shown(
    row(
      'lost-precision',
      'created_at loses its fraction in the database (MySQL DATETIME)',
      'consistency/payment/created_at',
    ),
    { on: ['getPayment', 'findPayment', 'webhook'], kind: 'payment' },
    turned('created_at', (time) => String(time).replace(/\.\d+Z$/, 'Z')),
  ),
  shown(
    row('no-zone-in-webhooks', 'times in webhooks have no zone (.NET DateTime)', 'webhook/arrives', 'differs'),
    { on: 'webhook' },
    turned('created_at', (time) => String(time).replace('Z', '')),
  ),
  shown(
    row(
      'large-as-text',
      'amounts beyond 32 bits are strings (node-postgres bigint)',
      'amount/createPayment/4294967296',
    ),
    {},
    turned('amount', (amount) => (Number(amount) > 2 ** 31 ? String(amount) : amount)),
  ),
  shown(
    row(
      'numeric-text',
      'order IDs of digits are numbers (PHP JSON_NUMERIC_CHECK)',
      'text/createPayment/differing-leading-zero',
    ),
    {},
    turned('merchant_order_id', (order) => (/^\d{1,15}$/.test(String(order)) ? Number(order) : order)),
  ),
  shown(
    row('encoded-twice', 'webhooks are encoded as UTF-8 twice (PHP utf8_encode)'),
    { on: 'webhook' },
    turned('merchant_order_id', utf8AsLatin1),
  ),
  shown(
    row('upper-case-method', 'payment methods are an enum in capitals', 'form/createPayment/method-constructor'),
    {},
    turned('payment_method_type', (method) => String(method).toUpperCase()),
  ),
  shown(
    row(
      'lower-case-reasons',
      'decline reasons are written in lower case',
      'consistency/payment/decline_reason',
      'differs',
    ),
    { status: 'FAILED' },
    turned('decline_reason', (reason) => String(reason).toLowerCase()),
  ),
  defect(row('shared-default', 'available_amounts is one list for all payments (Python default argument)'), () => {
    const amounts = new Set<Json>();
    return {
      transaction(payment) {
        const data = toObject(payment['pay_data']);
        if (!Array.isArray(data['available_amounts'])) return;
        for (const one of data['available_amounts']) amounts.add(one);
        data['available_amounts'] = [...amounts];
      },
    };
  }),
  responding(
    {
      ...row('local-balance-time', 'last_updated_at is local time with a Z', 'money/last-updated'),
      options: { only: ['money/last-updated', 'state/payment/h2h/SUCCESS'] },
    },
    'getBalance',
    (response) => {
      const body = toObject(response.body);
      const shifted = (time: Json) => new Date(Date.parse(String(time)) + 19_800_000).toISOString();
      if (response.status === 200) turned('last_updated_at', shifted)(body);
    },
  ),
  defect(
    row('one-request-id', 'every response has the same X-Request-Id', 'response/getBalance/headers', 'differs'),
    () => ({
      response(response) {
        if ('x-request-id' in response.headers) response.headers['x-request-id'] = 'req_1';
        const body = toObject(response.body);
        if ('request_id' in body) body['request_id'] = 'req_1';
      },
    }),
  ),
  defect(row('xml', 'a request that accepts XML gets XML (Spring)', 'form/createPayment/accepts-all'), () => ({
    response(response, { headers }) {
      if (!/xml/.test(headers['accept'] ?? '')) return;
      response.headers['content-type'] = 'application/xml';
      response.text = '<response/>';
    },
  })),
];

const parsed: readonly Defect[] = [
  asking(
    row('null-body', 'the body null fails (Express)', 'bad-input/createPayment/body/null'),
    CREATIONS,
    ({ bytes }) => (bytes.toString() === 'null' ? failed() : undefined),
  ),
  asking(
    row(
      'unknown-nested',
      'unknown members of a customer are dropped (Rails)',
      'bad-input/createPayment/customer',
      'differs',
    ),
    CREATIONS,
    (request) => {
      const body = toObject(request.body);
      const customer = toObject(body['customer']);
      const extra = Object.keys(customer).filter((name) => /unknown/.test(name));
      if (extra.length === 0) return undefined;
      for (const name of extra) delete customer[name];
      rewrite(request, body);
      return undefined;
    },
  ),
  asking(
    row('blank', 'text of spaces counts as missing (Rails blank?)', 'text/createPayment/blank', 'differs'),
    CREATIONS,
    ({ body }) => (hasText(body, (text) => text !== '' && text.trim() === '') ? refused() : undefined),
  ),
  asking(
    row('null-text', 'the text "null" counts as missing', 'text/createPayout/null', 'differs'),
    CREATIONS,
    ({ body }) => (hasText(body, (text) => /^(null|undefined|none)$/i.test(text)) ? refused() : undefined),
  ),
  asking(
    row('closed-levels', 'an unknown KYC level gets 400 (Java enum)', 'text/createPayment/right-to-left', 'differs'),
    'createPayment',
    ({ body }) => {
      const level = toObject(toObject(body)['customer'])['kyc_level'];
      return typeof level === 'string' && level !== 'TRUSTED' ? refused() : undefined;
    },
  ),
  asking(
    row('media-type-case', 'a media type in capitals gets 415', 'form/createPayment/media-type-case', 'differs'),
    CREATIONS,
    ({ headers }) =>
      /[A-Z]/.test((headers['content-type'] ?? '').split(';')[0] ?? '')
        ? json(415, { title: 'Unsupported media type', status: 415 })
        : undefined,
  ),
  defect(
    row('chunked', 'a body without Content-Length is empty (Python)', 'form/createPayment/chunked', 'differs'),
    () => ({
      request(request) {
        if (request.headers['transfer-encoding'] !== undefined) request.bytes = Buffer.alloc(0);
        return undefined;
      },
    }),
  ),
  asking(
    row('large-body', 'a body of 500 kB fails', 'bad-request/createPayment/large-body', 'differs'),
    CREATIONS,
    ({ bytes }) => (bytes.length > 100_000 ? failed() : undefined),
  ),
  defect(
    row(
      'basic-key',
      'the key is also taken as a user name (Stripe-like libraries)',
      'access/getBalance/user-name',
      'differs',
    ),
    () => ({
      request(request, { key }) {
        const [, text = ''] = /^Basic (.+)$/.exec(request.headers['authorization'] ?? '') ?? [];
        if (Buffer.from(text, 'base64').toString().replace(/:$/, '') === key)
          request.headers['authorization'] = `Bearer ${key}`;
        return undefined;
      },
    }),
  ),
  defect(
    row('lookup-before-key', 'an unknown ID gets 404 before the key is checked', 'access/getPayment/no-key', 'differs'),
    () => ({
      response(response, { operation }) {
        if (operation === 'getPayment' && response.status === 401) Object.assign(response, unknown());
      },
    }),
  ),
  responding(
    row('no-retry-after', 'a 429 has no Retry-After', 'disturbance/createPayment/429', 'differs'),
    CREATIONS,
    ({ status, headers }) => {
      if (status === 429) delete headers['retry-after'];
    },
  ),
];

function hasText(body: Json | undefined, fits: (text: string) => boolean): boolean {
  return Object.values({ ...toObject(body), ...toObject(toObject(body)['customer']) }).some(
    (value) => typeof value === 'string' && fits(value),
  );
}

export const languages: readonly Defect[] = [
  ...[...times, ...caches, ...lookups, ...http, ...webhooks],
  ...[...serialized, ...parsed],
];
