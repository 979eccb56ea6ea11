/** Mistakes that a language, a framework, a cache or a database makes easy. */
import type { Json } from '../../../../contract/src/model.ts';
import { type Incoming, type Outgoing, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, delivering, shown, turned } from './build.ts';

const DIFFERS = { verdict: 'differs' } as const;

function row(name: string, title: string, foundBy: string) {
  return { id: `languages/${name}`, title, foundBy };
}

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
    { ...row('zone-without-colon', 'times end with +0000', 'response/createPayment/timestamps'), ...DIFFERS },
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
    {
      ...row(
        'no-parameter',
        'findPayment without a parameter returns a payment',
        'bad-request/findPayment/no-parameter',
      ),
      ...DIFFERS,
    },
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
    {
      ...row(
        'either-parameter',
        'findPayment with both parameters uses one',
        'bad-request/findPayment/both-parameters',
      ),
      ...DIFFERS,
    },
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
    { ...row('key-in-any-case', 'API keys are compared without case', 'access/getBalance/other-case-key'), ...DIFFERS },
    () => ({
      request({ headers }, { key }) {
        const given = headers['authorization'] ?? '';
        if (given.toLowerCase() === `bearer ${key.toLowerCase()}`) headers['authorization'] = `Bearer ${key}`;
        return undefined;
      },
    }),
  ),
  defect({ ...row('repeat-is-200', 'a repeated createPayout returns 200', 'repeat/payout/same'), ...DIFFERS }, () => {
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
      ...{ ...row('ascii-signature', 'webhooks are signed in ASCII', 'webhook/signature'), ...DIFFERS },
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

export const languages: readonly Defect[] = [...times, ...caches, ...lookups, ...http, ...webhooks];
