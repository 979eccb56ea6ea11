/** Wrong uses of HTTP. */
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Alteration, type Outgoing, toObject } from '../alteration.ts';
import { write } from '../proxy.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, problem, responding } from './build.ts';

/** Another status than the contract's, with the same body. */
const STATUSES: readonly (readonly [operation: string, from: number, to: number, found: string])[] = [
  ['createPayment', 200, 201, 'replay/createPayment'],
  ['createPayout', 201, 200, 'replay/createPayout'],
  ['confirmPayment', 200, 202, 'replay/confirmPayment'],
  ['createPayment', 400, 500, 'bad-input/createPayment/amount/string'],
  ['getPayment', 404, 200, 'differs lookup/getPayment/unknown'],
  ['getPayout', 404, 410, 'differs lookup/getPayout/unknown'],
  ['findPayment', 404, 500, 'race/findPayment'],
  ['confirmPayment', 409, 404, 'differs state/illegal/confirmPayment/CREATED'],
  ['confirmPayment', 409, 500, 'differs race/confirmPayment'],
  ['getBalance', 401, 403, 'differs access/getBalance/no-key'],
  ['getPayment', 401, 404, 'differs access/getPayment/no-key'],
];

const statuses = STATUSES.map(([operation, from, to, found]) =>
  responding(`status/${operation}-${from}-as-${to}`, found, operation, (response) => {
    if (response.status === from) response.status = to;
  }),
);

/** Members of a 404 that say something untrue. */
const UNTRUE: Readonly<Record<string, (problem: JsonObject) => JsonObject>> = {
  'type-of-another': ({ type }) => ({ type: String(type).replace('not-found', 'wrong-state') }),
  'detail-as-title': ({ detail = '' }) => ({ title: detail }),
  'other-place': () => ({ violations: [{ in: 'body', pointer: '', message: 'is wrong' }] }),
};

const untrue = Object.entries(UNTRUE).map(([name, change]) =>
  responding(`problem/${name}`, 'differs response/getPayment/errors', 'getPayment', (response) => {
    const given = toObject(response.body);
    if (response.status === 404) response.body = { ...given, ...change(given) };
  }),
);

const WRONG_PLACE = { in: 'body', pointer: '/currency', message: 'is wrong' };

/** Changes the violations that a 400 lists. */
function violating(name: string, found: string, operation: string, change: (list: unknown[]) => void): Defect {
  return responding(`problem/${name}`, found, operation, ({ status, body }) => {
    const { violations } = toObject(body);
    if (status === 400 && Array.isArray(violations)) change(violations);
  });
}

const problems: readonly Defect[] = [
  ...untrue,
  responding('problem/html', 'differs response/getPayment/errors', 'getPayment', (response) => {
    if (response.status === 404) respondInHtml(response);
  }),
  responding('problem/empty', 'differs response/getPayout/errors', 'getPayout', (response) => {
    if (response.status === 404) response.text = '';
  }),
  violating('no-violations', 'differs response/createPayment/errors', 'createPayment', (list) => list.splice(0)),
  violating('one-violation', 'differs bad-request/clarifyPayment/two-mistakes', 'clarifyPayment', (list) =>
    list.splice(1),
  ),
  violating('wrong-place', 'differs bad-input/createPayment/amount/string', 'createPayment', (list) =>
    list.splice(0, list.length, WRONG_PLACE),
  ),
];

function respondInHtml(response: Outgoing): void {
  response.headers['content-type'] = 'text/html; charset=utf-8';
  response.text = '<!doctype html><title>Error</title><h1>Something went wrong</h1>';
}

/** Changes the headers of an operation's responses. */
function heading(name: string, found: string, on: string, change: (headers: Outgoing['headers']) => void): Defect {
  return responding(`header/${name}`, found, on, ({ headers }) => change(headers));
}

const headers: readonly Defect[] = [
  heading('html', 'replay/getBalance', 'getBalance', (all) => Object.assign(all, { 'content-type': 'text/html' })),
  heading('no-content-type', 'replay/createPayout', 'createPayout', (all) => delete all['content-type']),
  heading('no-request-id', 'differs response/getBalance/headers', 'getBalance', (all) => delete all['x-request-id']),
  heading(
    'no-retry-after',
    'differs disturbance/createPayment/429',
    'createPayment',
    (all) => delete all['retry-after'],
  ),
  responding('header/one-request-id', 'differs response/getBalance/headers', 'getBalance', ({ headers, body }) => {
    headers['x-request-id'] = 'req_1';
    if ('request_id' in toObject(body)) toObject(body)['request_id'] = 'req_1';
  }),
];

const moved = (to: string): Outgoing => ({ status: 301, headers: { location: to }, text: '' });

const requests: readonly Defect[] = [
  asking('request/moved', 'replay/createPayout', 'createPayout', () => moved('/v2/payouts')),
  asking('request/busy-for-ever', 'replay/createPayment', 'createPayment', () => problem(429)),
  asking('request/hangs', 'replay/clarifyPayment', 'clarifyPayment', () => new Promise<never>(() => {})),
  defect('request/fails-now-and-then', 'replay', () => {
    let count = 0;
    return {
      request() {
        count += 1;
        return count % 6 === 0 ? problem(500) : undefined;
      },
    };
  }),
  defect('request/closes', 'replay/confirmPayment', () => ({
    write: (outgoing, response) =>
      /\/confirm$/.test(response.req.url ?? '') ? response.destroy() : write(outgoing, response),
  })),
];

/** Services at the address that aren't the merchant's. */
const ELSEWHERE: Readonly<Record<string, Alteration>> = {
  html: { response: respondInHtml },
  redirect: { request: () => moved('https://pay.example.com/') },
  404: { request: () => problem(404) },
  401: { request: () => problem(401) },
};

const elsewhere = Object.entries(ELSEWHERE).map(([name, alteration]) =>
  defect(`everywhere/${name}`, 'preflight', () => alteration),
);

const unknownPath = defect('path/unknown-html', 'differs bad-request/unknown-path', () => ({
  response(response, { operation, path }) {
    if (operation === '' && !path.startsWith('/sandbox')) respondInHtml(response);
  },
}));

export const protocol: readonly Defect[] = [
  ...[...statuses, ...problems, ...headers],
  ...[...requests, ...elsewhere, unknownPath],
];
