import { expect, it } from 'vitest';
import type { CoveredPart } from '../../../conformance/src/core/check.ts';
import { listUndeclared, measureCoverage } from '../../../conformance/src/report/coverage.ts';
import type { Exchange, ReceivedDelivery } from '../../../conformance/src/service/exchange.ts';
import type { Schema } from '../../../contract/src/model.ts';
import { contract, createExchange, result, verification } from './synthetic.ts';

const CHECK = 'replay/createPayment/h2h-upi';
const created = createExchange({ transaction_id: 'pay_1', status: 'CREATED' });
const failed = { transaction_id: 'pay_1', status: 'FAILED', decline_reason: 'BANK_REJECTED' };
const read = { ...createExchange(failed, 200), call: { operation: contract.operation('getPayment') } };
const webhook = { token: '', text: JSON.stringify(failed), body: failed, receivedAt: 3_000 };
const journal = {
  exchanges: [created, { ...read, endedAt: 2_000 }],
  deliveries: [webhook as unknown as ReceivedDelivery],
};

function listCovered(exchanges: Exchange[] = journal.exchanges, deliveries = journal.deliveries) {
  const coverage = measureCoverage(verification([result(CHECK)], { journal: { exchanges, deliveries } }));
  return (kind: keyof typeof coverage) => coverage[kind].flatMap(({ name, count }) => (count > 0 ? [name] : []));
}

it('coverage follows requests, transactions through their statuses, webhooks and assumptions', () => {
  const covered = listCovered();
  expect(covered('operations')).toEqual(['createPayment', 'getPayment']);
  expect(covered('responses')).toEqual(['createPayment 200', 'getPayment 200']);
  expect(covered('statuses')).toEqual(['payment CREATED', 'payment FAILED']);
  expect(covered('transitions')).toContain('payment (none) → CREATED');
  expect(covered('decline reasons')).toEqual(['payment BANK_REJECTED']);
  expect(covered('webhooks')).toEqual(['paymentFailed']);
  expect(covered('assumptions')).toContain('order-id');
});

it('coverage leaves out requests before the checks, and examples that a mock was asked for', () => {
  const early = journal.exchanges.map((one) => ({ ...one, check: 'preflight' }));
  expect(listCovered(early, [])('operations')).toEqual([]);
  const example = { ...created, call: { ...created.call, prefer: 'example=h2h' } };
  expect(listCovered([example], [])('statuses')).toEqual([]);
});

it('coverage takes declared parts from the checks, and lists the parts of unreached checks', () => {
  const race: CoveredPart = ['races', 'createPayment'];
  const wallet: CoveredPart = ['wallets', 'INR after settlement'];
  const check = { ...result(CHECK), run: async () => [], covers: [race], mayCover: [wallet] };
  const measure = (covered: CoveredPart[]) =>
    measureCoverage(verification([result(CHECK, { covered })], { plan: [check] }));
  const { races, wallets, repeats } = measure([race]);
  expect(races).toEqual([{ name: 'createPayment', count: 1, checks: [CHECK] }]);
  expect(wallets).toEqual([{ name: 'INR after settlement', count: 0, checks: [] }]);
  expect(repeats).toEqual([]);
  expect(measure([]).races).toMatchObject([{ count: 0 }]);
});

it('lists undeclared fields at any depth, and none in maps', () => {
  const schema = contract.operation('createPayment').request?.schema ?? {};
  const value = { amount: 1, tip: 2, customer: { id: 'c', 'shoe/size': 43 } };
  expect(listUndeclared(contract.bundle, schema, value)).toEqual(['/tip', '/customer/shoe~1size']);
  const map: Schema = { properties: { id: {} }, additionalProperties: {} };
  expect(listUndeclared(contract.bundle, map, { anything: 1 })).toEqual([]);
});
