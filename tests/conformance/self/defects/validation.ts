/** Invalid requests that succeed. */
import { randomUUID } from 'node:crypto';
import { isObject, type Json, type JsonObject, readBundle } from '../../../../contract/src/model.ts';
import { type Backend, type Incoming, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, row } from './build.ts';

const CALLBACK = 'http://127.0.0.1:9/';
const CURRENCIES = readBundle().components.schemas['Currency']?.enum ?? [];
const CREATIONS = { createPayment: 'payment', createPayout: 'payout' } as const;
type Creation = keyof typeof CREATIONS;

/** Ends of the check's id, the invalid values, and valid values in their place, which the gateway accepts. */
type Leniency = readonly [
  check: string,
  applies: (body: JsonObject) => boolean,
  repair: (body: JsonObject) => JsonObject,
  verdict?: Defect['verdict'],
];

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
const readCustomer = (body: JsonObject) => toObject(body['customer']);

/** For both creations. Payouts are required to have fields by an assumption only. */
const LENIENCIES: readonly Leniency[] = [
  ['amount/string', ({ amount }) => typeof amount === 'string', field('amount', 1_000)],
  ['amount/fraction', ({ amount }) => typeof amount === 'number' && !Number.isInteger(amount), field('amount', 1_000)],
  ['amount/null', ({ amount }) => amount === null, field('amount', 1_000)],
  ['amount/boolean', ({ amount }) => amount === true, field('amount', 1_000)],
  [
    'amount/negative',
    ({ amount }) => Number(amount) < 0,
    (body) => ({ ...body, amount: -Number(body['amount']) }),
    'differs',
  ],
  ['amount/below-minimum', ({ amount }) => amount === 0, field('amount', 1_000), 'differs'],
  ['amount/above-maximum', ({ amount }) => Number(amount) === 2 ** 53, field('amount', 1_000), 'differs'],
  ['amount/huge', ({ amount }) => Number(amount) > 1e100, field('amount', 1_000), 'differs'],
  [
    'currency/unknown-value',
    ({ currency }) => /^[A-Z]{3}$/.test(String(currency)) && !CURRENCIES.includes(String(currency)),
    field('currency', 'INR'),
  ],
  ['currency/lower-case', ({ currency }) => currency === 'inr', field('currency', 'INR')],
  ['currency/number', ({ currency }) => typeof currency === 'number', field('currency', 'INR')],
  [
    'merchant_order_id/number',
    ({ merchant_order_id: id }) => typeof id === 'number',
    field('merchant_order_id', order),
  ],
  ['merchant_order_id/empty', ({ merchant_order_id: id }) => id === '', field('merchant_order_id', order), 'differs'],
  [
    'merchant_order_id/too-long',
    ({ merchant_order_id: id }) => String(id).length > 255,
    field('merchant_order_id', order),
    'differs',
  ],
  [
    'customer/string',
    ({ customer }) => typeof customer === 'string',
    (body) => ({ ...body, customer: body['payment_method_type'] === 'UPI_IN' ? PAYER : RECIPIENT }),
  ],
  [
    'customer/id/missing',
    (body) => 'customer' in body && !('id' in readCustomer(body)) && !Array.isArray(body['customer']),
    customerField('id', 'succeed'),
    'differs',
  ],
  [
    'customer/email/no-address',
    (body) => readCustomer(body)['email'] === 'nobody',
    customerField('email', 'a@example.com'),
  ],
  [
    'customer/phone/no-plus',
    (body) => /^\d+$/.test(String(readCustomer(body)['phone'])),
    customerField('phone', '+919812345671'),
    'differs',
  ],
  ['customer/name/number', (body) => typeof readCustomer(body)['name'] === 'number', customerField('name', 'Asha')],
  ['callback_url/no-url', ({ callback_url: url }) => url === 'not a URL', field('callback_url', CALLBACK)],
  [
    'callback_url/other-scheme',
    ({ callback_url: url }) => String(url).startsWith('ftp'),
    field('callback_url', CALLBACK),
    'differs',
  ],
  [
    'field_unknown_to_the_contract/unknown',
    (body) => 'field_unknown_to_the_contract' in body,
    ({ field_unknown_to_the_contract: _, ...rest }) => rest,
    'differs',
  ],
];

const MISSING: Readonly<Record<string, Json | (() => Json)>> = {
  amount: 1_000,
  currency: 'INR',
  merchant_order_id: order,
  customer: { id: 'succeed' },
  callback_url: CALLBACK,
};

const missing = (operation: Creation): Leniency[] =>
  Object.entries(MISSING).map(([name, value]) => [
    `${name}/missing`,
    (body) => !(name in body),
    field(name, value),
    operation === 'createPayout' ? 'differs' : 'violating',
  ]);

const creations = (Object.keys(CREATIONS) as Creation[]).flatMap((operation) =>
  [...LENIENCIES, ...missing(operation)].map(([check, applies, repair, verdict]): Defect => {
    const id = `validation/${CREATIONS[operation]}/${check.replaceAll('/', '-')}`;
    return asking(row(id, `bad-input/${operation}/${check}`, verdict), operation, (request) => {
      const { body } = request;
      if (isObject(body) && applies(body)) rewrite(request, repair(body));
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
  asking(row('validation/body/broken-json', 'bad-request/createPayment/broken-json'), 'createPayment', (request) => {
    if (request.body === undefined && request.bytes.length > 0 && !request.bytes.includes(0xff))
      rewrite(request, EMPTY());
  }),
  asking(row('validation/body/none', 'bad-request/createPayment/no-body'), 'createPayment', (request) => {
    if (request.bytes.length > 0) return;
    request.headers['content-type'] = 'application/json';
    rewrite(request, EMPTY());
  }),
  asking(row('validation/body/a-list', 'bad-input/createPayment/body/list'), 'createPayment', (request) => {
    if (Array.isArray(request.body)) rewrite(request, EMPTY());
  }),
  asking(
    row('validation/body/text-plain', 'bad-request/createPayment/media-type', 'differs'),
    'createPayment',
    (request) => {
      request.headers['content-type'] = 'application/json';
    },
  ),
];

/** Actions with the wrong data. */
const ACTIONS: readonly (readonly [
  operation: string,
  check: string,
  applies: (data: Json | undefined) => boolean,
  verdict?: Defect['verdict'],
])[] = [
  ['confirmPayment', 'confirm_data/missing', (data) => data === undefined],
  ['confirmPayment', 'confirm_data/null', (data) => data === null],
  ['confirmPayment', 'confirm_data/list', (data) => Array.isArray(data)],
  ['confirmPayment', 'confirm_data/tid/number', (data) => typeof toObject(data)['tid'] === 'number'],
  ['confirmPayment', 'confirm_data/empty', (data) => JSON.stringify(data) === '{}', 'differs'],
  ['clarifyPayment', 'clarify_data/missing', (data) => data === undefined],
  ['clarifyPayment', 'clarify_data/string', (data) => typeof data === 'string'],
  ['clarifyPayment', 'clarify_data/phone/letters', (data) => toObject(data)['phone'] === '+91-CALL-NOW', 'differs'],
  ['clarifyPayment', 'clarify_data/name/list', (data) => Array.isArray(toObject(data)['name'])],
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

const acting = ACTIONS.map(([operation, check, applies, verdict]): Defect => {
  const [data, list] =
    operation === 'confirmPayment' ? (['confirm_data', 'confirm'] as const) : (['clarify_data', 'clarify'] as const);
  const id = `validation/${operation}/${check.replaceAll('/', '-')}`;
  return defect(row(id, `bad-input/${operation}/${check}`, verdict), () => ({
    async request(request, backend) {
      const { body } = request;
      if (request.operation !== operation || !isObject(body) || !applies(body[data])) return;
      const payment = await readPayment(request, backend);
      const names = Array.isArray(payment[list]) ? (payment[list] as string[]) : [];
      rewrite(request, {
        [data]: Object.fromEntries(
          names.map((name) => [name, name === 'amount' ? String(payment['amount']) : (SAMPLES[name] ?? 'x')]),
        ),
      });
    },
  }));
});

/** Repairs a body before the gateway sees it, as a lenient parser does. */
function lenient(name: string, repair: (text: string) => string, verdict?: Defect['verdict']): Defect {
  const found = row(`validation/parsing/${name}`, `bad-request/createPayment/${name}`, verdict);
  return asking(found, 'createPayment', (request) => {
    request.bytes = Buffer.from(repair(request.bytes.toString()));
  });
}

const parsing: readonly Defect[] = [
  lenient('trailing-text', (text) => text.replace(/\}x$/, '}')),
  lenient('trailing-comma', (text) => text.replace(/,\}$/, '}')),
  lenient('other-case', (text) => text.replace('"Amount"', '"amount"'), 'differs'),
];

export const validation: readonly Defect[] = [...creations, ...bodies, ...parsing, ...acting];
