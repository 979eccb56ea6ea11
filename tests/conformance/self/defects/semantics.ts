/** Well-formed bodies that contradict the request or earlier responses. */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { type Outgoing, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, type Change, defect, fits, json, responding, row, set, shown, turned, type Where } from './build.ts';

const READS = ['getPayment', 'findPayment'];
const FINAL = ['SUCCESS', 'FAILED'];
const later = (value: unknown, ms: number) => new Date(Date.parse(String(value)) + ms).toISOString();
const more = (value: unknown) => Number(value) + 1;
const clock = () => new Date().toISOString();

const dayBefore = (one: JsonObject) => later(one['created_at'], -86_400_000);

/** Values that change from one response to the next, or that the status rules out, with the checks that find them. */
const TIMES: readonly (readonly [name: string, foundBy: string, where: Where, change: Change])[] = [
  ['created_at-is-now', 'payment/created_at', { kind: 'payment' }, set('created_at', clock)],
  [
    'created_at-moves-when-final',
    'payment/created_at',
    { on: READS, status: FINAL },
    turned('created_at', (at) => later(at, -60_000)),
  ],
  ['payout-created_at-is-now', 'payout/created_at', { kind: 'payout' }, set('created_at', clock)],
  ['finalized_at-is-now', 'payment/final', { on: READS, status: FINAL }, set('finalized_at', clock)],
  ['payout-finalized_at-is-now', 'payout/final', { on: 'getPayout', status: FINAL }, set('finalized_at', clock)],
  ['finalized_at-early', 'payment/finalized_at', { status: FINAL, kind: 'payment' }, set('finalized_at', dayBefore)],
  [
    'payout-finalized_at-early',
    'payout/finalized_at',
    { status: FINAL, kind: 'payout' },
    set('finalized_at', dayBefore),
  ],
  [
    'finalized_at-while-open',
    'payment/finalized_at',
    { on: READS, status: 'PAY_CONFIRMATION_NEEDED' },
    set('finalized_at', clock),
  ],
  [
    'payout-finalized_at-while-processing',
    'payout/finalized_at',
    { on: 'getPayout', status: 'PROCESSING' },
    set('finalized_at', clock),
  ],
  [
    'decline_reason-on-success',
    'payment/decline_reason',
    { status: 'SUCCESS', kind: 'payment' },
    set('decline_reason', 'BANK_REJECTED'),
  ],
  [
    'declined-like-payout',
    'payment/decline_reason',
    { status: 'FAILED', kind: 'payment' },
    set('decline_reason', 'FRAUD_SUSPECTED'),
  ],
  [
    'without-balance',
    'payment/decline_reason',
    { status: 'FAILED', kind: 'payment' },
    set('decline_reason', 'INSUFFICIENT_BALANCE'),
  ],
  [
    'payout-declined-like-payment',
    'payout/decline_reason',
    { status: 'FAILED', kind: 'payout' },
    set('decline_reason', 'KYC_BLOCKED'),
  ],
  [
    'payout-expired',
    'payout/decline_reason',
    { status: 'FAILED', kind: 'payout' },
    set('decline_reason', 'TIMEOUT_EXPIRED'),
  ],
  ['payout-with-method', 'payout/kind', { on: 'getPayout' }, set('payment_method', 'IMPS_IN')],
];

const times = TIMES.map(([name, check, where, change]) =>
  shown(row(`semantics/over-time/${name}`, `consistency/${check}`), where, change),
);

function failedInstead(one: JsonObject): void {
  delete one['amount_paid'];
  Object.assign(one, { status: 'FAILED', decline_reason: 'BANK_REJECTED' });
}

function openAgain(status: string) {
  return (one: JsonObject): void => {
    for (const field of ['amount_paid', 'finalized_at', 'decline_reason']) delete one[field];
    one['status'] = status;
  };
}

/** Changes of every other read, after an unchanged one. */
const REVERTED: readonly (readonly [name: string, foundBy: string, where: Where, change: Change])[] = [
  ['success-becomes-failed', 'payment/final', { on: READS, status: 'SUCCESS' }, failedInstead],
  ['success-becomes-verifying', 'payment/final', { on: READS, status: 'SUCCESS' }, openAgain('VERIFYING')],
  ['amount_paid-changes', 'payment/final', { on: READS, status: 'SUCCESS' }, turned('amount_paid', more)],
  ['reason-changes', 'payment/final', { on: READS, status: 'FAILED' }, set('decline_reason', 'INTERNAL_ERROR')],
  ['payout-becomes-processing', 'payout/final', { on: 'getPayout', status: FINAL }, openAgain('PROCESSING')],
];

const final = REVERTED.map(([name, check, where, change]) =>
  defect(row(`semantics/final/${name}`, `consistency/${check}`), () => {
    const isChanged = new Map<Json, boolean>();
    return {
      transaction(transaction, place) {
        const id = transaction['transaction_id'] ?? '';
        if (!fits(where, place)) return;
        if (isChanged.get(id)) change(transaction);
        isChanged.set(id, !isChanged.get(id));
      },
    };
  }),
);

const identities: readonly Defect[] = [
  shown(
    row('semantics/lookup/asks-for-less', 'consistency/payment/same'),
    { on: 'findPayment', status: 'PAY_CONFIRMATION_NEEDED' },
    set('confirm', ['tid']),
  ),
  defect(row('semantics/find/always-the-first', 'replay/findPayment'), () => {
    let first: Outgoing['body'];
    return {
      response(response, { operation }) {
        if (operation !== 'findPayment' || response.status !== 200) return;
        first ??= response.body;
        response.body = first;
      },
    };
  }),
  shown(row('semantics/find/stays-created', 'lookup/three-ways'), { on: 'findPayment' }, (one) => {
    openAgain('CREATED')(one);
    for (const field of ['clarify', 'pay_data', 'confirm']) delete one[field];
  }),
  responding(row('semantics/find/not-by-order-id', 'replay/findPayment/h2h'), 'findPayment', (response, { query }) => {
    if (query.includes('merchant_order_id')) Object.assign(response, json(404, { title: 'Not found', status: 404 }));
  }),
  asking(row('semantics/find/ignores-transaction_id', 'lookup/three-ways'), 'findPayment', ({ query }) =>
    query.includes('transaction_id') ? json(400, { title: 'Bad request', status: 400 }) : undefined,
  ),
  responding(row('semantics/balance/twice-one-currency', 'money/balance'), 'getBalance', (response) => {
    const body = toObject(response.body);
    const list = body['balances'] as JsonObject[];
    response.body = { ...body, balances: [...list, { ...list[0] } as JsonObject] };
  }),
];

const HOUR_MS = 3_600_000;
const shifted = (hours: number) => (value: unknown) => later(value, hours * HOUR_MS);

const clocks: readonly Defect[] = [
  shown(row('semantics/clock/local-time', 'consistency/payment/clock'), {}, turned('created_at', shifted(5.5))),
  shown(row('semantics/clock/hour-behind', 'consistency/payout/clock'), {}, turned('created_at', shifted(-1))),
  shown(
    row('semantics/clock/finalized-local-time', 'consistency/payment/clock'),
    {},
    turned('finalized_at', shifted(5.5)),
  ),
  responding(
    row('semantics/clock/always-now', 'money/last-updated', 'differs', {
      only: ['money/last-updated', 'state/payment/h2h/SUCCESS'],
    }),
    'getBalance',
    (response) => {
      if (response.status !== 200) return;
      response.body = { ...toObject(response.body), last_updated_at: new Date().toISOString() };
    },
  ),
];

const amounts: readonly Defect[] = [
  shown(
    row('semantics/lookup/requested-amount', 'consistency/payment/same', 'violating', {
      only: ['consistency/payment/same', 'wallet/INR/payments'],
    }),
    { on: 'findPayment', status: 'SUCCESS' },
    (payment) => set('amount_paid', payment['amount'] ?? 0)(payment),
  ),
  shown(
    row('semantics/amount_paid/requested', 'wallet/INR/payments'),
    { kind: 'payment', status: 'SUCCESS' },
    (payment) => set('amount_paid', payment['amount'] ?? 0)(payment),
  ),
  shown(
    row('customers/amount/hundredths', 'amount/createPayment/1003'),
    {},
    turned('amount', (value) => Math.trunc((Number(value) / 100) * 100)),
  ),
];

export const semantics: readonly Defect[] = [...times, ...final, ...identities, ...clocks, ...amounts];
