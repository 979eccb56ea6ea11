/** A selection of the trial; `npm run verify:self` runs all of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { CONDITIONS, runUnder } from './conditions.ts';
import { DEFECTS } from './defects/index.ts';
import { openSqliteFile, type ReferenceGateway, startReference } from './reference.ts';
import { type Defect, tryDefect, tryVariation } from './trial.ts';
import { VARIATIONS } from './variations/index.ts';

/** One of each form of defect, from every area. */
const REPORTED = [
  'fields/createPayment/200/CREATED/transaction_id/dropped',
  'fields/getPayment/200/CREATED/created_at/null',
  'fields/getPayment/404/status/other-value',
  'rules/move/payment/EXTRA_DATA_NEEDED/PAY_CONFIRMATION_NEEDED/back',
  'fields/getPayment/200/SUCCESS/amount/other-value',
  'semantics/times/finalized_at-is-now',
  'validation/createPayment/amount/string',
  'access/isolation/getPayment',
  'repeats/payment/created-again',
  'webhooks/signature/other-key',
  'fields/paymentFailed/FAILED/decline_reason/dropped',
  'protocol/status/createPayout-201-as-200',
  'state/accepted/confirmPayment/EXTRA_DATA_NEEDED',
  'customers/amount/signed-32',
  'customers/text/loose-normalization',
  'customers/lookup/payout-found',
  'state/race/confirm',
  'webhooks/address/query-lost',
  'money/payout/all-that-is-available',
  'money/balance/late-decline-credited',
  'state/page/none',
  'state/incomplete/clarify-in-parts',
  'state/page/pays-when-loaded',
];

const PASSED = [
  ...['valid/source-only', 'valid/json/other-form', 'valid/http/gzip-in-chunks', 'valid/http/slow-without-keep-alive'],
  ...['valid/http/busy', 'valid/id/other-forms', 'valid/time/offset-and-microseconds', 'valid/webhook/duplicates'],
];

/** Checks for the valid variations here; the whole trial runs every check. */
const CHECKS = [
  ...['replay/createPayment/h2h-upi', 'replay/getPayment/succeeded', 'lookup/three-ways'],
  ...['webhook/arrives/paymentSucceeded', 'webhook/signature', 'webhook/identity', 'consistency/payment'],
];

/** The reference service doesn't send these. */
const UNSENT = ['413', '429', '500', '503'];
const BUNDLE = readBundle();

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
  const invisible: Defect = { ...found(DEFECTS, 'shape/createPayment/CREATED/wrapped-in-data'), alter: () => ({}) };
  expect(await tryDefect(invisible, bench())).toMatchObject({ passed: false, because: 'every check conforms' });
});

test('a defect that only another check sees is reported as missed', async () => {
  const elsewhere: Defect = {
    ...found(DEFECTS, 'shape/createPayment/CREATED/wrapped-in-data'),
    foundBy: 'replay/getBalance',
  };
  expect(await tryDefect(elsewhere, bench())).toMatchObject({ passed: false });
});

test('a variation that violates the source fails', async () => {
  const { alter } = found(DEFECTS, 'shape/createPayment/CREATED/wrapped-in-data');
  const unsound = { id: 'unsound', alter };
  const outcome = await tryVariation(unsound, bench(), ['replay/createPayment/h2h-upi']);
  expect(outcome).toMatchObject({ passed: false, because: expect.stringContaining('violating') });
});

test.concurrent('money that never settles leaves levels not shown, without a violation', async () => {
  const only = ['state/payout/SUCCESS', 'money/payout/withdrawn', 'walk'];
  const outcome = await runUnder(found(CONDITIONS, 'settlement-never'), openSqliteFile, {
    only,
    ...{ timeoutMs: TIMEOUT_MS, walks: 1 },
  });
  const reason = expect.stringMatching(
    /^the payout became FAILED .*: 0 INR available, \d+ still pending after 5 s; let /,
  );
  expect(outcome).toMatchObject({ passed: true, exitCode: 3 });
  expect(outcome.others).toContainEqual({ check: 'state/payout/SUCCESS', verdict: 'not reached', detail: reason });
});

test('each documented response and webhook has defects in its fields', () => {
  const ids = DEFECTS.map(({ id }) => id);
  const documented = [
    ...operations(BUNDLE).flatMap(({ id, responses }) =>
      responses.filter(({ body, status }) => body && !UNSENT.includes(status)).map(({ status }) => `${id}/${status}/`),
    ),
    ...webhooks(BUNDLE).map(({ id }) => `${id}/`),
  ];
  expect(documented.filter((place) => !ids.some((id) => id.startsWith(`fields/${place}`)))).toEqual([]);
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
