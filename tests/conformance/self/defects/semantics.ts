/** Well-formed bodies that contradict the request or earlier responses. */
import type { JsonObject } from '../../../../contract/src/model.ts';
import type { Defect } from '../trial.ts';
import {
  type Change,
  FINAL,
  problem,
  replaying,
  responding,
  set,
  shown,
  turned,
  type Where,
  without,
} from './build.ts';

const READS = ['getPayment', 'findPayment'];
const HOUR_MS = 3_600_000;
const later = (value: unknown, hours: number) => new Date(Date.parse(String(value)) + hours * HOUR_MS).toISOString();
const clock = () => new Date().toISOString();
const dayBefore = (one: JsonObject) => later(one['created_at'], -24);
const shifted = (hours: number) => (value: unknown) => later(value, hours);
const inPayments = (...status: string[]): Where => ({ kind: 'payment', status });
const inPayouts = (...status: string[]): Where => ({ kind: 'payout', status });

/** Values that change from one response to the next, or that the status rules out. */
const TIMES: readonly (readonly [name: string, found: string, where: Where, change: Change])[] = [
  ['created_at-is-now', 'consistency/payment/created_at', { kind: 'payment' }, set('created_at', clock)],
  ['payout-created_at-is-now', 'consistency/payout/created_at', { kind: 'payout' }, set('created_at', clock)],
  [
    'created_at-without-fraction',
    'consistency/payment/created_at',
    { on: [...READS, 'webhook'], kind: 'payment' },
    turned('created_at', (time) => String(time).replace(/\.\d+Z$/, 'Z')),
  ],
  ['finalized_at-is-now', 'consistency/payment/final', { on: READS, status: FINAL }, set('finalized_at', clock)],
  ['finalized_at-early', 'consistency/payment/finalized_at', inPayments(...FINAL), set('finalized_at', dayBefore)],
  ['payout-finalized_at-early', 'consistency/payout/finalized_at', inPayouts(...FINAL), set('finalized_at', dayBefore)],
  [
    'finalized_at-while-open',
    'consistency/payment/finalized_at',
    { on: READS, status: 'PAY_CONFIRMATION_NEEDED' },
    set('finalized_at', clock),
  ],
  ['local-time', 'consistency/payment/clock', {}, turned('created_at', shifted(5.5))],
  ['hour-behind', 'consistency/payout/clock', {}, turned('created_at', shifted(-1))],
];

/** Reasons and methods that the status or the kind of the transaction rules out. */
const REASONS: typeof TIMES = [
  ['on-success', 'consistency/payment/decline_reason', inPayments('SUCCESS'), set('decline_reason', 'BANK_REJECTED')],
  ['of-payouts', 'consistency/payment/decline_reason', inPayments('FAILED'), set('decline_reason', 'FRAUD_SUSPECTED')],
  ['of-payments', 'consistency/payout/decline_reason', inPayouts('FAILED'), set('decline_reason', 'KYC_BLOCKED')],
  [
    'in-lower-case',
    'differs consistency/payment/decline_reason',
    inPayments('FAILED'),
    turned('decline_reason', (reason) => String(reason).toLowerCase()),
  ],
  ['method-of-payout', 'consistency/payout/kind', { on: 'getPayout' }, set('payment_method', 'IMPS_IN')],
];

const toDefects = (group: string, rows: typeof TIMES) =>
  rows.map(([name, found, where, change]) => shown(`${group}/${name}`, found, where, change));

const lookups: readonly Defect[] = [
  shown(
    'lookup/asks-for-less',
    'consistency/payment/same',
    { on: 'findPayment', status: 'PAY_CONFIRMATION_NEEDED' },
    set('confirm', ['tid']),
  ),
  replaying('lookup/always-the-first', 'replay/findPayment', 'findPayment', () => ''),
  shown('lookup/stays-created', 'lookup/three-ways', { on: 'findPayment' }, (one) => {
    without('amount_paid', 'finalized_at', 'decline_reason', 'clarify', 'pay_data', 'confirm')(one);
    one['status'] = 'CREATED';
  }),
  responding('lookup/not-by-order-id', 'replay/findPayment/h2h', 'findPayment', (response, { query }) => {
    if (query.includes('merchant_order_id')) Object.assign(response, problem(404));
  }),
];

export const semantics: readonly Defect[] = [
  ...toDefects('times', TIMES),
  ...toDefects('reasons', REASONS),
  ...lookups,
];
