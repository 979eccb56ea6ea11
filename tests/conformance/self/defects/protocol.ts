/** Wrong uses of HTTP. */
import type { JsonObject } from '../../../../contract/src/model.ts';
import type { Outgoing } from '../alteration.ts';
import { toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, json, responding } from './build.ts';

const HTML = '<!doctype html><title>Error</title><h1>Something went wrong</h1>';
const DIFFERS = { verdict: 'differs' } as const;

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
  const row = {
    id: `protocol/status/${operation}-${from}-as-${to}`,
    title: `${operation} returns ${to} instead of ${from}`,
    foundBy,
  };
  return responding({ ...row, ...(verdict && { verdict }) }, operation, (response) => {
    if (response.status === from) response.status = to;
  });
});

/** Members of a problem that say something untrue. */
const UNTRUE: readonly (readonly [name: string, title: string, change: (problem: JsonObject) => JsonObject])[] = [
  [
    'type-of-another',
    'a 404 has the type of another problem',
    ({ type }) => ({ type: String(type).replace('not-found', 'wrong-state') }),
  ],
  ['detail-as-title', 'the title of a problem differs by occurrence', ({ detail = '' }) => ({ title: detail })],
  ['other-request-id', 'a problem names the request of another response', () => ({ request_id: 'req_another' })],
  [
    'other-place',
    'a problem blames a part that the request cannot have',
    () => ({ violations: [{ in: 'body', pointer: '', message: 'is wrong' }] }),
  ],
];

const untrue = UNTRUE.map(([name, title, change]) =>
  responding(
    { id: `protocol/problem/${name}`, title, foundBy: 'response/getPayment/errors', ...DIFFERS },
    'getPayment',
    (response) => {
      const problem = toObject(response.body);
      if (response.status === 404) response.body = { ...problem, ...change(problem) };
    },
  ),
);

const problems: readonly Defect[] = [
  ...untrue,
  responding(
    { id: 'protocol/problem/html', title: 'errors are HTML pages', foundBy: 'response/getPayment/errors', ...DIFFERS },
    'getPayment',
    (response) => {
      if (response.status === 404) html(response);
    },
  ),
  responding(
    { id: 'protocol/problem/empty', title: 'errors have no body', foundBy: 'response/getPayout/errors', ...DIFFERS },
    'getPayout',
    (response) => {
      if (response.status === 404) response.text = '';
    },
  ),
  responding(
    {
      id: 'protocol/problem/other-status',
      title: 'a problem has another status than its response',
      foundBy: 'response/getPayment/errors',
      ...DIFFERS,
    },
    'getPayment',
    (response) => {
      if (response.status === 404) response.body = { ...toObject(response.body), status: 500 };
    },
  ),
  responding(
    {
      id: 'protocol/problem/status-as-string',
      title: 'the status of a problem is a string',
      foundBy: 'response/getPayment/errors',
      ...DIFFERS,
    },
    'getPayment',
    (response) => {
      if (response.status === 404) response.body = { ...toObject(response.body), status: '404' };
    },
  ),
  responding(
    {
      id: 'protocol/problem/no-violations',
      title: 'a 400 has no violations',
      foundBy: 'response/createPayment/errors',
      ...DIFFERS,
    },
    'createPayment',
    (response) => {
      if (response.status === 400) response.body = { ...toObject(response.body), violations: [] };
    },
  ),
  responding(
    {
      id: 'protocol/problem/first-violation',
      title: 'a 400 lists the first of several mistakes only',
      foundBy: 'bad-request/clarifyPayment/two-mistakes',
      ...DIFFERS,
    },
    'clarifyPayment',
    (response) => {
      const { violations } = toObject(response.body);
      if (response.status === 400 && Array.isArray(violations)) violations.splice(1);
    },
  ),
  responding(
    {
      id: 'protocol/problem/wrong-pointer',
      title: 'a problem blames another field',
      foundBy: 'bad-input/createPayment/amount/string',
      ...DIFFERS,
    },
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
    {
      id: 'protocol/problem/no-www-authenticate',
      title: 'a 401 has no WWW-Authenticate',
      foundBy: 'response/getBalance/headers',
      ...DIFFERS,
    },
    'getBalance',
    (response) => {
      delete response.headers['www-authenticate'];
    },
  ),
  responding(
    {
      id: 'protocol/header/no-request-id',
      title: 'responses have no X-Request-Id',
      foundBy: 'response/getBalance/headers',
      ...DIFFERS,
    },
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
  responding(
    { id: 'protocol/type/html', title: 'a balance is sent as text/html', foundBy: 'replay/getBalance' },
    'getBalance',
    typed('text/html'),
  ),
  responding(
    { id: 'protocol/type/text', title: 'a payment is sent as text/plain', foundBy: 'replay/getPayment' },
    'getPayment',
    typed('text/plain'),
  ),
  responding(
    { id: 'protocol/type/none', title: 'a payout is sent without a media type', foundBy: 'replay/createPayout' },
    'createPayout',
    typed(undefined),
  ),
  responding(
    { id: 'protocol/body/utf-16', title: 'a balance is sent in UTF-16', foundBy: 'replay/getBalance' },
    'getBalance',
    (response) => {
      response.text = Buffer.from(JSON.stringify(response.body), 'utf16le');
    },
  ),
  responding(
    { id: 'protocol/body/two-values', title: 'a balance is followed by another value', foundBy: 'replay/getBalance' },
    'getBalance',
    (response) => {
      response.text = `${JSON.stringify(response.body)}{}`;
    },
  ),
  responding(
    { id: 'protocol/body/jsonp', title: 'a balance is a script', foundBy: 'replay/getBalance' },
    'getBalance',
    (response) => {
      response.text = `callback(${JSON.stringify(response.body)})`;
    },
  ),
  responding(
    {
      id: 'protocol/body/undeclared-gzip',
      title: 'a balance is compressed and does not say so',
      foundBy: 'replay/getBalance',
    },
    'getBalance',
    async (response) => {
      const { gzipSync } = await import('node:zlib');
      response.text = gzipSync(JSON.stringify(response.body));
    },
  ),
  responding(
    {
      id: 'protocol/body/error-in-200',
      title: 'createPayment returns 200 with an error',
      foundBy: 'replay/createPayment',
    },
    'createPayment',
    (response) => {
      response.body = { error: { code: 17, message: 'Try again' } };
    },
  ),
];

const moved = (to: string): Outgoing => ({ status: 301, headers: { location: to }, text: '' });

const requests: readonly Defect[] = [
  asking(
    { id: 'protocol/redirect/read', title: 'getPayment redirects', foundBy: 'replay/getPayment' },
    'getPayment',
    ({ path }) => (path.includes('/pay_01K') ? undefined : moved(`/v2${path}`)),
  ),
  asking(
    { id: 'protocol/redirect/create', title: 'createPayout redirects', foundBy: 'replay/createPayout' },
    'createPayout',
    () => moved('/v2/payouts'),
  ),
  asking(
    {
      id: 'protocol/busy/for-ever',
      title: 'createPayment returns 429 forever',
      foundBy: 'replay/createPayment',
      options: { timeoutMs: 3_000 },
    },
    'createPayment',
    () => ({
      ...json(429, { title: 'Too many requests', status: 429 }),
    }),
  ),
  asking(
    { id: 'protocol/fails/clarify', title: 'clarifyPayment returns 500', foundBy: 'replay/clarifyPayment' },
    'clarifyPayment',
    () => json(500, { title: 'Internal error', status: 500 }),
  ),
  asking(
    { id: 'protocol/fails/payouts', title: 'createPayout returns 501', foundBy: 'replay/createPayout' },
    'createPayout',
    () => json(501, { title: 'Not implemented', status: 501 }),
  ),
  asking(
    { id: 'protocol/fails/balance', title: 'getBalance returns 404', foundBy: 'replay/getBalance' },
    'getBalance',
    () => json(404, { title: 'Not found', status: 404 }),
  ),
  defect({ id: 'protocol/fails/now-and-then', title: 'every sixth request gets a 500', foundBy: 'replay' }, () => {
    let count = 0;
    return {
      request() {
        count += 1;
        return count % 6 === 0 ? json(500, { title: 'Internal error', status: 500 }) : undefined;
      },
    };
  }),
  defect(
    {
      id: 'protocol/hangs/balance',
      title: 'getBalance never responds after the first time',
      foundBy: 'replay/getBalance',
      options: { timeoutMs: 2_000 },
    },
    () => {
      let count = 0;
      return {
        request({ operation }) {
          if (operation !== 'getBalance') return undefined;
          count += 1;
          return count > 1 ? new Promise<undefined>(() => undefined) : undefined;
        },
      };
    },
  ),
  defect(
    { id: 'protocol/closes/confirm', title: 'confirmPayment closes the connection', foundBy: 'replay/confirmPayment' },
    () => ({
      write(outgoing, response) {
        if (/\/confirm$/.test(response.req.url ?? '')) response.destroy();
        else response.writeHead(outgoing.status, outgoing.headers).end(outgoing.text ?? JSON.stringify(outgoing.body));
      },
    }),
  ),
];

const preflight: readonly Defect[] = [
  defect({ id: 'protocol/everywhere/html', title: 'every response is an HTML page', foundBy: 'preflight' }, () => ({
    response: html,
  })),
  defect({ id: 'protocol/everywhere/redirect', title: 'every request is redirected', foundBy: 'preflight' }, () => ({
    request: () => moved('https://pay.example.com/'),
  })),
  defect({ id: 'protocol/everywhere/404', title: 'every request gets 404', foundBy: 'preflight' }, () => ({
    request: () => json(404, { title: 'Not found', status: 404 }),
  })),
  defect({ id: 'protocol/everywhere/401', title: 'every request gets 401', foundBy: 'preflight' }, () => ({
    request: () => json(401, { title: 'Unauthorized', status: 401 }),
  })),
];

export const protocol: readonly Defect[] = [...statuses, ...problems, ...bodies, ...requests, ...preflight];
