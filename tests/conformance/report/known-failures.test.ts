import { expect, it } from 'vitest';
import { parseKnownFailures, readKnownFailures, withFailures } from '../../../conformance/src/run/known-failures.ts';

const FILE = 'known-failures.json';

it('known failures are read from a file that may begin with a byte order mark', () => {
  const known = { failures: [{ check: 'a/b', reason: 'soon', ticket: 'PAY-1', expires: '2027-01-31' }], flaky: [] };
  expect(parseKnownFailures(`\uFEFF${JSON.stringify(known)}`, FILE)).toEqual(known);
});

it.each([
  ['no list', [], 'expected an object'],
  ['an unknown list', { known: [] }, "'known' is unknown"],
  ['an entry without a reason', { failures: [{ check: 'a' }] }, "failures[0]: 'reason' is missing"],
  ['an unknown member', { flaky: [{ check: 'a', reason: 'b', expires: '2027-01-31' }] }, "'expires' is unknown"],
  ['no such day', { failures: [{ check: 'a', reason: 'b', expires: '2027-02-29' }] }, "found '2027-02-29'"],
  ['an entry twice', { failures: [{ check: 'a', reason: 'b' }], flaky: [{ check: 'a', reason: 'b' }] }, 'twice'],
])('the file of known failures is refused with %s', (_what, value, message) => {
  expect(() => parseKnownFailures(JSON.stringify(value), FILE)).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
  );
});

it('the file of known failures is refused if it is not JSON, or not there', () => {
  expect(() => parseKnownFailures('failures:', FILE)).toThrow('the file is not JSON');
  expect(() => readKnownFailures('/nowhere/known.json')).toThrow('--init-known-failures');
});

it('writing the list from a run keeps reasons, adds failing checks, and removes passing ones', () => {
  const known = {
    failures: ['fails', 'passes', 'was-left-out'].map((check) => ({ check, reason: 'as before' })),
    flaky: [{ check: 'flaky', reason: 'races' }],
  };
  const failing = new Map([
    ['fails', 'new reason'],
    ['new', 'status: expected 201, found 500'],
    ['flaky', 'failed'],
  ]);
  const ran = new Set(['fails', 'passes', 'new', 'flaky']);
  expect(withFailures(known, failing, ran)).toEqual({
    failures: [
      { check: 'fails', reason: 'as before' },
      { check: 'was-left-out', reason: 'as before' },
      { check: 'new', reason: 'status: expected 201, found 500' },
    ],
    flaky: known.flaky,
  });
});
