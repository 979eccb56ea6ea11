import { describe, expect, it } from 'vitest';
import type { CoveredPart, Result } from '../../../conformance/src/core/check.ts';
import { findSuccess } from '../../../conformance/src/document/contract.ts';
import { measureCoverage } from '../../../conformance/src/report/coverage.ts';
import { findLocation } from '../../../conformance/src/report/locations.ts';
import { SchemaWalk } from '../../../conformance/src/report/schema-walk.ts';
import { readString } from '../../../conformance/src/service/exchange.ts';
import type { ReceivedDelivery } from '../../../conformance/src/service/journal.ts';
import { atPointer } from '../../../contract/src/model.ts';
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
const { coverage } = measureCoverage(verification([result(CHECK)], { journal }));
const covered = (kind: keyof typeof coverage) =>
  coverage[kind].filter(({ count }) => count > 0).map(({ name }) => name);

describe('coverage', () => {
  it('counts operations and responses by the received statuses', () => {
    expect(covered('operations')).toEqual(['createPayment', 'getPayment']);
    expect(covered('responses')).toEqual(['createPayment 200', 'getPayment 200']);
  });

  it('counts an example only if a response resembles it', () => {
    const names = covered('examples');
    expect(names).toContain(`createPayment 200 ${creation?.name}`);
    expect(names).toContain(`getPayment 200 ${failedExample?.name}`);
    expect(names.length).toBeLessThan(coverage.examples.length / 2);
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
    const of = (changes: Partial<Result>) =>
      measureCoverage(verification([result(CHECK, changes)], { plan: [check] })).coverage;
    const { races, wallets, repeats } = of({ covered: [race] });
    expect(races).toEqual([{ name: 'createPayment', count: 1, checks: [CHECK] }]);
    expect(wallets).toEqual([{ name: 'INR after settlement', count: 0, checks: [] }]);
    expect(repeats).toEqual([]);
    expect(of({ covered: [] }).races).toMatchObject([{ count: 0 }]);
  });

  it('counts fields, keywords and assumptions of the schemas that applied', () => {
    expect(covered('properties')).toContain('/components/schemas/PaymentFailed/properties/decline_reason');
    expect(covered('properties')).not.toContain('/components/schemas/PayoutFailed/properties/decline_reason');
    expect(covered('keywords')).toContain('/components/schemas/TransactionId/type');
    expect(covered('assumptions')).toContain('declines');
  });

  it('leaves out requests before the checks', () => {
    const early = { ...journal, exchanges: journal.exchanges.map((one) => ({ ...one, check: 'preflight' })) };
    const { coverage: none } = measureCoverage(
      verification([result(CHECK)], { journal: { ...early, deliveries: [] } }),
    );
    expect(none.operations.filter(({ count }) => count > 0)).toEqual([]);
  });
});

describe('a walk along a schema', () => {
  it('finds undeclared fields at any depth, and none in maps', () => {
    const { pointer } = contract.operation('createPayment').request ?? { pointer: '' };
    const found: string[] = [];
    const value = { amount: 1, tip: 2, customer: { id: 'c', shoe_size: 43 } };
    const touch = { schema: () => {}, undeclared: (at: string) => found.push(at) };
    new SchemaWalk(contract.bundle).touch(`${pointer}/schema`, value, touch);
    expect(found).toContain('/tip');
  });
});

describe('the location of a clause', () => {
  it.each([
    ['/paths/~1payments/post', 'openapi/paths/payments.yaml'],
    ['/components/schemas/Amount/minimum', 'openapi/components/schemas/Amount.yaml'],
    ['/webhooks/payoutFailed/post/requestBody', 'openapi/webhooks/payoutFailed.yaml'],
    ['/x-assumptions/3', 'openapi/assumptions.yaml'],
    ['/x-state-machines/payout/transitions/1', 'openapi/state-machines.yaml'],
    ['/tags/0', 'openapi/openapi.yaml'],
  ])('of %s is in %s', (pointer, file) => {
    expect(atPointer(contract.bundle, pointer)).toBeDefined();
    expect(findLocation(pointer).file).toBe(file);
  });

  it('is the line of the key', () => {
    expect(findLocation('/components/schemas/Amount/minimum').line).toBeGreaterThan(1);
    expect(findLocation('/x-assumptions/3').line).toBeGreaterThan(findLocation('/x-assumptions/2').line);
  });
});
