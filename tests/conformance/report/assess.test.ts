import { describe, expect, it } from 'vitest';
import type { Result } from '../../../conformance/src/core/check.ts';
import { assess, type Rules } from '../../../conformance/src/run/assess.ts';
import { ASSUMED, claiming, createReport, finding, result } from './synthetic.ts';

const passing = result('state/passes', { partOf: ['payouts'] });
const violating = result('state/breaks', { partOf: ['payouts'], findings: [finding()] });
const differing = result('state/differs', { partOf: ['payouts'], findings: [finding({ clause: ASSUMED })] });
const unreached = result('state/unreached', {
  ...{ levels: ['payouts'], partOf: ['payouts'], verdict: 'not reached', reason: 'the payout stayed in PROCESSING' },
});
const optional = result('walks/1', { verdict: 'not reached', reason: 'no walks' });
const faulty = result('state/faulty', { verdict: 'fault', reason: 'TypeError' });
const general = result('auth/none', { findings: [finding()] });

const payouts = (...results: readonly Result[]) => claiming(['payouts'], results);

const KIT_FAILED = expect.stringContaining('not the fault of the service');

it.each<[string, readonly Result[], object]>([
  ['0 if the service conforms', [passing], { exitCode: 0, outcome: 'conforms', failures: [], notes: [] }],
  ['0 if an optional check is not reached', [passing, optional], { exitCode: 0 }],
  [
    '1 if a check is violated, even if others are not reached or the kit fails',
    [passing, unreached, faulty, violating],
    {
      ...{ exitCode: 1, outcome: "doesn't conform" },
      failures: [
        ...['1 check violates the contract.', '1 check that a claimed level needs was not reached.'],
        KIT_FAILED,
      ],
    },
  ],
  [
    '1 if the service differs from an assumption',
    [passing, differing],
    { exitCode: 1, failures: ['1 check violates an assumption of the contract.'] },
  ],
  ['2 if the kit itself fails', [passing, faulty], { exitCode: 2, failures: [KIT_FAILED] }],
  ['3 if a claimed level misses a check', [passing, unreached], { exitCode: 3, outcome: 'not shown' }],
  [
    '3 if no check shows that the service conforms',
    [optional],
    { exitCode: 3, failures: ['No check shows that the service conforms.'] },
  ],
])('the exit code is %s', (_title, results, assessment) => {
  expect(assess(payouts(...results))).toMatchObject(assessment);
});

it.each([
  ['document', 'violating, assumed', 'not met', 1],
  ['source', 'differs', 'differs', 0],
] as const)('under the profile %s, a difference from an assumption is named %s in every output', (...row) => {
  const [profile, verdict, outcome, exitCode] = row;
  const report = createReport(payouts(passing, differing), { profile });
  const { groups, checks, counts, levels } = report;
  expect([groups[0]?.verdict, checks[1]?.verdict, counts[verdict]]).toEqual([verdict, verdict, 1]);
  expect([groups[0]?.fails, levels[0]?.outcome, report.exitCode]).toEqual([exitCode === 1, outcome, exitCode]);
});

describe('a level', () => {
  it.each([
    ['met', [passing]],
    ['not met', [passing, violating]],
    ['not met', [passing, general]],
    ['not shown', [passing, unreached]],
    ['not shown', [passing, faulty]],
  ] as const)('is %s', (outcome, results) => {
    expect(assess(payouts(...results)).levels).toMatchObject([{ level: 'payouts', outcome }]);
  });

  it('is not shown if one of its checks was left out', () => {
    const run = payouts(passing, result('state/left-out', { partOf: ['payouts'] }));
    expect(assess({ ...run, results: [passing] }).levels).toMatchObject([
      { outcome: 'not shown', checks: ['state/left-out'] },
    ]);
  });

  it('is not shown by checks of other levels, and needs none of them', () => {
    const { exitCode, levels } = assess(claiming(['webhooks'], [passing, unreached]));
    expect([exitCode, levels[0]?.outcome]).toEqual([0, 'not shown']);
  });
});

describe('known failures', () => {
  const now = new Date('2027-01-31T12:00:00Z');
  const known = (changes = {}) => ({ failures: [{ check: 'state/breaks', reason: 'soon', ...changes }], flaky: [] });
  const outdated = ['1 known failure passes: remove it from the list.'];
  const tolerated = { exitCode: 0, outcome: 'conforms except for known failures', knownFailures: 1 };

  it.each<[string, Result, Rules, object]>([
    [
      'pass the run but not the level',
      violating,
      { known: known() },
      { ...tolerated, levels: [{ outcome: 'not met' }] },
    ],
    [
      'are outdated when they pass',
      result('state/breaks'),
      { known: known() },
      { exitCode: 0, outcome: 'conforms', failures: [], notes: outdated },
    ],
    ['pass the run on the day on which they expire', violating, { known: known({ expires: '2027-01-31' }) }, tolerated],
    ['fail the run on the next day', violating, { known: known({ expires: '2027-01-30' }) }, { exitCode: 1 }],
    [
      'never fail the run if they are listed as flaky',
      violating,
      { known: { failures: [], flaky: [{ check: 'state/breaks', reason: 'races' }] } },
      { ...tolerated, results: [{}, { exemption: 'flaky' }] },
    ],
  ])('%s', (_title, checked, rules, assessment) => {
    expect(assess(payouts(passing, checked), { ...rules, now })).toMatchObject(assessment);
  });
});

it("requirements don't count a check added after their version", () => {
  expect(assess(payouts(passing, violating), { scored: new Set(['state/passes']) })).toMatchObject({
    ...{ exitCode: 0, results: [{}, { exemption: 'not scored' }], levels: [{ outcome: 'met' }] },
  });
});
