/** A selection of the generated defects; `npm run verify:self -- --set generated` runs all of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations, webhooks } from '../../../contract/src/model.ts';
import { equivalence } from './generated/equivalents.ts';
import { FAULTS } from './generated/faults.ts';
import { MUTANTS } from './generated/index.ts';
import type { Recording } from './generated/mutant.ts';
import { BUNDLE, PLACES } from './generated/places.ts';
import { tryMutant } from './generated/trial.ts';
import { openSqliteFile, type ReferenceGateway, startReference } from './reference.ts';

/** One of each kind of fault that a run notices within a second or two. */
const REPORTED = [
  'field/createPayment/200/CREATED/currency/dropped',
  'field/getPayment/200/CREATED/created_at/null',
  'field/createPayment/200/CREATED/amount/other-type',
  'field/getPayment/200/PAY_CONFIRMATION_NEEDED/merchant_order_id/other-value',
  'field/createPayment/200/EXTRA_DATA_NEEDED/transaction_id/swapped',
  'field/getPayment/200/SUCCESS/status/stale',
  'field/getBalance/200/merchant_id/null',
  'rule/move/payment/creation/CREATED/off',
];

const NOTHING: Recording = { library: {}, bodies: [] };
let shared: ReferenceGateway;

beforeAll(async () => {
  shared = await startReference(openSqliteFile);
});
afterAll(() => shared.close());

test.concurrent.each(REPORTED)('%s is reported by exit code', async (id) => {
  const { wouldShow: _assumed, ...mutant } = found(id);
  expect(await tryMutant(mutant, { open: openSqliteFile, shared }, NOTHING)).toMatchObject({ ending: 'reported' });
});

test('a defect in an unused field is not exercised, and takes no run', async () => {
  const outcome = await tryMutant(
    found('field/getPayment/500/title/null'),
    { open: openSqliteFile, shared },
    { library: {}, bodies: [] },
  );
  expect(outcome).toMatchObject({ ending: 'not exercised', ms: 0 });
});

test('every response and webhook of the document has a place, and every kind of fault has a defect', () => {
  const documented = [
    ...operations(BUNDLE).flatMap(({ id, responses }) =>
      responses.filter(({ body }) => body).map(({ status }) => `${id} ${status}`),
    ),
    ...webhooks(BUNDLE).map(({ id }) => id),
  ];
  const placed = PLACES.map(({ on, code }) => (code === undefined ? on : `${on} ${code}`));
  expect(new Set(placed)).toEqual(new Set(documented));
  const kinds = new Set(MUTANTS.map(({ fault }) => fault));
  expect([...kinds]).toEqual(expect.arrayContaining(Object.keys(FAULTS)));
});

test('a change that the schema forbids is never called equivalent', () => {
  const forbidden = MUTANTS.filter(
    ({ wrong }) =>
      wrong &&
      (wrong.fault === 'null' || wrong.fault === 'other-type' || (wrong.fault === 'dropped' && wrong.field.isRequired)),
  );
  expect(forbidden.length).toBeGreaterThan(100);
  expect(forbidden.filter((mutant) => equivalence(mutant) !== undefined)).toEqual([]);
});

test('only moves replaceable by a creation, or shown by reads alone, are equivalent', () => {
  const ids = MUTANTS.filter((mutant) => mutant.rule && equivalence(mutant) !== undefined).map(({ id }) => id);
  expect(ids).toEqual([
    'rule/move/payment/CREATED/EXTRA_DATA_NEEDED/off',
    'rule/move/payment/CREATED/PAY_CONFIRMATION_NEEDED/off',
    'rule/move/payment/CREATED/VERIFYING/late',
  ]);
});

function found(id: string) {
  const mutant = MUTANTS.find((one) => one.id === id);
  if (!mutant) throw new Error(`no defect has the id '${id}'`);
  return mutant;
}
