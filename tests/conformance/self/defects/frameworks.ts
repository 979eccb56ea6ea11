/** Defaults of web frameworks, serializers and database mappers that the contract doesn't allow. */
import { gatewayDriver } from '../../../../conformance/src/drivers/gateway.ts';
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { type Backend, type Incoming, type Outgoing, rewrite, toObject, type Webhook } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, conflict, defect, delivering, failed, type Row, row, shown, turned, unknown } from './build.ts';

const CREATIONS = ['createPayment', 'createPayout'];
const FINAL = ['SUCCESS', 'FAILED'];
const readOrder = (body: Json | undefined) => String(toObject(body)['merchant_order_id']);

/** Changes the path of a request that the routes of the contract don't have. */
function routing(given: Row, rewritePath: (path: string) => string): Defect {
  return defect(given, () => ({
    async request(request, { send }) {
      const path = rewritePath(request.path);
      if (request.operation !== '' || path === request.path || /^\/(sandbox|checkout)/.test(path)) return undefined;
      return send({ ...request, path });
    },
  }));
}

const routes: readonly Defect[] = [
  routing(row('frameworks/trailing-slash', 'bad-request/similar-path', 'differs'), (path) => path.replace(/\/$/, '')),
  routing(row('frameworks/path-case', 'bad-request/similar-path', 'differs'), (path) => path.toLowerCase()),
  defect(row('frameworks/format-suffix', 'bad-request/similar-path', 'differs'), () => ({
    request(request) {
      request.path = request.path.replace(/\.json$/, '');
    },
  })),
  defect(row('frameworks/id-case', 'lookup/getPayment/exact', 'differs'), () => {
    const known = new Map<string, string>();
    return {
      request(request) {
        const [, collection, id = '', ...rest] = request.path.split('/');
        const found = known.get(id.toLowerCase());
        if (found !== undefined) request.path = ['', collection, found, ...rest].join('/');
      },
      transaction(one) {
        known.set(String(one['transaction_id']).toLowerCase(), String(one['transaction_id']));
      },
    };
  }),
  findingByOrder(row('frameworks/path-takes-order', 'lookup/getPayment/exact', 'differs'), 'getPayment'),
  findingByOrder(row('frameworks/query-takes-order', 'lookup/findPayment/exact', 'differs'), 'findPayment'),
  failingOn(row('frameworks/array-parameter', 'text/createPayment/punctuation'), 'findPayment', /%5B|\[/i),
  asking(
    row('frameworks/merged-parameters', 'bad-request/createPayment/body-parameter', 'differs'),
    CREATIONS,
    (request) => {
      const body = toObject(request.body);
      const kept = [...new URLSearchParams(request.query)].filter(([name]) => !(name in body));
      request.query = kept.length > 0 ? `?${new URLSearchParams(kept)}` : '';
    },
  ),
  asking(row('frameworks/plus-is-plus', 'text/createPayment/differing-plus'), 'findPayment', (request) => {
    const order = new URLSearchParams(request.query).get('merchant_order_id');
    if (order?.includes(' ') && request.query.includes('+'))
      request.query = `?${new URLSearchParams({ merchant_order_id: order.replaceAll(' ', '+') })}`;
  }),
  asking(row('frameworks/hangs-on-unknown', 'lookup/getPayout/unknown'), 'getPayout', ({ path }) =>
    // The kit makes unknown IDs so.
    /[37]{6}$/.test(path) ? new Promise<never>(() => {}) : undefined,
  ),
];

function findingByOrder(given: Row, operation: string): Defect {
  return defect(given, () => {
    const known = new Map<string, string>();
    return {
      request(request) {
        if (request.operation !== operation) return;
        request.path = request.path.replace(/[^/]+$/, (id) => known.get(id) ?? id);
        const id = new URLSearchParams(request.query).get('transaction_id');
        const found = id === null ? undefined : known.get(id);
        if (found !== undefined) request.query = `?${new URLSearchParams({ transaction_id: found })}`;
      },
      transaction(one, { kind }) {
        if (kind === 'payment') known.set(String(one['merchant_order_id']), String(one['transaction_id']));
      },
    };
  });
}

/** Transactions that move a wallet within this time overwrite each other. Longer than on a quiet machine. */
const LOST_MS = 500;

/** Loses all but one of the movements of a wallet that happen at the same time. */
function losing(given: Row, kind: 'payment' | 'payout'): Defect {
  return defect(given, () => {
    const last = new Map<Json, number>();
    const lost = new Map<Json, number>();
    const lose = ({ currency = '' }: JsonObject, amount: Json = 0) => {
      if (Date.now() - (last.get(currency) ?? 0) < LOST_MS)
        lost.set(currency, (lost.get(currency) ?? 0) + Number(amount));
      last.set(currency, Date.now());
    };
    return {
      response({ status, body }, { operation, headers }, { key }) {
        if (status >= 300 || headers['authorization'] !== `Bearer ${key}`) return;
        const shown = toObject(body);
        if (operation === 'createPayout' && kind === 'payout') lose(shown, shown['amount']);
        const balances = shown['balances'];
        for (const wallet of Array.isArray(balances) ? balances.map(toObject) : []) {
          const amount = lost.get(wallet['currency'] ?? '') ?? 0;
          const account = kind === 'payment' && Number(wallet['pending']) >= amount ? 'pending' : 'available';
          wallet[account] = Number(wallet[account]) + (kind === 'payment' ? -amount : amount);
        }
      },
      webhook({ body }) {
        if (kind === 'payment' && 'amount_paid' in body) lose(body, body['amount_paid']);
      },
    };
  });
}

/** Fails requests that come while an equal one is in progress. */
function colliding(given: Row, operation: string, keyOf: (request: Incoming) => string): Defect {
  return defect(given, () => {
    const inProgress = new Map<string, Incoming>();
    return {
      request(request) {
        const key = keyOf(request);
        if (request.operation === operation && !inProgress.has(key)) inProgress.set(key, request);
      },
      response(response, request) {
        if (request.operation !== operation) return;
        if (inProgress.get(keyOf(request)) === request) inProgress.delete(keyOf(request));
        else if (response.status < 300 || response.status === 409) Object.assign(response, failed());
      },
    };
  });
}

const stored: readonly Defect[] = [
  losing(row('frameworks/lost-credit', 'race/payments', 'differs'), 'payment'),
  losing(row('frameworks/lost-debit', 'race/payouts'), 'payout'),
  colliding(row('frameworks/lock-fails', 'race/confirmPayment', 'differs'), 'confirmPayment', ({ path }) => path),
  colliding(row('frameworks/unique-fails', 'repeat/payment/at-once', 'differs'), 'createPayment', ({ body }) =>
    readOrder(body),
  ),
  defect(row('frameworks/used-by-rejected', 'repeat/payout/after-rejected', 'differs'), () => {
    const used = new Set<string>();
    return {
      request({ operation, body }) {
        return CREATIONS.includes(operation) && used.has(readOrder(body)) ? conflict() : undefined;
      },
      response(response, { operation, body }) {
        if (CREATIONS.includes(operation) && response.status === 400) used.add(readOrder(body));
      },
    };
  }),
  defect(row('frameworks/repeat-shows-now'), () => ({
    async response(response, { operation, headers }, { send }) {
      if (operation !== 'createPayment' || response.status !== 200) return;
      const body = toObject(response.body);
      const path = `/payments/${String(body['transaction_id'])}`;
      const now = toObject(
        (await send({ method: 'GET', path, headers: { authorization: headers['authorization'] ?? '' } })).body,
      );
      if (FINAL.includes(String(now['status']))) response.body = { ...body, status: now['status'] ?? '' };
    },
  })),
  defect(row('frameworks/half-clarified', 'state/incomplete/clarifyPayment', 'differs'), () => {
    const kept = new Map<string, JsonObject>();
    return {
      request(request) {
        const items = toObject(toObject(request.body)['clarify_data']);
        const before = kept.get(request.path);
        if (request.operation === 'clarifyPayment' && before)
          rewrite(request, { clarify_data: { ...before, ...items } });
      },
      response({ status }, { operation, path, body }) {
        const items = toObject(toObject(body)['clarify_data']);
        const given = Object.entries(items).filter(
          ([name, value]) => typeof value === 'string' && !/unknown/.test(name),
        );
        if (operation === 'clarifyPayment' && status === 400) kept.set(path, Object.fromEntries(given));
      },
    };
  }),
  defect(row('frameworks/forgets'), () => {
    const known: string[] = [];
    return {
      request: ({ operation, path }) =>
        operation === 'getPayment' && known.slice(0, -100).includes(path.split('/')[2] ?? '') ? unknown() : undefined,
      response({ status, body }, { operation }) {
        const id = String(toObject(body)['transaction_id']);
        if (operation === 'createPayment' && status === 200 && !known.includes(id)) known.push(id);
      },
    };
  }),
  heldInPending(row('frameworks/held-is-pending', 'wallet/INR/payouts', 'differs'), 'PROCESSING'),
  heldInPending(row('frameworks/refund-is-pending', 'wallet/INR/payouts', 'differs'), 'FAILED'),
];

/** Shows the amounts of payouts in the status as pending. */
function heldInPending(given: Row, status: string): Defect {
  return defect(given, () => {
    const payouts = new Map<string, JsonObject>();
    return {
      transaction(one, { kind }) {
        if (kind === 'payout') payouts.set(String(one['transaction_id']), { ...one });
      },
      response(response, { operation, headers }, { key }) {
        if (operation !== 'getBalance' || headers['authorization'] !== `Bearer ${key}`) return;
        const balances = toObject(response.body)['balances'];
        for (const entry of Array.isArray(balances) ? balances : []) {
          const wallet = toObject(entry);
          const held = [...payouts.values()]
            .filter((one) => one['status'] === status && one['currency'] === wallet['currency'])
            .filter((one) => one['decline_reason'] !== 'INSUFFICIENT_BALANCE')
            .reduce((total, { amount }) => total + Number(amount), 0);
          wallet['pending'] = Number(wallet['pending']) + held;
          if (status === 'FAILED') wallet['available'] = Number(wallet['available']) - held;
        }
      },
    };
  });
}

const notified: readonly Defect[] = [
  defect(row('frameworks/webhook-of-now'), () => ({
    async webhook(webhook: Webhook, { send, key }: Backend) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const path = `/${'payment_method' in webhook.body ? 'payments' : 'payouts'}/${String(webhook.body['transaction_id'])}`;
      const now = await send({ method: 'GET', path, headers: { authorization: `Bearer ${key}` } });
      if (now.status === 200) webhook.body = toObject(now.body);
    },
  })),
  delivering(row('frameworks/unsigned-retry'), {}, (webhook) => {
    const { headers } = webhook;
    webhook.headers = (signed) =>
      Object.fromEntries(
        Object.entries(headers(signed)).filter(([name]) => signed.attempt === 1 || !/signature/i.test(name)),
      );
  }),
  defect(row('frameworks/no-redirect-webhooks'), () => {
    const redirects = new Set<string>();
    return {
      response({ body }) {
        if ('redirect_url' in toObject(body)) redirects.add(String(toObject(body)['transaction_id']));
      },
      webhook: ({ body }) => (redirects.has(String(body['transaction_id'])) ? [] : undefined),
    };
  }),
  defect(row('frameworks/no-second-webhooks', 'webhook/other-secret'), () => ({
    webhook: ({ secret }, { secondSecret }) => (secret === secondSecret ? [] : undefined),
  })),
  delivering(row('frameworks/ascii-webhooks'), {}, ({ body }) =>
    /[^\0-\x7f]/.test(JSON.stringify(body)) ? [] : undefined,
  ),
];

/** Changes the return address that the driver reads from the page. */
function returning(given: Row, change: (address: string) => string): Defect {
  const returnAddress: NonNullable<typeof gatewayDriver.returnAddress> = async (page, access) =>
    change((await gatewayDriver.returnAddress?.(page, access)) ?? '');
  return defect({ ...given, options: { driver: { ...gatewayDriver, returnAddress } } }, () => ({}));
}

/** Sends customers to the payment page by way of the proxy. */
function redirectToProxy({ body }: Outgoing, { operation, headers }: Incoming): void {
  const toProxy = (url: Json) => `http://${headers['host']}${new URL(String(url)).pathname}`;
  if (operation === 'createPayment') turned('redirect_url', toProxy)(toObject(body));
}

const pages: readonly Defect[] = [
  returning(row('frameworks/cut-return-url', 'state/payment/redirect/return', 'differs'), (address) => {
    const [start = '', added = ''] = address.split(/(?=[?&]transaction_id=)/);
    return start.slice(0, 255) + added;
  }),
  returning(row('frameworks/after-fragment', 'state/payment/redirect/return', 'differs'), (address) => {
    const [, start = '', added = '', fragment = ''] = /^(.*?)([?&]transaction_id=[^#]*)(#.*)?$/.exec(address) ?? [];
    return start + fragment + added;
  }),
  defect(row('frameworks/page-pays', 'state/payment/redirect/page', 'differs'), () => ({
    response: redirectToProxy,
    async request({ method, path }, { send }) {
      if (method === 'GET' && /^\/checkout\/\w+$/.test(path)) {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        await send({ method: 'POST', path, headers, bytes: Buffer.from('action=pay') });
      }
    },
  })),
];

/** Fails requests whose path or query has the text. */
function failingOn(given: Row, on: string | readonly string[], text: RegExp): Defect {
  return asking(given, on, ({ path, query }) => (text.test(path + query) ? failed() : undefined));
}

const READS = ['getPayment', 'getPayout', 'findPayment'];

const inputs: readonly Defect[] = [
  failingOn(row('frameworks/nul-in-path', 'bad-request/getPayment/nul', 'differs'), READS.slice(0, 2), /%00/),
  failingOn(row('frameworks/nul-in-query', 'bad-request/findPayment/nul-query', 'differs'), 'findPayment', /%00/),
  failingOn(row('frameworks/large-number', 'lookup/getPayout/exact', 'differs'), READS, /\d{28}/),
  failingOn(row('frameworks/long-query', 'bad-request/findPayment/long-query', 'differs'), 'findPayment', /.{900}/),
  failingOn(
    row('frameworks/empty-parameter', 'bad-request/findPayment/empty-query', 'differs'),
    'findPayment',
    /=(&|$)/,
  ),
  asking(row('frameworks/deep-body', 'bad-request/createPayment/deep', 'differs'), CREATIONS, ({ bytes }) =>
    /\[{200}/.test(bytes.toString()) ? failed() : undefined,
  ),
  defect(row('frameworks/any-method', 'bad-request/similar-path', 'differs'), () => ({
    async request(request, { send }) {
      if (request.operation !== '' || !['PUT', 'PATCH', 'DELETE'].includes(request.method)) return undefined;
      return send({ ...request, method: 'GET' });
    },
  })),
  delivering(row('frameworks/fraction-of-time', 'webhook/timestamp', 'differs'), {}, (webhook) => {
    const { headers } = webhook;
    webhook.headers = (signed) => {
      const valid = headers(signed);
      return Object.fromEntries(
        Object.entries(valid).map(([name, value]) => [name, /timestamp/i.test(name) ? `${value}.123` : value]),
      );
    };
  }),
  shown(
    row('frameworks/net-amount'),
    { status: 'SUCCESS', kind: 'payment' },
    turned('amount_paid', (amount) => Number(amount) - 25),
  ),
  paidAfterCancel(row('frameworks/paid-after-cancel', 'state/payment/redirect/cancelled')),
];

/** The driver pays where it was asked to cancel, after it has cancelled. */
function paidAfterCancel(given: Row): Defect {
  return defect(given, () => {
    const cancelled = new Set<string>();
    const paid = new Set<string>();
    return {
      response: redirectToProxy,
      request({ method, path, bytes }) {
        if (method !== 'POST' || !path.startsWith('/checkout/')) return undefined;
        if (bytes.toString().includes('cancel')) cancelled.add(path);
        else if (cancelled.has(path)) {
          paid.add(path);
          return { status: 303, headers: { location: 'https://shop.example/' }, text: '' };
        }
        return undefined;
      },
      transaction(one) {
        if (one['decline_reason'] !== 'CANCELLED_BY_CUSTOMER' || paid.size === 0) return;
        delete one['decline_reason'];
        Object.assign(one, { status: 'SUCCESS', amount_paid: one['amount'] ?? 0 });
      },
    };
  });
}

export const frameworks: readonly Defect[] = [...routes, ...stored, ...notified, ...pages, ...inputs];
