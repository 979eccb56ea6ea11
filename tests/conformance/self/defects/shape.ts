/** Bodies of the wrong shape, except for faults of single fields (`fields.ts`). */
import type { Json } from '../../../../contract/src/model.ts';
import { toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { type Change, renamed, responding, row, set, shown, turned, type Where } from './build.ts';

/** Responses and webhooks with the shapes, and the checks that see them. */
const KINDS: Readonly<Record<string, Where & { by: string }>> = {
  session: { on: 'createPayment', status: 'CREATED', by: 'replay/createPayment' },
  created: { on: 'getPayment', status: 'CREATED', by: 'replay/getPayment/created' },
  asked: { on: 'getPayment', status: 'EXTRA_DATA_NEEDED', by: 'replay/getPayment/extra-data-needed' },
  confirming: { on: 'getPayment', status: 'PAY_CONFIRMATION_NEEDED', by: 'replay/getPayment/confirmation-needed' },
  verifying: { on: 'getPayment', status: 'VERIFYING', by: 'replay/getPayment/verifying' },
  succeeded: { on: 'getPayment', status: 'SUCCESS', by: 'replay/getPayment/succeeded' },
  found: { on: 'findPayment', by: 'replay/findPayment' },
  confirmed: { on: 'confirmPayment', by: 'replay/confirmPayment' },
  payout: { on: 'createPayout', by: 'replay/createPayout' },
  'payout-succeeded': { on: 'getPayout', status: 'SUCCESS', by: 'replay/getPayout/succeeded' },
};

/** Kind, name, change, and the verdict if it isn't `violating`. */
const WRONG: readonly [kind: string, name: string, change: Change, verdict?: Defect['verdict']][] = [
  ['session', 'redirect_url-not-a-url', (one) => 'redirect_url' in one && set('redirect_url', 'go there')(one)],
  ['session', 'wrapped-in-data', wrapped('data')],
  ['created', 'created_at-in-words', set('created_at', 'Sunday at noon')],
  ['created', 'created_at-without-zone', turned('created_at', (value) => String(value).replace('Z', '')), 'differs'],
  ['created', 'camel-case', renamed('merchant_order_id', 'merchantOrderId')],
  ['asked', 'clarify-of-objects', turned('clarify', (list) => (list as Json[]).map((name) => ({ name })))],
  [
    'confirming',
    'amounts-as-strings',
    turned('pay_data', (data) => ({ ...toObject(data), available_amounts: ['20000'] })),
  ],
  ['verifying', 'status-unknown', set('status', 'PENDING')],
  ['succeeded', 'amount-fractional', turned('amount', (value) => Number(value) + 0.5)],
  ['succeeded', 'currency-unknown', set('currency', 'USD')],
  ['confirmed', 'status-SUCCESS', set('status', 'SUCCESS')],
  ['payout', 'status-CREATED', set('status', 'CREATED')],
  ['payout-succeeded', 'currency-in-lower-case', turned('currency', (value) => String(value).toLowerCase())],
];

function wrapped(name: string): Change {
  return (transaction) => {
    const inner = { ...transaction };
    for (const field of Object.keys(transaction)) delete transaction[field];
    transaction[name] = inner;
  };
}

const wrong = WRONG.map(([kind, name, change, verdict]): Defect => {
  const { by, ...where } = KINDS[kind] as Where & { by: string };
  return shown(row(`shape/${kind}/${name}`, by, verdict), where, change);
});

const bodies: readonly Defect[] = [
  responding(row('shape/found/a-list', 'replay/findPayment'), 'findPayment', (response) => {
    if (response.status === 200) response.body = [response.body ?? null];
  }),
  responding(row('shape/session/broken-json', 'replay/createPayment'), 'createPayment', (response) => {
    response.text = JSON.stringify(response.body).slice(0, -2);
  }),
  responding(row('shape/session/empty', 'replay/createPayment'), 'createPayment', (response) => {
    if (response.status === 200) response.text = '';
  }),
  responding(row('shape/payout/twice-encoded', 'replay/createPayout'), 'createPayout', (response) => {
    if (response.status === 201) response.body = JSON.stringify(response.body);
  }),
];

export const shape: readonly Defect[] = [...wrong, ...bodies];
