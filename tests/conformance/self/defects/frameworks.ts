/** Mistakes that languages, frameworks, caches and databases make easy. */
import type { Json } from '../../../../contract/src/model.ts';
import { type Incoming, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, CREATIONS, defect, finding, problem, querying, refusing, replaying, shown, turned } from './build.ts';

/** Serves requests that the contract doesn't have as other ones. */
function routing(name: string, change: (request: Incoming) => Partial<Incoming>): Defect {
  return defect(name, 'differs bad-request/similar-path', () => ({
    async request(request, { send }) {
      const changed = { ...request, ...change(request) };
      const isSame = changed.path === request.path && changed.method === request.method;
      if (isSame || /^\/(sandbox|checkout)/.test(request.path)) return undefined;
      return send(changed);
    },
  }));
}

const routes: readonly Defect[] = [
  routing('trailing-slash', ({ path }) => ({ path: path.replace(/\/$/, '') })),
  routing('path-case', ({ operation, path }) => (operation === '' ? { path: path.toLowerCase() } : {})),
  routing('format-suffix', ({ path }) => ({ path: path.replace(/\.json$/, '') })),
  routing('any-method', ({ operation, method }) => (operation === '' && method !== 'POST' ? { method: 'GET' } : {})),
  asking('merged-parameters', 'differs bad-request/createPayment/body-parameter', CREATIONS, (request) => {
    const body = toObject(request.body);
    const kept = [...new URLSearchParams(request.query)].filter(([name]) => !(name in body));
    request.query = kept.length > 0 ? `?${new URLSearchParams(kept)}` : '';
  }),
];

const lookups: readonly Defect[] = [
  replaying('cached-reads', 'webhook/on-arrival/paymentSucceeded', ['getPayment', 'findPayment']),
  finding(
    'wildcards',
    'lookup/findPayment/exact',
    'findPayment',
    (given, _id, order) => given.endsWith('%') && order.startsWith(given.slice(0, -1)),
  ),
  finding('no-parameter', 'differs bad-request/findPayment/no-parameter', 'findPayment', (given) => given === ''),
  querying('either-parameter', 'differs bad-request/findPayment/both-parameters', (values) => {
    if (values.has('transaction_id')) values.delete('merchant_order_id');
  }),
  querying('last-of-two', 'differs bad-request/findPayment/transaction_id-twice', (values) =>
    values.set('transaction_id', values.getAll('transaction_id').at(-1) ?? ''),
  ),
  querying('decoded-twice', 'text/createPayment/differing-percent', (values) => {
    const order = values.get('merchant_order_id') ?? '';
    if (/%[0-7]\d/.test(order)) values.set('merchant_order_id', decodeURIComponent(order));
  }),
  finding(
    'id-case',
    'differs lookup/getPayment/exact',
    'getPayment',
    (given, id) => given.toLowerCase() === id.toLowerCase(),
  ),
  finding('path-takes-order', 'differs lookup/getPayment/exact', 'getPayment', (given, _id, order) => given === order),
  finding(
    'query-takes-order',
    'differs lookup/findPayment/exact',
    'findPayment',
    (given, _id, order) => given === order,
  ),
  querying('plus-is-plus', 'text/createPayment/differing-plus', (values, query) => {
    const order = values.get('merchant_order_id') ?? '';
    if (query.includes('+')) values.set('merchant_order_id', order.replaceAll(' ', '+'));
  }),
];

const forgets = defect('forgets', '', () => {
  const known: string[] = [];
  return {
    request: ({ operation, path }) =>
      operation === 'getPayment' && known.slice(0, -100).includes(path.split('/')[2] ?? '') ? problem(404) : undefined,
    transaction(payment, { on }) {
      const id = String(payment['transaction_id']);
      if (on === 'createPayment' && !known.includes(id)) known.push(id);
    },
  };
});

const utf8AsLatin1 = (text: Json): Json => Buffer.from(String(text)).toString('latin1');
const IST_MS = 19_800_000;
const toIst = (time: Json) => new Date(Date.parse(String(time)) + IST_MS).toISOString().replace('Z', '+05:30');

const serialized: readonly Defect[] = [
  shown(
    'zone-without-colon',
    'differs response/createPayment/timestamps',
    { on: 'createPayment' },
    turned('created_at', (time) => String(time).replace('Z', '+0000')),
  ),
  shown('local-offset', 'response/getPayment/timestamps', {}, turned('finalized_at', toIst)),
  shown('encoded-twice', '', { on: 'webhook' }, turned('merchant_order_id', utf8AsLatin1)),
  defect('shared-default', '', () => {
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
  defect('shared-field', 'replay/createPayment', () => {
    let amount: Json = 0;
    return {
      request({ operation, body }) {
        if (operation === 'createPayment') amount = toObject(body)['amount'] ?? 0;
      },
      transaction(payment, { on }) {
        if (on === 'createPayment') payment['amount'] = amount;
      },
    };
  }),
  defect('xml', 'form/createPayment/accepts-all', () => ({
    response(response, { headers }) {
      if (!/xml/.test(headers['accept'] ?? '')) return;
      response.headers['content-type'] = 'application/xml';
      response.text = '<response/>';
    },
  })),
];

/** Fails lookups whose path or query has the text. */
function failingOn(name: string, found: string, text: RegExp): Defect {
  return refusing(
    name,
    found,
    500,
    ({ operation, path, query }) => /^(get|find)/.test(operation) && text.test(path + query),
  );
}

const inputs: readonly Defect[] = [
  failingOn('array-parameter', 'text/createPayment/punctuation', /%5B|\[/i),
  failingOn('nul-in-path', 'differs bad-request/getPayment/nul', /%00/),
  failingOn('nul-in-query', 'differs bad-request/findPayment/nul-query', /%00/),
  failingOn('not-ascii', 'differs bad-request/getPayment/not-ascii', /%E2%82%AC/),
  failingOn('broken-escape', 'differs bad-request/getPayout/broken-escape', /%E2%82$/),
  failingOn('large-number', 'differs lookup/getPayout/exact', /\d{28}/),
  failingOn('long-query', 'differs bad-request/findPayment/long-query', /.{900}/),
  failingOn('empty-parameter', 'differs bad-request/findPayment/empty-query', /=(&|$)/),
  refusing('null-body', 'bad-input/createPayment/body/null', 500, ({ bytes }) => bytes.toString() === 'null'),
  refusing('large-body', 'differs bad-request/createPayment/large-body', 500, ({ bytes }) => bytes.length > 100_000),
  refusing('deep-body', 'differs bad-request/createPayment/deep', 500, ({ bytes }) => /\[{200}/.test(bytes.toString())),
  defect('chunked', 'differs form/createPayment/chunked', () => ({
    request(request) {
      if (request.headers['transfer-encoding'] !== undefined) request.bytes = Buffer.alloc(0);
    },
  })),
];

export const frameworks: readonly Defect[] = [...routes, ...lookups, forgets, ...serialized, ...inputs];
