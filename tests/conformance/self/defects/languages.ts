/** Mistakes that a language, a framework, a cache or a database makes easy. */
import type { Json } from '../../../../contract/src/model.ts';
import { type Incoming, type Outgoing, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, delivering, failed, json, refused, responding, row, shown, turned, unknown } from './build.ts';

const CREATIONS = ['createPayment', 'createPayout'];

const times: readonly Defect[] = [
  shown(
    row('languages/minutes', 'consistency/payment/finalized_at'),
    { status: ['SUCCESS', 'FAILED'] },
    turned('finalized_at', (time) => String(time).replace(/:\d\d(\.\d+)?Z$/, ':00Z')),
  ),
  shown(
    row('languages/zone-without-colon', 'response/createPayment/timestamps', 'differs'),
    { on: 'createPayment' },
    turned('created_at', (time) => String(time).replace('Z', '+0000')),
  ),
];

const CACHED_MS = 5_000;

const cachedReads = defect(row('languages/cached-reads', 'webhook/on-arrival/paymentSucceeded'), () => {
  const kept = new Map<string, { readonly at: number; readonly outgoing: Outgoing }>();
  return {
    response(response, { operation, path, query }) {
      if (!['getPayment', 'findPayment'].includes(operation) || response.status >= 300) return;
      const known = kept.get(path + query);
      if (known && Date.now() - known.at < CACHED_MS) Object.assign(response, structuredClone(known.outgoing));
      else kept.set(path + query, { at: Date.now(), outgoing: structuredClone(response) });
    },
  };
});

const readQuery = (request: Incoming) => new URLSearchParams(request.query);

function toQuery(values: Record<string, string>): string {
  return `?${new URLSearchParams(values)}`;
}

const lookups: readonly Defect[] = [
  defect(row('languages/wildcards', 'lookup/findPayment/exact'), () => {
    const known: string[] = [];
    return {
      request(request) {
        if (request.operation === 'createPayment') known.push(String(toObject(request.body)['merchant_order_id']));
        const order = readQuery(request).get('merchant_order_id');
        if (request.operation !== 'findPayment' || !order?.endsWith('%')) return;
        const found = known.find((one) => one.startsWith(order.slice(0, -1)));
        if (found !== undefined) request.query = toQuery({ merchant_order_id: found });
      },
    };
  }),
  defect(row('languages/no-parameter', 'bad-request/findPayment/no-parameter', 'differs'), () => {
    let last = '';
    return {
      request(request) {
        if (request.operation === 'createPayment') last = String(toObject(request.body)['merchant_order_id']);
        if (request.operation === 'findPayment' && request.query.length < 2)
          request.query = toQuery({ merchant_order_id: last });
      },
    };
  }),
  asking(
    row('languages/either-parameter', 'bad-request/findPayment/both-parameters', 'differs'),
    'findPayment',
    (request) => {
      const id = readQuery(request).get('transaction_id');
      if (id !== null && readQuery(request).has('merchant_order_id')) request.query = toQuery({ transaction_id: id });
    },
  ),
  asking(row('languages/decoded-twice', 'text/createPayment/differing-percent'), 'findPayment', (request) => {
    const order = readQuery(request).get('merchant_order_id');
    try {
      if (order !== null) request.query = toQuery({ merchant_order_id: decodeURIComponent(order) });
    } catch {
      // An invalid escape is not decoded again.
    }
  }),
];

const http: readonly Defect[] = [
  defect(row('languages/byte-order-mark', 'replay/getBalance'), () => ({
    response(response) {
      if (response.body !== undefined) response.text = `\ufeff${JSON.stringify(response.body)}`;
    },
  })),
  defect(row('languages/shared-field', 'replay/createPayment'), () => {
    let amount: Json = 0;
    return {
      request({ operation, body }) {
        if (operation === 'createPayment') amount = toObject(body)['amount'] ?? 0;
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
    row('languages/ascii-signature', 'webhook/signature', 'differs', {
      only: ['webhook/signature', 'text/createPayment/emoji'],
    }),
    {},
    (webhook) => {
      const { headers } = webhook;
      webhook.headers = (signed) => headers({ ...signed, text: signed.text.replaceAll(/[^\0-\x7f]/g, '?') });
    },
  ),
  delivering(
    row('languages/retried-with-news', 'webhook/same-as-status', 'violating', {
      only: ['webhook/same-as-status', 'webhook/retry/500'],
    }),
    {},
    (webhook) => {
      const { retryMs } = webhook;
      webhook.retryMs = (status, attempt) => {
        webhook.body['created_at'] = new Date().toISOString();
        return retryMs(status, attempt);
      };
    },
  ),
];

const utf8AsLatin1 = (text: Json): Json => Buffer.from(String(text)).toString('latin1');

const serialized: readonly Defect[] = [
  responding(row('languages/omitted-zero', 'replay/getBalance'), 'getBalance', (one) => {
    const balances = toObject(one.body)['balances'];
    for (const entry of Array.isArray(balances) ? balances : []) {
      const wallet = toObject(entry);
      for (const name of ['available', 'pending']) if (wallet[name] === 0) delete wallet[name];
    }
  }),
  shown(
    row('languages/local-offset', 'response/getPayment/timestamps'),
    {},
    turned('finalized_at', (time) =>
      new Date(Date.parse(String(time)) + 19_800_000).toISOString().replace('Z', '+05:30'),
    ),
  ),
  shown(
    row('languages/lost-precision', 'consistency/payment/created_at'),
    { on: ['getPayment', 'findPayment', 'webhook'], kind: 'payment' },
    turned('created_at', (time) => String(time).replace(/\.\d+Z$/, 'Z')),
  ),
  shown(
    row('languages/no-zone-in-webhooks', 'webhook/arrives', 'differs'),
    { on: 'webhook' },
    turned('created_at', (time) => String(time).replace('Z', '')),
  ),
  shown(
    row('languages/large-as-text', 'amount/createPayment/4294967296'),
    {},
    turned('amount', (amount) => (Number(amount) > 2 ** 31 ? String(amount) : amount)),
  ),
  shown(
    row('languages/numeric-text', 'text/createPayment/differing-leading-zero'),
    {},
    turned('merchant_order_id', (order) => (/^\d{1,15}$/.test(String(order)) ? Number(order) : order)),
  ),
  shown(row('languages/encoded-twice'), { on: 'webhook' }, turned('merchant_order_id', utf8AsLatin1)),
  shown(
    row('languages/upper-case-method', 'form/createPayment/method-constructor'),
    {},
    turned('payment_method_type', (method) => String(method).toUpperCase()),
  ),
  shown(
    row('languages/lower-case-reasons', 'consistency/payment/decline_reason', 'differs'),
    { status: 'FAILED' },
    turned('decline_reason', (reason) => String(reason).toLowerCase()),
  ),
  defect(row('languages/shared-default'), () => {
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
    row('languages/local-balance-time', 'money/last-updated', 'violating', {
      only: ['money/last-updated', 'state/payment/h2h/SUCCESS'],
    }),
    'getBalance',
    (response) => {
      const body = toObject(response.body);
      const shifted = (time: Json) => new Date(Date.parse(String(time)) + 19_800_000).toISOString();
      if (response.status === 200) turned('last_updated_at', shifted)(body);
    },
  ),
  defect(row('languages/one-request-id', 'response/getBalance/headers', 'differs'), () => ({
    response(response) {
      if ('x-request-id' in response.headers) response.headers['x-request-id'] = 'req_1';
      const body = toObject(response.body);
      if ('request_id' in body) body['request_id'] = 'req_1';
    },
  })),
  defect(row('languages/xml', 'form/createPayment/accepts-all'), () => ({
    response(response, { headers }) {
      if (!/xml/.test(headers['accept'] ?? '')) return;
      response.headers['content-type'] = 'application/xml';
      response.text = '<response/>';
    },
  })),
];

const parsed: readonly Defect[] = [
  asking(row('languages/null-body', 'bad-input/createPayment/body/null'), CREATIONS, ({ bytes }) =>
    bytes.toString() === 'null' ? failed() : undefined,
  ),
  asking(row('languages/unknown-nested', 'bad-input/createPayment/customer', 'differs'), CREATIONS, (request) => {
    const body = toObject(request.body);
    const customer = toObject(body['customer']);
    const extra = Object.keys(customer).filter((name) => /unknown/.test(name));
    if (extra.length === 0) return;
    for (const name of extra) delete customer[name];
    rewrite(request, body);
  }),
  asking(row('languages/blank', 'text/createPayment/blank', 'differs'), CREATIONS, ({ body }) =>
    hasText(body, (text) => text !== '' && text.trim() === '') ? refused() : undefined,
  ),
  asking(row('languages/null-text', 'text/createPayout/null', 'differs'), CREATIONS, ({ body }) =>
    hasText(body, (text) => /^(null|undefined|none)$/i.test(text)) ? refused() : undefined,
  ),
  asking(row('languages/closed-levels', 'text/createPayment/right-to-left', 'differs'), 'createPayment', ({ body }) => {
    const level = toObject(toObject(body)['customer'])['kyc_level'];
    return typeof level === 'string' && level !== 'TRUSTED' ? refused() : undefined;
  }),
  asking(row('languages/media-type-case', 'form/createPayment/media-type-case', 'differs'), CREATIONS, ({ headers }) =>
    /[A-Z]/.test((headers['content-type'] ?? '').split(';')[0] ?? '')
      ? json(415, { title: 'Unsupported media type', status: 415 })
      : undefined,
  ),
  defect(row('languages/chunked', 'form/createPayment/chunked', 'differs'), () => ({
    request(request) {
      if (request.headers['transfer-encoding'] !== undefined) request.bytes = Buffer.alloc(0);
    },
  })),
  asking(row('languages/large-body', 'bad-request/createPayment/large-body', 'differs'), CREATIONS, ({ bytes }) =>
    bytes.length > 100_000 ? failed() : undefined,
  ),
  defect(row('languages/lookup-before-key', 'access/getPayment/no-key', 'differs'), () => ({
    response(response, { operation }) {
      if (operation === 'getPayment' && response.status === 401) Object.assign(response, unknown());
    },
  })),
  responding(
    row('languages/no-retry-after', 'disturbance/createPayment/429', 'differs'),
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
  ...[...times, cachedReads, ...lookups, ...http, ...webhooks],
  ...[...serialized, ...parsed],
];
