/** Wrong uses of HTTP. */
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Outgoing, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, failed, json, responding, row } from './build.ts';

const HTML = '<!doctype html><title>Error</title><h1>Something went wrong</h1>';

function html(response: Outgoing): void {
  response.headers['content-type'] = 'text/html; charset=utf-8';
  response.text = HTML;
}

/** Another status than the contract's, with the same body. */
const STATUSES: readonly (readonly [
  operation: string,
  from: number,
  to: number,
  check: string,
  verdict?: Defect['verdict'],
])[] = [
  ['createPayment', 200, 201, 'replay/createPayment'],
  ['createPayment', 200, 202, 'replay/createPayment'],
  ['createPayout', 201, 200, 'replay/createPayout'],
  ['confirmPayment', 200, 202, 'replay/confirmPayment'],
  ['getBalance', 200, 203, 'replay/getBalance'],
  ['createPayment', 400, 500, 'bad-input/createPayment/amount/string'],
  ['createPayment', 400, 200, 'bad-input/createPayment/amount/string'],
  ['createPayout', 400, 500, 'bad-input/createPayout/currency/unknown-value'],
  ['getPayment', 404, 500, 'lookup/getPayment/unknown', 'differs'],
  ['getPayment', 404, 200, 'lookup/getPayment/unknown', 'differs'],
  ['getPayout', 404, 410, 'lookup/getPayout/unknown', 'differs'],
  ['confirmPayment', 409, 404, 'state/illegal/confirmPayment/CREATED', 'differs'],
  ['clarifyPayment', 409, 500, 'state/illegal/clarifyPayment/CREATED', 'differs'],
  ['getBalance', 401, 403, 'access/getBalance/no-key', 'differs'],
  ['getBalance', 401, 500, 'access/getBalance/no-key', 'differs'],
  ['createPayment', 401, 200, 'access/createPayment/unknown-key', 'differs'],
  ['createPayment', 415, 500, 'bad-request/createPayment/media-type', 'differs'],
];

const statuses = STATUSES.map(([operation, from, to, foundBy, verdict]): Defect => {
  const id = `protocol/status/${operation}-${from}-as-${to}`;
  return responding(row(id, foundBy, verdict), operation, (response) => {
    if (response.status === from) response.status = to;
  });
});

/** Members of a problem that say something untrue. */
const UNTRUE: Readonly<Record<string, (problem: JsonObject) => JsonObject>> = {
  'type-of-another': ({ type }) => ({ type: String(type).replace('not-found', 'wrong-state') }),
  'detail-as-title': ({ detail = '' }) => ({ title: detail }),
  'other-request-id': () => ({ request_id: 'req_another' }),
  'other-place': () => ({ violations: [{ in: 'body', pointer: '', message: 'is wrong' }] }),
  'other-status': () => ({ status: 500 }),
  'status-as-string': () => ({ status: '404' }),
};

const untrue = Object.entries(UNTRUE).map(([name, change]) =>
  responding(row(`protocol/problem/${name}`, 'response/getPayment/errors', 'differs'), 'getPayment', (response) => {
    const problem = toObject(response.body);
    if (response.status === 404) response.body = { ...problem, ...change(problem) };
  }),
);

const problems: readonly Defect[] = [
  ...untrue,
  responding(row('protocol/problem/html', 'response/getPayment/errors', 'differs'), 'getPayment', (response) => {
    if (response.status === 404) html(response);
  }),
  responding(row('protocol/problem/empty', 'response/getPayout/errors', 'differs'), 'getPayout', (response) => {
    if (response.status === 404) response.text = '';
  }),
  responding(
    row('protocol/problem/no-violations', 'response/createPayment/errors', 'differs'),
    'createPayment',
    (response) => {
      if (response.status === 400) response.body = { ...toObject(response.body), violations: [] };
    },
  ),
  responding(
    row('protocol/problem/first-violation', 'bad-request/clarifyPayment/two-mistakes', 'differs'),
    'clarifyPayment',
    (response) => {
      const { violations } = toObject(response.body);
      if (response.status === 400 && Array.isArray(violations)) violations.splice(1);
    },
  ),
  responding(
    row('protocol/problem/wrong-pointer', 'bad-input/createPayment/amount/string', 'differs'),
    'createPayment',
    (response) => {
      if (response.status === 400)
        response.body = {
          ...toObject(response.body),
          violations: [{ in: 'body', pointer: '/currency', message: 'is wrong' }],
        };
    },
  ),
  responding(
    row('protocol/problem/no-www-authenticate', 'response/getBalance/headers', 'differs'),
    'getBalance',
    (response) => {
      delete response.headers['www-authenticate'];
    },
  ),
  responding(
    row('protocol/header/no-request-id', 'response/getBalance/headers', 'differs'),
    'getBalance',
    (response) => {
      delete response.headers['x-request-id'];
    },
  ),
];

const typed = (type: string | undefined) => (response: Outgoing) => {
  if (type === undefined) delete response.headers['content-type'];
  else response.headers['content-type'] = type;
};

const bodies: readonly Defect[] = [
  responding(row('protocol/type/html', 'replay/getBalance'), 'getBalance', typed('text/html')),
  responding(row('protocol/type/text', 'replay/getPayment'), 'getPayment', typed('text/plain')),
  responding(row('protocol/type/none', 'replay/createPayout'), 'createPayout', typed(undefined)),
  responding(row('protocol/body/utf-16', 'replay/getBalance'), 'getBalance', (response) => {
    response.text = Buffer.from(JSON.stringify(response.body), 'utf16le');
  }),
  responding(row('protocol/body/two-values', 'replay/getBalance'), 'getBalance', (response) => {
    response.text = `${JSON.stringify(response.body)}{}`;
  }),
  responding(row('protocol/body/jsonp', 'replay/getBalance'), 'getBalance', (response) => {
    response.text = `callback(${JSON.stringify(response.body)})`;
  }),
  responding(row('protocol/body/undeclared-gzip', 'replay/getBalance'), 'getBalance', async (response) => {
    const { gzipSync } = await import('node:zlib');
    response.text = gzipSync(JSON.stringify(response.body));
  }),
  responding(row('protocol/body/error-in-200', 'replay/createPayment'), 'createPayment', (response) => {
    response.body = { error: { code: 17, message: 'Try again' } };
  }),
];

const moved = (to: string): Outgoing => ({ status: 301, headers: { location: to }, text: '' });

const requests: readonly Defect[] = [
  asking(row('protocol/redirect/create', 'replay/createPayout'), 'createPayout', () => moved('/v2/payouts')),
  asking(
    row('protocol/busy/for-ever', 'replay/createPayment', 'violating', { timeoutMs: 3_000 }),
    'createPayment',
    () => ({
      ...json(429, { title: 'Too many requests', status: 429 }),
    }),
  ),
  asking(row('protocol/fails/clarify', 'replay/clarifyPayment'), 'clarifyPayment', () =>
    json(500, { title: 'Internal error', status: 500 }),
  ),
  defect(row('protocol/fails/now-and-then', 'replay'), () => {
    let count = 0;
    return {
      request() {
        count += 1;
        return count % 6 === 0 ? json(500, { title: 'Internal error', status: 500 }) : undefined;
      },
    };
  }),
  defect(row('protocol/hangs/balance', 'replay/getBalance', 'violating', { timeoutMs: 2_000 }), () => {
    let count = 0;
    return {
      request({ operation }) {
        if (operation !== 'getBalance') return undefined;
        count += 1;
        return count > 1 ? new Promise<undefined>(() => undefined) : undefined;
      },
    };
  }),
  defect(row('protocol/closes/confirm', 'replay/confirmPayment'), () => ({
    write(outgoing, response) {
      if (/\/confirm$/.test(response.req.url ?? '')) response.destroy();
      else response.writeHead(outgoing.status, outgoing.headers).end(outgoing.text ?? JSON.stringify(outgoing.body));
    },
  })),
];

const preflight: readonly Defect[] = [
  defect(row('protocol/everywhere/html', 'preflight'), () => ({
    response: html,
  })),
  defect(row('protocol/everywhere/redirect', 'preflight'), () => ({
    request: () => moved('https://pay.example.com/'),
  })),
  defect(row('protocol/everywhere/404', 'preflight'), () => ({
    request: () => json(404, { title: 'Not found', status: 404 }),
  })),
  defect(row('protocol/everywhere/401', 'preflight'), () => ({
    request: () => json(401, { title: 'Unauthorized', status: 401 }),
  })),
];

const paths: readonly Defect[] = [
  defect(row('protocol/path/not-ascii', 'bad-request/getPayment/not-ascii', 'differs'), () => ({
    request: ({ path }) => (path.includes('%E2%82%AC') ? failed() : undefined),
  })),
  defect(row('protocol/path/broken-escape', 'bad-request/getPayout/broken-escape', 'differs'), () => ({
    request: ({ path }) => (path.endsWith('%E2%82') ? failed() : undefined),
  })),
  defect(row('protocol/path/unknown-html', 'bad-request/unknown-path', 'differs'), () => ({
    request: ({ operation, path }) =>
      operation === '' && !path.startsWith('/sandbox')
        ? { status: 404, headers: { 'content-type': 'text/html' }, text: '<h1>Not found</h1>' }
        : undefined,
  })),
];

export const protocol: readonly Defect[] = [...statuses, ...problems, ...bodies, ...requests, ...paths, ...preflight];
