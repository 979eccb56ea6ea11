/** Well-formed bodies that contradict the request or earlier responses. */
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Outgoing, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, fits, json, responding, set, shown, turned, type Where } from './build.ts';

const READS = ['getPayment', 'findPayment'];
const FINAL = ['SUCCESS', 'FAILED'];
const later = (value: unknown, ms: number) => new Date(Date.parse(String(value)) + ms).toISOString();
const more = (value: unknown) => Number(value) + 1;
const clock = () => new Date().toISOString();

/** Responses that differ from the request. */
const ECHO: readonly (readonly [name: string, by: string, where: Where, change: (transaction: JsonObject) => void])[] =
  [
    ['amount-at-creation', 'replay/createPayment', { on: 'createPayment' }, turned('amount', more)],
    ['amount-on-read', 'consistency/payment/echo', { on: READS }, turned('amount', more)],
    ['amount-once-final', 'consistency/payment/echo', { on: READS, status: FINAL }, turned('amount', more)],
    ['currency-at-creation', 'replay/createPayment', { on: 'createPayment' }, set('currency', 'DZD')],
    ['currency-on-read', 'consistency/payment/echo', { on: READS }, set('currency', 'DZD')],
    [
      'order-id-truncated',
      'replay/createPayment',
      { on: 'createPayment' },
      turned('merchant_order_id', (id) => String(id).slice(0, 8)),
    ],
    [
      'order-id-in-capitals',
      'consistency/payment/echo',
      { on: READS },
      turned('merchant_order_id', (id) => String(id).toUpperCase()),
    ],
    [
      'order-id-is-the-id',
      'consistency/payment/echo',
      { on: READS },
      (one) => set('merchant_order_id', one['transaction_id'] ?? '')(one),
    ],
    ['method-at-creation', 'replay/createPayment', { on: 'createPayment' }, set('payment_method_type', 'CARD')],
    ['method-on-read', 'consistency/payment/echo', { on: READS }, set('payment_method', 'CARD')],
    ['order-id-on-confirm', 'replay/confirmPayment', { on: 'confirmPayment' }, set('merchant_order_id', 'order-1')],
    ['amount-on-clarify', 'replay/clarifyPayment', { on: 'clarifyPayment' }, turned('amount', more)],
    ['payout-amount-at-creation', 'replay/createPayout', { on: 'createPayout' }, turned('amount', more)],
    ['payout-amount-on-read', 'consistency/payout/echo', { on: 'getPayout' }, turned('amount', more)],
    ['payout-currency-on-read', 'consistency/payout/echo', { on: 'getPayout' }, set('currency', 'DZD')],
    ['payout-order-id-on-read', 'consistency/payout/echo', { on: 'getPayout' }, set('merchant_order_id', 'order-1')],
  ];

const echoes = ECHO.map(([name, foundBy, where, change]) =>
  shown(
    { id: `semantics/echo/${name}`, title: `another value comes back: ${name.replaceAll('-', ' ')}`, foundBy },
    where,
    change,
  ),
);

/** Values that change from one response to the next. */
const TIMES: readonly (readonly [name: string, by: string, where: Where, change: (transaction: JsonObject) => void])[] =
  [
    [
      'created_at-is-now',
      'consistency/payment/created_at',
      { kind: 'payment' },
      (one) => set('created_at', clock())(one),
    ],
    [
      'created_at-moves-when-final',
      'consistency/payment/created_at',
      { on: READS, status: FINAL },
      turned('created_at', (at) => later(at, -60_000)),
    ],
    [
      'payout-created_at-is-now',
      'consistency/payout/created_at',
      { kind: 'payout' },
      (one) => set('created_at', clock())(one),
    ],
    [
      'finalized_at-is-now',
      'consistency/payment/final',
      { on: READS, status: FINAL },
      (one) => set('finalized_at', clock())(one),
    ],
    [
      'payout-finalized_at-is-now',
      'consistency/payout/final',
      { on: 'getPayout', status: FINAL },
      (one) => set('finalized_at', clock())(one),
    ],
    [
      'finalized_at-before-created_at',
      'consistency/payment/finalized_at',
      { status: FINAL, kind: 'payment' },
      (one) => set('finalized_at', later(one['created_at'], -86_400_000))(one),
    ],
    [
      'payout-finalized_at-before-created_at',
      'consistency/payout/finalized_at',
      { status: FINAL, kind: 'payout' },
      (one) => set('finalized_at', later(one['created_at'], -86_400_000))(one),
    ],
    [
      'finalized_at-while-open',
      'consistency/payment/finalized_at',
      { on: READS, status: 'PAY_CONFIRMATION_NEEDED' },
      (one) => set('finalized_at', clock())(one),
    ],
    [
      'payout-finalized_at-while-processing',
      'consistency/payout/finalized_at',
      { on: 'getPayout', status: 'PROCESSING' },
      (one) => set('finalized_at', clock())(one),
    ],
    [
      'decline_reason-on-success',
      'consistency/payment/decline_reason',
      { status: 'SUCCESS', kind: 'payment' },
      set('decline_reason', 'BANK_REJECTED'),
    ],
    [
      'payment-declined-like-payout',
      'consistency/payment/decline_reason',
      { status: 'FAILED', kind: 'payment' },
      set('decline_reason', 'FRAUD_SUSPECTED'),
    ],
    [
      'payment-without-balance',
      'consistency/payment/decline_reason',
      { status: 'FAILED', kind: 'payment' },
      set('decline_reason', 'INSUFFICIENT_BALANCE'),
    ],
    [
      'payout-declined-like-payment',
      'consistency/payout/decline_reason',
      { status: 'FAILED', kind: 'payout' },
      set('decline_reason', 'KYC_BLOCKED'),
    ],
    [
      'payout-expired',
      'consistency/payout/decline_reason',
      { status: 'FAILED', kind: 'payout' },
      set('decline_reason', 'TIMEOUT_EXPIRED'),
    ],
    ['payout-with-method', 'consistency/payout/kind', { on: 'getPayout' }, set('payment_method', 'IMPS_IN')],
  ];

const times = TIMES.map(([name, foundBy, where, change]) =>
  shown(
    { id: `semantics/over-time/${name}`, title: `contradicts itself: ${name.replaceAll('-', ' ')}`, foundBy },
    where,
    change,
  ),
);

/** Every other read of a transaction is changed. */
function everyOther(
  id: string,
  title: string,
  foundBy: string,
  where: Where,
  change: (one: JsonObject) => void,
): Defect {
  return defect({ id, title, foundBy }, () => {
    const reads = new Map<string, number>();
    return {
      transaction(transaction, place) {
        if (!fits(where, place)) return;
        const key = String(transaction['transaction_id']);
        const count = reads.get(key) ?? 0;
        reads.set(key, count + 1);
        if (count % 2 === 1) change(transaction);
      },
    };
  });
}

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

const final = [
  everyOther(
    'semantics/final/success-becomes-failed',
    'SUCCESS becomes FAILED',
    'consistency/payment/final',
    { on: READS, status: 'SUCCESS' },
    failedInstead,
  ),
  everyOther(
    'semantics/final/success-becomes-verifying',
    'SUCCESS becomes VERIFYING again',
    'consistency/payment/final',
    { on: READS, status: 'SUCCESS' },
    openAgain('VERIFYING'),
  ),
  everyOther(
    'semantics/final/failed-becomes-created',
    'FAILED becomes CREATED again',
    'consistency/payment/final',
    { on: READS, status: 'FAILED' },
    openAgain('CREATED'),
  ),
  everyOther(
    'semantics/final/amount_paid-changes',
    'amount_paid changes after SUCCESS',
    'consistency/payment/final',
    { on: READS, status: 'SUCCESS' },
    turned('amount_paid', more),
  ),
  everyOther(
    'semantics/final/reason-changes',
    'decline_reason changes after FAILED',
    'consistency/payment/final',
    { on: READS, status: 'FAILED' },
    set('decline_reason', 'INTERNAL_ERROR'),
  ),
  everyOther(
    'semantics/final/payout-becomes-processing',
    'a finished payout is PROCESSING again',
    'consistency/payout/final',
    { on: 'getPayout', status: FINAL },
    openAgain('PROCESSING'),
  ),
  everyOther(
    'semantics/final/payout-success-becomes-failed',
    'a payout in SUCCESS becomes FAILED',
    'consistency/payout/final',
    { on: 'getPayout', status: 'SUCCESS' },
    failedInstead,
  ),
];

const otherId = set('transaction_id', 'pay_another');

const identities: readonly Defect[] = [
  shown(
    {
      id: 'semantics/lookup/asks-for-less',
      title: 'findPayment names another list of items than getPayment',
      foundBy: 'consistency/payment/same',
    },
    { on: 'findPayment', status: 'PAY_CONFIRMATION_NEEDED' },
    set('confirm', ['tid']),
  ),
  shown(
    { id: 'semantics/id/on-read', title: 'getPayment returns another id', foundBy: 'replay/getPayment' },
    { on: 'getPayment' },
    otherId,
  ),
  shown(
    { id: 'semantics/id/on-find', title: 'findPayment returns another id', foundBy: 'replay/findPayment' },
    { on: 'findPayment' },
    otherId,
  ),
  shown(
    { id: 'semantics/id/on-clarify', title: 'clarifyPayment returns another id', foundBy: 'replay/clarifyPayment' },
    { on: 'clarifyPayment' },
    otherId,
  ),
  shown(
    { id: 'semantics/id/on-confirm', title: 'confirmPayment returns another id', foundBy: 'replay/confirmPayment' },
    { on: 'confirmPayment' },
    otherId,
  ),
  shown(
    { id: 'semantics/id/payout-on-read', title: 'getPayout returns another id', foundBy: 'replay/getPayout' },
    { on: 'getPayout' },
    set('transaction_id', 'out_another'),
  ),
  defect(
    {
      id: 'semantics/find/always-the-first',
      title: 'findPayment returns the same payment for every query',
      foundBy: 'replay/findPayment',
    },
    () => {
      let first: Outgoing['body'];
      return {
        response(response, { operation }) {
          if (operation !== 'findPayment' || response.status !== 200) return;
          first ??= response.body;
          response.body = first;
        },
      };
    },
  ),
  shown(
    { id: 'semantics/find/stays-created', title: 'findPayment shows CREATED forever', foundBy: 'lookup/three-ways' },
    { on: 'findPayment' },
    (one) => {
      openAgain('CREATED')(one);
      for (const field of ['clarify', 'pay_data', 'confirm']) delete one[field];
    },
  ),
  shown(
    {
      id: 'semantics/find/other-reason',
      title: 'findPayment has another decline_reason',
      foundBy: 'lookup/three-ways',
    },
    { on: 'findPayment', status: 'FAILED' },
    set('decline_reason', 'INTERNAL_ERROR'),
  ),
  responding(
    {
      id: 'semantics/find/not-by-order-id',
      title: 'findPayment returns 404 for every order id',
      foundBy: 'replay/findPayment/h2h',
    },
    'findPayment',
    (response, { query }) => {
      if (query.includes('merchant_order_id')) Object.assign(response, json(404, { title: 'Not found', status: 404 }));
    },
  ),
  asking(
    {
      id: 'semantics/find/ignores-transaction_id',
      title: 'findPayment knows no transaction_id',
      foundBy: 'lookup/three-ways',
    },
    'findPayment',
    ({ query }) => (query.includes('transaction_id') ? json(400, { title: 'Bad request', status: 400 }) : undefined),
  ),
  responding(
    {
      id: 'semantics/balance/twice-one-currency',
      title: 'the balance has two entries for one currency',
      foundBy: 'money/balance',
    },
    'getBalance',
    (response) => {
      const body = toObject(response.body);
      const list = body['balances'] as JsonObject[];
      response.body = { ...body, balances: [...list, { ...list[0] } as JsonObject] };
    },
  ),
];

export const semantics: readonly Defect[] = [...echoes, ...times, ...final, ...identities];
