/** Faults that only data of real customers show: large amounts, any text, one value in two places, requests at once. */
import { type Incoming, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import {
  asking,
  CREATIONS,
  clashing,
  finding,
  readCustomer,
  readOrder,
  refusing,
  replaying,
  shown,
  turned,
} from './build.ts';

/** Shows another amount. */
function amount(name: string, check: string, turn: (value: number) => number | string): Defect {
  return shown(
    `amount/${name}`,
    `amount/${check}`,
    {},
    turned('amount', (value) => turn(Number(value))),
  );
}

const amounts: readonly Defect[] = [
  amount('hundredths', 'createPayment/1003', (value) => Math.trunc((value / 100) * 100)),
  amount('signed-32', 'createPayment/2147483648', (value) => Math.min(value, 2 ** 31 - 1)),
  amount('unsigned-32', 'createPayout/4294967296', (value) => value % 2 ** 32 || 1),
  amount('float-32', 'createPayment/16777217', Math.fround),
  amount('rounded', 'createPayout/9007199254740991', (value) => Math.floor(value / 2) * 2 || 1),
  amount('large-as-text', 'createPayment/4294967296', (value) => (value > 2 ** 31 ? String(value) : value)),
  refusing('amount/largest', 'differs amount/createPayment/9007199254740991', 400, ({ body }) =>
    Object.is(toObject(body)['amount'], Number.MAX_SAFE_INTEGER),
  ),
];

/** Shows a wrong order ID. */
function order(name: string, check: string, turn: (value: string) => string | number): Defect {
  return shown(
    `text/${name}`,
    `text/${check}`,
    {},
    turned('merchant_order_id', (value) => turn(String(value))),
  );
}

/** Treats similar order IDs as equal. */
function loose(name: string, operation: string, fold: (value: string) => string): Defect {
  const found = `differs text/${operation}/differing-${name}`;
  return clashing(`text/loose-${name}`, found, (first, again) => readOrder(first) !== readOrder(again), fold);
}

/** Refuses requests of an operation with text outside ASCII. */
function ascii(operation: string, check: string): Defect {
  return refusing(`text/ascii-in-${operation}`, `differs text/${check}`, 400, (request) => {
    const text = JSON.stringify(request.body) ?? '';
    return request.operation === operation && /[^\0-~]/.test(text);
  });
}

/** Refuses creations with a text. */
function refusingText(name: string, check: string, pattern: RegExp): Defect {
  return refusing(`text/${name}`, `differs text/${check}`, 400, (request) =>
    Object.values({ ...toObject(request.body), ...readCustomer(request) }).some(
      (value) => typeof value === 'string' && pattern.test(value),
    ),
  );
}

const isOddCustomer = (request: Incoming) => /[^\w-]/.test(String(readCustomer(request)['id'] ?? ''));
const readMethod = ({ body }: Incoming) => String(toObject(body)['payment_method_type']);

const texts: readonly Defect[] = [
  order('normalized', 'createPayment/decomposed', (text) => text.normalize('NFC')),
  order('trimmed', 'createPayment/spaces', (text) => text.trim()),
  order('escaped', 'createPayout/html', (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  order('cut', 'createPayout/longest', (text) => text.slice(0, 100)),
  order('without-emoji', 'createPayment/emoji', (text) => text.replace(/[^\0-\uffff]/gu, '?')),
  order('upper-case', 'createPayout/capitals-and-digits', (text) => text.toUpperCase()),
  order('numeric', 'createPayment/differing-leading-zero', (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text)),
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
  refusingText('blank', 'createPayment/blank', /^\s+$/),
  refusingText('null', 'createPayout/null', /^(null|undefined|none)$/i),
  refusing('text/closed-methods', 'differs text/createPayment/unknown-method', 400, (request) =>
    readMethod(request).startsWith('METHOD_'),
  ),
  refusing('text/closed-levels', 'differs text/createPayment/right-to-left', 400, (request) => {
    const level = readCustomer(request)['kyc_level'];
    return typeof level === 'string' && level !== 'TRUSTED';
  }),
  ...CREATIONS.map((operation) =>
    refusing(`text/plain-customers-in-${operation}`, `differs text/${operation}/customer-id`, 400, isOddCustomer),
  ),
];

const findPayoutId = (text: string) => /out_[A-Za-z0-9_-]+/.exec(text)?.[0];

const lookups: readonly Defect[] = [
  asking('lookup/payout-as-payment', 'differs lookup/getPayment/other-kind', 'getPayment', (request) => {
    const id = findPayoutId(request.path);
    if (id !== undefined) request.path = `/payouts/${id}`;
  }),
  asking('lookup/payout-found', 'differs lookup/findPayment/other-kind', 'findPayment', (request) => {
    const id = findPayoutId(request.query);
    if (id !== undefined) Object.assign(request, { path: `/payouts/${id}`, query: '' });
  }),
  clashing(
    'lookup/one-space-of-orders',
    'differs lookup/one-order-id',
    (first, again) => first.operation !== again.operation,
  ),
  replaying('lookup/cached', 'lookup/findPayment/before-and-after', 'findPayment'),
  finding('lookup/prefix-payment', 'lookup/getPayment/exact', 'getPayment', (given, id) => id.startsWith(given)),
  finding('lookup/prefix-payout', 'lookup/getPayout/exact', 'getPayout', (given, id) => id.startsWith(given)),
  finding('lookup/prefix-order', 'lookup/findPayment/exact', 'findPayment', (given, _id, order) =>
    order.startsWith(given),
  ),
];

const written = (pattern: RegExp) => (request: Incoming) => pattern.test(request.bytes.toString());
const readHeader = ({ headers }: Incoming, name: string) => headers[name] ?? '';

/** Forms of valid creations that get a status instead. */
const FORMS: readonly [form: string, status: number, fits: (request: Incoming) => boolean][] = [
  ['amount-with-zeros', 400, written(/"amount":\d+\.0/)],
  ['amount-with-exponent', 400, written(/"amount":\d+e/)],
  ['charset', 415, (request) => readHeader(request, 'content-type').includes(';')],
  ['scheme', 401, (request) => readHeader(request, 'authorization').startsWith('bearer')],
  ['contact', 400, written(/"email":"[^"]*\+/)],
  ['method-constructor', 500, (request) => readMethod(request) in {}],
];

const FORMS_OF_PAYMENTS: typeof FORMS = [
  ['long-urls', 400, ({ body }) => String(toObject(body)['callback_url']).length > 1_000],
  ['media-type-case', 415, (request) => /^[^;]*[A-Z]/.test(readHeader(request, 'content-type'))],
];

const forms = CREATIONS.flatMap((operation) =>
  [...FORMS, ...(operation === 'createPayment' ? FORMS_OF_PAYMENTS : [])].map(([form, status, fits]) =>
    refusing(`form/${operation}/${form}`, `differs form/${operation}/${form}`, status, fits),
  ),
);

export const customers: readonly Defect[] = [...amounts, ...texts, ...lookups, ...forms];
