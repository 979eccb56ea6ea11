import { describe, expect, it } from 'vitest';
import type { CoveredPart, Result } from '../../../conformance/src/core/check.ts';
import { findSuccess } from '../../../conformance/src/document/contract.ts';
import { listUndeclared, measureCoverage } from '../../../conformance/src/report/coverage.ts';
import { type ReceivedDelivery, readString } from '../../../conformance/src/service/exchange.ts';
import type { Schema } from '../../../contract/src/model.ts';
import { contract, createExchange, result, verification } from './synthetic.ts';

const CHECK = 'replay/createPayment/h2h-upi';
const [creation] = findSuccess(contract.operation('createPayment')).body?.examples ?? [];
const created = createExchange(creation?.value as object);
const id = readString(created.body, 'transaction_id') ?? '';

function read(body: object, endedAt: number) {
  const operation = contract.operation('getPayment');
  return { ...createExchange(body, 200), call: { operation, path: { transaction_id: id } }, method: 'GET', endedAt };
}

const failedExample = findSuccess(contract.operation('getPayment')).body?.examples.find(
  ({ value }) => readString(value, 'status') === 'FAILED',
);
const failed = { ...(failedExample?.value as object), transaction_id: id, decline_reason: 'BANK_REJECTED' };
const webhook: ReceivedDelivery = {
  ...{
    number: 1,
    token: '',
    method: 'POST',
    query: '',
    headers: {},
    text: JSON.stringify(failed),
    body: failed as never,
  },
  ...{ receivedAt: 3_000, reply: 204 },
};
const shown = { ...(failedExample?.value as object), transaction_id: id };
const journal = { exchanges: [created, read(shown, 1_500), read(failed, 2_000)], deliveries: [webhook] };
const coverage = measureCoverage(verification([result(CHECK)], { journal }));
const covered = (kind: keyof typeof coverage) =>
  coverage[kind].filter(({ count }) => count > 0).map(({ name }) => name);

describe('coverage', () => {
  it('counts operations and responses by the received statuses', () => {
    expect(covered('operations')).toEqual(['createPayment', 'getPayment']);
    expect(covered('responses')).toEqual(['createPayment 200', 'getPayment 200']);
  });

  it('follows a transaction through its statuses', () => {
    expect(covered('statuses')).toEqual(['payment CREATED', 'payment FAILED']);
    expect(covered('transitions')).toContain('payment (none) → CREATED');
    expect(covered('decline reasons')).toEqual(['payment BANK_REJECTED']);
  });

  it('knows a webhook by its status and the kind of its transaction', () => {
    expect(covered('webhooks')).toEqual(['paymentFailed']);
  });

  it('takes declared parts from the checks, and lists the parts of unreached checks', () => {
    const race: CoveredPart = ['races', 'createPayment'];
    const wallet: CoveredPart = ['wallets', 'INR after settlement'];
    const check = { ...result(CHECK), run: async () => [], covers: [race], mayCover: [wallet] };
    const of = (changes: Partial<Result>) => measureCoverage(verification([result(CHECK, changes)], { plan: [check] }));
    const { races, wallets, repeats } = of({ covered: [race] });
    expect(races).toEqual([{ name: 'createPayment', count: 1, checks: [CHECK] }]);
    expect(wallets).toEqual([{ name: 'INR after settlement', count: 0, checks: [] }]);
    expect(repeats).toEqual([]);
    expect(of({ covered: [] }).races).toMatchObject([{ count: 0 }]);
  });

  it('counts assumptions of the operations', () => {
    expect(covered('assumptions')).toContain('order-id');
  });

  it('leaves out requests before the checks', () => {
    const early = { ...journal, exchanges: journal.exchanges.map((one) => ({ ...one, check: 'preflight' })) };
    const none = measureCoverage(verification([result(CHECK)], { journal: { ...early, deliveries: [] } }));
    expect(none.operations.filter(({ count }) => count > 0)).toEqual([]);
  });
});

it('lists undeclared fields at any depth, and none in maps', () => {
  const schema = contract.operation('createPayment').request?.schema ?? {};
  const value = { amount: 1, tip: 2, customer: { id: 'c', 'shoe/size': 43 } };
  expect(listUndeclared(contract.bundle, schema, value)).toEqual(['/tip', '/customer/shoe~1size']);
  const map: Schema = { properties: { id: {} }, additionalProperties: {} };
  expect(listUndeclared(contract.bundle, map, { anything: 1 })).toEqual([]);
});
