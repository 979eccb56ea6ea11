/** A selection of the trial; `npm run verify:self` runs all of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONDITIONS, runUnder } from './conditions.ts';
import { DEFECTS } from './defects/index.ts';
import { openSqliteFile, type ReferenceGateway, startReference } from './reference.ts';
import { type Defect, tryDefect, tryVariation } from './trial.ts';
import { VARIATIONS } from './variations/index.ts';

/** One of each way to plant a defect, from every area. */
const REPORTED = [
  'shape/session/no-transaction_id',
  'semantics/echo/amount-on-read',
  'semantics/final/success-becomes-failed',
  'validation/payment/amount-string',
  'validation/isolation/getPayment',
  'money/repeat/payment-gets-a-new-one',
  'webhooks/signature/other-key',
  'webhooks/body/paymentFailed-no-decline_reason',
  'protocol/status/createPayout-201-as-200',
  'state/illegal/confirmPayment-in-EXTRA_DATA_NEEDED',
  'customers/amount/signed-32',
  'customers/text/loose-normalization',
  'customers/lookup/cached',
  'customers/race/confirmPayment',
  'customers/webhook/query-lost',
  'money/payout/all-that-is-available',
  'money/balance/negative-pending',
  'state/redirect/no-address',
];

const PASSED = [
  'valid/json/key-order',
  'valid/json/unknown-fields',
  'valid/http/gzip',
  'valid/id/uuids',
  'valid/time/offset',
  'valid/webhook/duplicates',
];

/** Checks for the valid variations here; the whole trial runs every check. */
const CHECKS = [
  ...['replay/createPayment/h2h-upi', 'replay/getPayment/succeeded', 'lookup/three-ways'],
  ...['webhook/arrives/paymentSucceeded', 'webhook/signature', 'webhook/identity', 'consistency/payment'],
];

/** Settlement is off, and a busy machine responds. */
const TIMEOUT_MS = 5_000;

let shared: ReferenceGateway;
const bench = () => ({ open: openSqliteFile, shared });

beforeAll(async () => {
  shared = await startReference(openSqliteFile, { sandbox: true });
});

afterAll(() => shared.close());

test.concurrent.each(REPORTED)('%s is reported by its intended check', async (id) => {
  expect(await tryDefect(found(DEFECTS, id), bench())).toMatchObject({ passed: true });
});

test.concurrent.each(PASSED)('%s passes', async (id) => {
  expect(await tryVariation(found(VARIATIONS, id), bench(), CHECKS)).toMatchObject({ passed: true });
});

test('a defect that the kit does not see is reported as missed', async () => {
  const invisible: Defect = { ...found(DEFECTS, 'shape/session/no-amount'), alter: () => ({}) };
  expect(await tryDefect(invisible, bench())).toMatchObject({ passed: false, because: 'every check conforms' });
});

test('a defect that only another check sees is reported as missed', async () => {
  const elsewhere: Defect = { ...found(DEFECTS, 'shape/session/no-amount'), foundBy: 'replay/getBalance' };
  expect(await tryDefect(elsewhere, bench())).toMatchObject({ passed: false });
});

test('a variation that violates the source fails', async () => {
  const { alter } = found(DEFECTS, 'shape/session/no-amount');
  const unsound = { id: 'unsound', title: 'unsound', alter };
  const outcome = await tryVariation(unsound, bench(), ['replay/createPayment/h2h-upi']);
  expect(outcome).toMatchObject({ passed: false, because: expect.stringContaining('violating') });
});

test.concurrent('money that never settles leaves levels not shown, without a violation', async () => {
  const only = ['state/payout/SUCCESS', 'money/payout/withdrawn', 'walk'];
  const outcome = await runUnder(found(CONDITIONS, 'settlement-never'), openSqliteFile, {
    only,
    timeoutMs: TIMEOUT_MS,
  });
  const reason = expect.stringMatching(
    /^the payout became FAILED .*: 0 INR available, \d+ still pending after 5 s; let /,
  );
  expect(outcome).toMatchObject({ passed: true, exitCode: 3 });
  expect(outcome.others).toContainEqual({ check: 'state/payout/SUCCESS', verdict: 'not reached', detail: reason });
});

test('ids of trials are unique', () => {
  const ids = [...DEFECTS, ...VARIATIONS].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

function found<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const one = all.find((each) => each.id === id);
  if (!one) throw new Error(`no trial has the id '${id}'`);
  return one;
}
