/** Invalid requests that succeed. */
import { randomUUID } from 'node:crypto';
import { isObject, type Json, type JsonObject, readBundle } from '../../../../contract/src/model.ts';
import { type Incoming, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, CREATIONS, completeAction } from './build.ts';

const CURRENCIES = readBundle().components.schemas['Currency']?.enum ?? [];
const RECIPIENT = { id: 'succeed', name: 'Asha Rao', account_number: '50100212345671', bank_code: 'HDFC0000123' };

const createValidBody = (operation: string): JsonObject => ({
  ...{ amount: 1_000, currency: 'INR', merchant_order_id: `lenient-${randomUUID()}` },
  ...(operation === 'createPayment'
    ? { payment_method_type: 'UPI_IN', customer: { id: 'succeed' } }
    : { payment_method_type: 'IMPS_IN', customer: RECIPIENT }),
  callback_url: 'http://127.0.0.1:9/',
});

/** Takes invalid requests for valid ones. */
function accepting(found: string, operation: string, isInvalid: (request: Incoming) => boolean): Defect {
  return asking(found.replace(/^(differs )?bad-\w+\//, ''), found, operation, (request) => {
    if (!isInvalid(request)) return;
    request.headers['content-type'] = 'application/json';
    rewrite(request, createValidBody(operation));
  });
}

/** The end of the check's id, a test of the value, and the verdict if it isn't `violating`. */
type Leniency<T> = readonly [check: string, isInvalid: (value: T) => boolean, verdict?: 'differs'];

const toFound = (check: string, verdict?: string) => (verdict === undefined ? check : `${verdict} ${check}`);
const readCustomer = (body: JsonObject) => toObject(body['customer']);
const hasNoCustomerId = ({ customer }: JsonObject) => isObject(customer) && !('id' in customer);

const BODIES: readonly Leniency<JsonObject>[] = [
  ['amount/string', ({ amount }) => typeof amount === 'string'],
  ['amount/fraction', ({ amount }) => typeof amount === 'number' && !Number.isInteger(amount)],
  ['amount/null', ({ amount }) => amount === null],
  ['amount/boolean', ({ amount }) => amount === true],
  ['amount/negative', ({ amount }) => Number(amount) < 0, 'differs'],
  ['amount/below-minimum', ({ amount }) => amount === 0, 'differs'],
  ['amount/above-maximum', ({ amount }) => Number(amount) === 2 ** 53, 'differs'],
  ['amount/huge', ({ amount }) => Number(amount) > 1e100, 'differs'],
  [
    'currency/unknown-value',
    ({ currency }) => /^[A-Z]{3}$/.test(String(currency)) && !CURRENCIES.includes(String(currency)),
  ],
  ['currency/lower-case', ({ currency }) => currency === 'inr'],
  ['currency/number', ({ currency }) => typeof currency === 'number'],
  ['merchant_order_id/number', ({ merchant_order_id: id }) => typeof id === 'number'],
  ['merchant_order_id/empty', ({ merchant_order_id: id }) => id === '', 'differs'],
  ['merchant_order_id/too-long', ({ merchant_order_id: id }) => String(id).length > 255, 'differs'],
  ['customer/string', ({ customer }) => typeof customer === 'string'],
  ['customer/id/missing', hasNoCustomerId, 'differs'],
  ['customer/email/no-address', (body) => readCustomer(body)['email'] === 'nobody'],
  ['customer/phone/no-plus', (body) => /^\d+$/.test(String(readCustomer(body)['phone'])), 'differs'],
  ['customer/name/number', (body) => typeof readCustomer(body)['name'] === 'number'],
  ['callback_url/no-url', ({ callback_url: url }) => url === 'not a URL'],
  ['callback_url/other-scheme', ({ callback_url: url }) => String(url).startsWith('ftp'), 'differs'],
  ['field_unknown_to_the_contract/unknown', (body) => 'field_unknown_to_the_contract' in body, 'differs'],
];

const REQUIRED = ['amount', 'currency', 'merchant_order_id', 'customer', 'callback_url'];

/** Payouts are required to have fields by an assumption only. */
const listMissing = (operation: string): Leniency<JsonObject>[] =>
  REQUIRED.map((name) => {
    const isMissing = (body: JsonObject) => !(name in body);
    return operation === 'createPayout' ? [`${name}/missing`, isMissing, 'differs'] : [`${name}/missing`, isMissing];
  });

const ofPayments: readonly Leniency<JsonObject>[] = [
  ['customer', (body) => Object.keys(readCustomer(body)).some((name) => /unknown/.test(name)), 'differs'],
];

const bodies = CREATIONS.flatMap((operation) =>
  [...BODIES, ...listMissing(operation), ...(operation === 'createPayment' ? ofPayments : [])].map(
    ([check, isInvalid, verdict]) =>
      accepting(
        toFound(`bad-input/${operation}/${check}`, verdict),
        operation,
        ({ body }) => isObject(body) && isInvalid(body),
      ),
  ),
);

const isBroken = ({ body, bytes }: Incoming) => body === undefined && bytes.length > 0 && !bytes.includes(0xff);
const has = (pattern: RegExp) => (request: Incoming) => pattern.test(request.bytes.toString());

const REQUESTS: readonly Leniency<Incoming>[] = [
  ['bad-input/createPayment/body/list', ({ body }) => Array.isArray(body)],
  ['bad-request/createPayment/broken-json', isBroken],
  ['bad-request/createPayment/no-body', ({ bytes }) => bytes.length === 0],
  ['bad-request/createPayment/media-type', ({ headers }) => !/json/.test(headers['content-type'] ?? ''), 'differs'],
  ['bad-request/createPayment/trailing-text', has(/\}x$/)],
  ['bad-request/createPayment/trailing-comma', has(/,\}$/)],
  ['bad-request/createPayment/other-case', has(/"Amount"/), 'differs'],
];

const requests = REQUESTS.map(([check, isInvalid, verdict]) =>
  accepting(toFound(check, verdict), 'createPayment', isInvalid),
);

/** Ends of the checks' ids, which begin with the field. */
const ACTIONS: readonly Leniency<Json | undefined>[] = [
  ['confirm_data/missing', (data) => data === undefined],
  ['confirm_data/null', (data) => data === null],
  ['confirm_data/list', (data) => Array.isArray(data)],
  ['confirm_data/tid/number', (data) => typeof toObject(data)['tid'] === 'number'],
  ['confirm_data/empty', (data) => JSON.stringify(data) === '{}', 'differs'],
  ['clarify_data/missing', (data) => data === undefined],
  ['clarify_data/string', (data) => typeof data === 'string'],
  ['clarify_data/phone/letters', (data) => toObject(data)['phone'] === '+91-CALL-NOW', 'differs'],
  ['clarify_data/name/list', (data) => Array.isArray(toObject(data)['name'])],
];

const actions = ACTIONS.map(([check, isInvalid, verdict]): Defect => {
  const operation = check.startsWith('confirm') ? 'confirmPayment' : 'clarifyPayment';
  const found = toFound(`bad-input/${operation}/${check}`, verdict);
  return asking(`${operation}/${check}`, found, operation, (request, backend) => {
    const { body } = request;
    const [field = ''] = check.split('/');
    return isObject(body) && isInvalid(body[field]) ? completeAction(request, backend) : undefined;
  });
});

export const validation: readonly Defect[] = [...bodies, ...requests, ...actions];
