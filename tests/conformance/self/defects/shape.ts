/** Bodies of the wrong shape, except for faults of single fields (`fields.ts`). */
import { gzipSync } from 'node:zlib';
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { type Change, responding, set, shown, turned } from './build.ts';

function wrap(transaction: JsonObject): void {
  const inner = { ...transaction };
  for (const field of Object.keys(transaction)) delete transaction[field];
  transaction['data'] = inner;
}

/** Operation, status, name, change, and the check. */
const WRONG: readonly [on: string, status: string, name: string, change: Change, found: string][] = [
  ['createPayment', 'CREATED', 'wrapped-in-data', wrap, 'replay/createPayment'],
  ['createPayment', 'CREATED', 'not-a-url', turned('redirect_url', () => 'go there'), 'replay/createPayment'],
  [
    'getPayment',
    'CREATED',
    'created_at-without-zone',
    turned('created_at', (value) => String(value).replace('Z', '')),
    'differs replay/getPayment/created',
  ],
  [
    'getPayment',
    'EXTRA_DATA_NEEDED',
    'clarify-of-objects',
    turned('clarify', (list) => (list as Json[]).map((name) => ({ name }))),
    'replay/getPayment/extra-data-needed',
  ],
  [
    'getPayment',
    'PAY_CONFIRMATION_NEEDED',
    'amounts-as-strings',
    turned('pay_data', (data) => ({ ...toObject(data), available_amounts: ['20000'] })),
    'replay/getPayment/confirmation-needed',
  ],
  ['getPayment', 'VERIFYING', 'status-unknown', set('status', 'PENDING'), 'replay/getPayment/verifying'],
  [
    'getPayment',
    'SUCCESS',
    'amount-fractional',
    turned('amount', (value) => Number(value) + 0.5),
    'replay/getPayment/succeeded',
  ],
  ['confirmPayment', 'VERIFYING', 'status-SUCCESS', set('status', 'SUCCESS'), 'replay/confirmPayment'],
  ['createPayout', 'PROCESSING', 'succeeds-at-once', set('status', 'SUCCESS'), 'replay/createPayout'],
  ['getPayout', 'SUCCESS', 'currency-in-lower-case', set('currency', 'inr'), 'replay/getPayout/succeeded'],
];

const wrong = WRONG.map(([on, status, name, change, found]) =>
  shown(`${on}/${status}/${name}`, found, { on, status }, change),
);

/** Other bytes than the JSON of the body, in every response of the operation. */
const BYTES: readonly [name: string, on: string, write: (body: Json) => string | Buffer][] = [
  ['cut', 'createPayment', (body) => JSON.stringify(body).slice(0, -2)],
  ['empty', 'createPayment', () => ''],
  ['a-list', 'findPayment', (body) => JSON.stringify([body])],
  ['twice-encoded', 'createPayout', (body) => JSON.stringify(JSON.stringify(body))],
  ['utf-16', 'getBalance', (body) => Buffer.from(JSON.stringify(body), 'utf16le')],
  ['byte-order-mark', 'getBalance', (body) => `\ufeff${JSON.stringify(body)}`],
  ['undeclared-gzip', 'getBalance', (body) => gzipSync(JSON.stringify(body))],
];

const bytes = BYTES.map(([name, on, write]) =>
  responding(`${on}/${name}`, `replay/${on}`, on, (response) => {
    response.text = write(response.body ?? null);
  }),
);

export const shape: readonly Defect[] = [...wrong, ...bytes];
