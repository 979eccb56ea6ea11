/** Invalid requests that succeed. */
import { randomUUID } from 'node:crypto';
import { type Json, type JsonObject, readBundle } from '../../../../contract/src/model.ts';
import { type Backend, type Incoming, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect } from './build.ts';

const CALLBACK = 'http://127.0.0.1:9/';
const CURRENCIES = readBundle().components.schemas['Currency']?.enum ?? [];
const CREATIONS = { createPayment: 'payment', createPayout: 'payout' } as const;
type Creation = keyof typeof CREATIONS;

/** The check, the invalid value, its condition, and the gateway's replacement for it. */
interface Leniency {
  readonly check: string;
  readonly title: string;
  readonly applies: (body: JsonObject) => boolean;
  readonly repaired: (body: JsonObject) => JsonObject;
  readonly verdict?: Defect['verdict'];
}

const field = (name: string, value: Json | (() => Json)) => (body: JsonObject) => ({
  ...body,
  [name]: typeof value === 'function' ? value() : value,
});
const customerField = (name: string, value: Json) => (body: JsonObject) => ({
  ...body,
  customer: { ...toObject(body['customer']), [name]: value },
});
const PAYER = { id: 'succeed' };
const RECIPIENT = { ...PAYER, name: 'Asha Rao', account_number: '50100212345671', bank_code: 'HDFC0000123' };
const order = () => `lenient-${randomUUID()}`;
const isMissing = (name: string) => (body: JsonObject) => !(name in body);
const readCustomer = (body: JsonObject) => toObject(body['customer']);

const DIFFERS = { verdict: 'differs' } as const;

/** For both creations. Payouts are required to have fields by an assumption only. */
const LENIENCIES: readonly Leniency[] = [
  {
    check: 'amount/string',
    title: 'a string as an amount',
    applies: ({ amount }) => typeof amount === 'string',
    repaired: field('amount', 1_000),
  },
  {
    check: 'amount/fraction',
    title: 'a fractional amount',
    applies: ({ amount }) => typeof amount === 'number' && !Number.isInteger(amount),
    repaired: field('amount', 1_000),
  },
  {
    check: 'amount/null',
    title: 'an amount of null',
    applies: ({ amount }) => amount === null,
    repaired: field('amount', 1_000),
  },
  {
    check: 'amount/boolean',
    title: 'an amount of true',
    applies: ({ amount }) => amount === true,
    repaired: field('amount', 1_000),
  },
  {
    check: 'amount/negative',
    title: 'a negative amount',
    applies: ({ amount }) => Number(amount) < 0,
    repaired: (body) => ({ ...body, amount: -Number(body['amount']) }),
    ...DIFFERS,
  },
  {
    check: 'amount/below-minimum',
    title: 'an amount of 0',
    applies: ({ amount }) => amount === 0,
    repaired: field('amount', 1_000),
    ...DIFFERS,
  },
  {
    check: 'amount/above-maximum',
    title: 'an amount that JSON readers round',
    applies: ({ amount }) => Number(amount) === 2 ** 53,
    repaired: field('amount', 1_000),
    ...DIFFERS,
  },
  {
    check: 'amount/huge',
    title: 'an amount of 1e300',
    applies: ({ amount }) => Number(amount) > 1e100,
    repaired: field('amount', 1_000),
    ...DIFFERS,
  },
  {
    check: 'currency/unknown-value',
    title: 'an unknown currency',
    applies: ({ currency }) => /^[A-Z]{3}$/.test(String(currency)) && !CURRENCIES.includes(String(currency)),
    repaired: field('currency', 'INR'),
  },
  {
    check: 'currency/lower-case',
    title: 'a currency in lower case',
    applies: ({ currency }) => currency === 'inr',
    repaired: field('currency', 'INR'),
  },
  {
    check: 'currency/number',
    title: 'a number as a currency',
    applies: ({ currency }) => typeof currency === 'number',
    repaired: field('currency', 'INR'),
  },
  {
    check: 'merchant_order_id/number',
    title: 'a number as an order id',
    applies: ({ merchant_order_id: id }) => typeof id === 'number',
    repaired: field('merchant_order_id', order),
  },
  {
    check: 'merchant_order_id/empty',
    title: 'an empty order id',
    applies: ({ merchant_order_id: id }) => id === '',
    repaired: field('merchant_order_id', order),
    ...DIFFERS,
  },
  {
    check: 'merchant_order_id/too-long',
    title: 'an order id of 256 characters',
    applies: ({ merchant_order_id: id }) => String(id).length > 255,
    repaired: field('merchant_order_id', order),
    ...DIFFERS,
  },
  {
    check: 'customer/string',
    title: 'a string as a customer',
    applies: ({ customer }) => typeof customer === 'string',
    repaired: (body) => ({ ...body, customer: body['payment_method_type'] === 'UPI_IN' ? PAYER : RECIPIENT }),
  },
  {
    check: 'customer/id/missing',
    title: 'a customer without an id',
    applies: (body) => 'customer' in body && !('id' in readCustomer(body)) && !Array.isArray(body['customer']),
    repaired: customerField('id', 'succeed'),
    ...DIFFERS,
  },
  {
    check: 'customer/email/no-address',
    title: 'an invalid email address',
    applies: (body) => readCustomer(body)['email'] === 'nobody',
    repaired: customerField('email', 'a@example.com'),
  },
  {
    check: 'customer/phone/no-plus',
    title: 'a phone number without its plus',
    applies: (body) => /^\d+$/.test(String(readCustomer(body)['phone'])),
    repaired: customerField('phone', '+919812345671'),
    ...DIFFERS,
  },
  {
    check: 'customer/name/number',
    title: 'a number as a name',
    applies: (body) => typeof readCustomer(body)['name'] === 'number',
    repaired: customerField('name', 'Asha'),
  },
  {
    check: 'callback_url/no-url',
    title: 'an invalid callback_url',
    applies: ({ callback_url: url }) => url === 'not a URL',
    repaired: field('callback_url', CALLBACK),
  },
  {
    check: 'callback_url/other-scheme',
    title: 'a callback_url with ftp',
    applies: ({ callback_url: url }) => String(url).startsWith('ftp'),
    repaired: field('callback_url', CALLBACK),
    ...DIFFERS,
  },
  {
    check: 'field_unknown_to_the_contract/unknown',
    title: 'an unknown field',
    applies: (body) => 'field_unknown_to_the_contract' in body,
    repaired: ({ field_unknown_to_the_contract: _, ...rest }) => rest,
    ...DIFFERS,
  },
];

const MISSING: Readonly<Record<string, Json | (() => Json)>> = {
  amount: 1_000,
  currency: 'INR',
  merchant_order_id: order,
  customer: { id: 'succeed' },
  callback_url: CALLBACK,
};

const missing = (operation: Creation): Leniency[] =>
  Object.entries(MISSING).map(([name, value]) => ({
    check: `${name}/missing`,
    title: `a body without ${name}`,
    applies: isMissing(name),
    repaired: field(name, value),
    ...(operation === 'createPayout' && DIFFERS),
  }));

const creations = (Object.keys(CREATIONS) as Creation[]).flatMap((operation) =>
  [...LENIENCIES, ...missing(operation)].map(({ check, title, applies, repaired, verdict }): Defect => {
    const name = check.replaceAll('/', '-');
    const row = {
      id: `validation/${CREATIONS[operation]}/${name}`,
      title: `${operation} accepts ${title}`,
      foundBy: `bad-input/${operation}/${check}`,
    };
    return asking({ ...row, ...(verdict && { verdict }) }, operation, (request) => {
      const { body } = request;
      if (typeof body !== 'object' || body === null || Array.isArray(body) || !applies(body)) return undefined;
      rewrite(request, repaired(body));
      return undefined;
    });
  }),
);

/** Whole bodies that aren't objects, or not JSON. */
const EMPTY = (): JsonObject => ({
  amount: 1_000,
  currency: 'INR',
  merchant_order_id: order(),
  customer: { id: 'succeed' },
  payment_method_type: 'UPI_IN',
  callback_url: CALLBACK,
});

const bodies: readonly Defect[] = [
  asking(
    {
      id: 'validation/body/broken-json',
      title: 'createPayment takes broken JSON as an empty object with defaults',
      foundBy: 'bad-request/createPayment/broken-json',
    },
    'createPayment',
    (request) => {
      if (request.body === undefined && request.bytes.length > 0 && !request.bytes.includes(0xff))
        rewrite(request, EMPTY());
      return undefined;
    },
  ),
  asking(
    {
      id: 'validation/body/none',
      title: 'createPayment takes no body as an empty object with defaults',
      foundBy: 'bad-request/createPayment/no-body',
    },
    'createPayment',
    (request) => {
      if (request.bytes.length > 0) return undefined;
      request.headers['content-type'] = 'application/json';
      rewrite(request, EMPTY());
      return undefined;
    },
  ),
  asking(
    { id: 'validation/body/a-list', title: 'createPayment takes a list', foundBy: 'bad-input/createPayment/body/list' },
    'createPayment',
    (request) => {
      if (Array.isArray(request.body)) rewrite(request, EMPTY());
      return undefined;
    },
  ),
  asking(
    {
      id: 'validation/body/text-plain',
      title: 'createPayment takes JSON as text/plain',
      foundBy: 'bad-request/createPayment/media-type',
      verdict: 'differs',
    },
    'createPayment',
    (request) => {
      request.headers['content-type'] = 'application/json';
      return undefined;
    },
  ),
];

/** Actions with the wrong data. */
const ACTIONS: readonly (readonly [
  operation: string,
  check: string,
  title: string,
  applies: (data: Json | undefined) => boolean,
  verdict?: Defect['verdict'],
])[] = [
  ['confirmPayment', 'confirm_data/missing', 'a body without confirm_data', (data) => data === undefined],
  ['confirmPayment', 'confirm_data/null', 'confirm_data of null', (data) => data === null],
  ['confirmPayment', 'confirm_data/list', 'confirm_data as a list', (data) => Array.isArray(data)],
  [
    'confirmPayment',
    'confirm_data/tid/number',
    'a number as a tid',
    (data) => typeof toObject(data)['tid'] === 'number',
  ],
  ['confirmPayment', 'confirm_data/empty', 'empty confirm_data', (data) => JSON.stringify(data) === '{}', 'differs'],
  ['clarifyPayment', 'clarify_data/missing', 'a body without clarify_data', (data) => data === undefined],
  ['clarifyPayment', 'clarify_data/string', 'clarify_data as a string', (data) => typeof data === 'string'],
  [
    'clarifyPayment',
    'clarify_data/phone/letters',
    'a phone number with letters',
    (data) => toObject(data)['phone'] === '+91-CALL-NOW',
    'differs',
  ],
  ['clarifyPayment', 'clarify_data/name/list', 'a list as a name', (data) => Array.isArray(toObject(data)['name'])],
];

async function readPayment(request: Incoming, backend: Backend): Promise<JsonObject> {
  const path = request.path.replace(/\/(clarify|confirm)$/, '');
  return toObject(
    (await backend.send({ method: 'GET', path, headers: { authorization: `Bearer ${backend.key}` } })).body,
  );
}

const SAMPLES: Readonly<Record<string, string>> = {
  phone: '+919812345671',
  email: 'a@example.com',
  name: 'Asha Rao',
  account_number: '1234',
  tid: '4061',
};

const acting = ACTIONS.map(([operation, check, title, applies, verdict]): Defect => {
  const [data, list] = operation === 'confirmPayment' ? ['confirm_data', 'confirm'] : ['clarify_data', 'clarify'];
  const row = {
    id: `validation/${operation}/${check.replaceAll('/', '-')}`,
    title: `${operation} accepts ${title}`,
    foundBy: `bad-input/${operation}/${check}`,
  };
  return defect({ ...row, ...(verdict && { verdict }) }, () => ({
    async request(request, backend) {
      const { body } = request;
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
      if (request.operation !== operation || !isObject || !applies(body[data as string])) return undefined;
      const payment = await readPayment(request, backend);
      const names = Array.isArray(payment[list as string]) ? (payment[list as string] as string[]) : [];
      rewrite(request, {
        [data as string]: Object.fromEntries(
          names.map((name) => [name, name === 'amount' ? String(payment['amount']) : (SAMPLES[name] ?? 'x')]),
        ),
      });
      return undefined;
    },
  }));
});

export const validation: readonly Defect[] = [...creations, ...bodies, ...acting];
