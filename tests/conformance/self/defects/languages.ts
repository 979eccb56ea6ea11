/** Mistakes that a language, a framework, a cache or a database makes easy. */
import type { Json } from '../../../../contract/src/model.ts';
import { type Incoming, type Outgoing, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, delivering, shown, turned } from './build.ts';

/** Any check may find these. */
function row(name: string, title: string) {
  return { id: `languages/${name}`, title, foundBy: '' };
}

const READS = ['getPayment', 'findPayment', 'getPayout'];

function earlierMonth(time: Json): Json {
  const date = new Date(String(time));
  date.setUTCMonth(date.getUTCMonth() - 1);
  return date.toISOString();
}

const times: readonly Defect[] = [
  shown(row('minutes', 'finalized_at is cut to the minute'), { status: ['SUCCESS', 'FAILED'] }, (one) =>
    turned('finalized_at', (time) => String(time).replace(/:\d\d(\.\d+)?Z$/, ':00Z'))(one),
  ),
  shown(row('month-from-zero', 'months count from zero'), {}, (one) => {
    for (const name of ['created_at', 'finalized_at']) turned(name, earlierMonth)(one);
  }),
];

const CACHED_MS = 5_000;

/** Repeats a response for some seconds to requests with the same cache key. */
function cached(name: string, title: string, on: readonly string[], key: (request: Incoming) => string): Defect {
  return defect(row(name, title), () => {
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
    'cached-balance',
    'the balance is cached for 5 s',
    ['getBalance'],
    ({ headers }) => headers['authorization'] ?? '',
  ),
  cached('cached-for-all', 'responses are cached without regard to the key', ['getBalance'], ({ path }) => path),
  cached('cached-reads', 'payments and payouts are cached for 5 s', READS, ({ path, query }) => path + query),
];

/** Reads an order id as the database or the language does, so that different ones are the same. */
function looseOrders(name: string, title: string, normalize: (order: string) => string): Defect {
  return defect(row(name, title), () => {
    const known = new Map<string, string>();
    return {
      request(request) {
        const body = toObject(request.body);
        const order = body['merchant_order_id'];
        if (!/^create/.test(request.operation) || typeof order !== 'string') return undefined;
        const same = `${request.operation} ${request.headers['authorization']} ${normalize(order)}`;
        const first = known.get(same) ?? order;
        known.set(same, first);
        if (first !== order) rewrite(request, { ...body, merchant_order_id: first });
        return undefined;
      },
    };
  });
}

const orders: readonly Defect[] = [
  looseOrders('equal-emoji', 'a collation takes all emoji for equal', (order) =>
    order.replaceAll(/[^\0-\uffff]/gu, '?'),
  ),
  looseOrders('numeric-strings', 'order ids that look like numbers are compared as numbers', (order) =>
    /^\d+(\.\d+)?(e\d+)?$/.test(order) ? String(Number(order)) : order,
  ),
];

const query = (request: Incoming) => new URLSearchParams(request.query);

const lookups: readonly Defect[] = [
  defect(row('wildcards', 'a lookup by order id is a LIKE'), () => {
    const known: string[] = [];
    return {
      request(request) {
        if (request.operation === 'createPayment') known.push(String(toObject(request.body)['merchant_order_id']));
        const order = query(request).get('merchant_order_id');
        if (request.operation !== 'findPayment' || !order || !/[%_]/.test(order)) return undefined;
        const pattern = new RegExp(
          `^${order
            .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
            .replaceAll('%', '.*')
            .replaceAll('_', '.')}$`,
          's',
        );
        const found = known.find((one) => pattern.test(one));
        if (found !== undefined) request.query = `?${new URLSearchParams({ merchant_order_id: found })}`;
        return undefined;
      },
    };
  }),
  defect(row('no-parameter', 'findPayment without a parameter returns the last payment'), () => {
    let last = '';
    return {
      request(request) {
        if (request.operation === 'createPayment') last = String(toObject(request.body)['merchant_order_id']);
        if (request.operation === 'findPayment' && request.query.length < 2)
          request.query = `?${new URLSearchParams({ merchant_order_id: last })}`;
        return undefined;
      },
    };
  }),
  asking(row('either-parameter', 'findPayment with both parameters uses the first'), 'findPayment', (request) => {
    const id = query(request).get('transaction_id');
    if (id !== null && query(request).has('merchant_order_id'))
      request.query = `?${new URLSearchParams({ transaction_id: id })}`;
    return undefined;
  }),
  defect(row('ids-in-any-case', 'transaction ids are compared without regard to case'), () => {
    const known = new Map<string, string>();
    return {
      request(request) {
        const [, kind, id = '', ...rest] = request.path.split('/');
        const own = known.get(id.toLowerCase());
        if (own !== undefined) request.path = ['', kind, own, ...rest].join('/');
        return undefined;
      },
      transaction(one) {
        const id = String(one['transaction_id']);
        known.set(id.toLowerCase(), id);
      },
    };
  }),
  asking(row('decoded-twice', 'parameters are decoded twice'), 'findPayment', (request) => {
    const order = query(request).get('merchant_order_id');
    try {
      if (order !== null) request.query = `?${new URLSearchParams({ merchant_order_id: decodeURIComponent(order) })}`;
    } catch {
      // An invalid escape is not decoded again.
    }
    return undefined;
  }),
];

const http: readonly Defect[] = [
  defect({ ...row('byte-order-mark', 'bodies begin with a byte order mark'), foundBy: 'replay/getBalance' }, () => ({
    response(response) {
      if (response.body !== undefined) response.text = `\ufeff${JSON.stringify(response.body)}`;
    },
  })),
  defect(row('any-method', 'PUT /payments creates a payment, since no route looks at the method'), () => ({
    request(request, { send }) {
      const { method, path, headers, bytes } = request;
      if (path !== '/payments' || ['GET', 'HEAD', 'POST'].includes(method)) return undefined;
      return send({ method: 'POST', path, headers, bytes });
    },
  })),
  defect(row('constant-request-id', 'all responses have the same X-Request-Id'), () => ({
    response(response) {
      response.headers['x-request-id'] = 'req_1';
      const body = toObject(response.body);
      if ('request_id' in body) response.body = { ...body, request_id: 'req_1' };
    },
  })),
  defect(row('key-in-any-case', 'API keys are compared without regard to case'), () => ({
    request({ headers }, { key }) {
      if (headers['authorization']?.toLowerCase() === `bearer ${key.toLowerCase()}`)
        headers['authorization'] = `Bearer ${key}`;
      return undefined;
    },
  })),
  defect(row('repeat-is-200', 'a repeated createPayout returns 200 instead of 201'), () => {
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
];

const webhooks: readonly Defect[] = [
  delivering(row('ascii-signature', 'webhooks are signed in ASCII'), {}, (webhook) => {
    const { headers } = webhook;
    webhook.headers = (signed) => headers({ ...signed, text: signed.text.replaceAll(/[^\0-\x7f]/g, '?') });
    return undefined;
  }),
  delivering(row('decoded-callback', 'the query of the callback address is decoded'), {}, (webhook) => {
    const [path, search] = webhook.url.split('?');
    if (search !== undefined) webhook.url = `${path}?${decodeURIComponent(search)}`;
    return undefined;
  }),
  delivering(row('retried-with-news', 'a retried webhook has another body under the same id'), {}, (webhook) => {
    const { retryMs } = webhook;
    webhook.retryMs = (status, attempt) => {
      webhook.body['created_at'] = new Date().toISOString();
      return retryMs(status, attempt);
    };
    return undefined;
  }),
];

export const languages: readonly Defect[] = [...times, ...caches, ...orders, ...lookups, ...http, ...webhooks];
