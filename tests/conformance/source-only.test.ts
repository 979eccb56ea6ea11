/** source-only.long.test.ts also runs the checks that wait, and bad input. */
import { expect, test } from 'vitest';
import { verifySourceOnly } from './source-only.ts';

const SKIPPED = [
  ...['repeat/payment/at-once', 'repeat/payout/at-once', 'repeat/payment/later', 'repeat/payout/later'],
  ...['bad-input', 'money/last-updated'],
];

test('a service built from the source alone has no violations, and differs where it chose otherwise', async () => {
  const results = await verifySourceOnly(SKIPPED);
  const of = (verdict: string) => results.filter((result) => result.verdict === verdict);
  expect(of('violating').map(({ id, findings }) => ({ id, findings }))).toEqual([]);
  expect(of('fault').map(({ id, reason }) => ({ id, reason }))).toEqual([]);
  expect(of('differs').map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'repeat/payment/same',
      'webhook/signature',
      'webhook/retry/gone',
      'bad-request/findPayment/unknown-parameter',
    ]),
  );
}, 600_000);
