import { describe, expect, it } from 'vitest';
import { assess } from '../../../conformance/src/run/assess.ts';
import { ASSUMED, claiming, createReport, finding, result } from './synthetic.ts';

const passing = result('state/passes', { partOf: ['payouts'] });
const violating = result('state/breaks', { partOf: ['payouts'], findings: [finding()] });
const differing = result('state/differs', { partOf: ['payouts'], findings: [finding({ clause: ASSUMED })] });
const unreached = result('state/unreached', {
  ...{ levels: ['payouts'], partOf: ['payouts'], verdict: 'not reached', reason: 'the payout stayed in PROCESSING' },
});
const faulty = result('state/faulty', { verdict: 'fault', reason: 'TypeError' });

const payouts = (...results: Parameters<typeof claiming>[1]) => claiming(['payouts'], results);

describe('the exit code', () => {
  it('is 0 if the service conforms', () => {
    expect(assess(payouts(passing))).toMatchObject({ exitCode: 0, outcome: 'conforms', failures: [], notes: [] });
  });

  it('is 1 if a check is violated', () => {
    expect(assess(payouts(passing, violating))).toMatchObject({
      exitCode: 1,
      outcome: "doesn't conform",
      failures: ['1 check violates the contract.'],
    });
  });

  it('is 1 if the service differs from an assumption, and 0 if only the source binds', () => {
    expect(assess(payouts(passing, differing))).toMatchObject({
      exitCode: 1,
      failures: ['1 check violates an assumption of the contract.'],
    });
    expect(assess(payouts(passing, differing), { profile: 'source' })).toMatchObject({ exitCode: 0, failures: [] });
  });

  it('is 3, not shown, if a claimed level misses a check and no check is violated', () => {
    expect(assess(payouts(passing, unreached))).toMatchObject({ exitCode: 3, outcome: 'not shown' });
    expect(assess(payouts(passing, unreached, violating)).exitCode).toBe(1);
    expect(assess(claiming(['webhooks'], [passing, unreached])).exitCode).toBe(0);
  });

  it('is 3 if no check shows that the service conforms', () => {
    const optional = result('walks/1', { verdict: 'not reached', reason: 'no walks' });
    expect(assess(payouts(optional))).toMatchObject({
      exitCode: 3,
      failures: ['No check shows that the service conforms.'],
    });
    expect(assess(payouts()).exitCode).toBe(3);
  });

  it("is 2 if the kit itself fails, which is not called the service's fault", () => {
    const { exitCode, failures } = assess(payouts(passing, faulty));
    expect(exitCode).toBe(2);
    expect(failures.join()).toContain('not the fault of the service');
  });

  it('is 1 if the service is violating and the kit fails', () => {
    expect(assess(payouts(passing, violating, faulty)).exitCode).toBe(1);
  });
});

it.each([
  ['document', 'violating, assumed'],
  ['source', 'differs'],
] as const)('under the profile %s, a difference from an assumption is named %s in every output', (profile, verdict) => {
  const { groups, checks, counts } = createReport(payouts(passing, differing), { profile });
  expect([groups[0]?.verdict, checks[1]?.verdict, counts[verdict]]).toEqual([verdict, verdict, 1]);
});

describe('a level', () => {
  it.each([
    ['met', [passing]],
    ['not met', [passing, violating]],
    ['not met', [passing, differing]],
    ['not shown', [passing, unreached]],
    ['not shown', [passing, faulty]],
  ] as const)('is %s', (outcome, results) => {
    expect(assess(payouts(...results)).levels).toMatchObject([{ level: 'payouts', outcome }]);
  });

  it('differs if only the source binds and the service differs from an assumption', () => {
    expect(assess(payouts(passing, differing), { profile: 'source' }).levels[0]?.outcome).toBe('differs');
  });

  it('is not shown if one of its checks was left out', () => {
    const run = payouts(passing, result('state/left-out', { partOf: ['payouts'] }));
    expect(assess({ ...run, results: [passing] }).levels).toMatchObject([
      { outcome: 'not shown', checks: ['state/left-out'] },
    ]);
  });

  it('is not met if a check of every service is violated', () => {
    const auth = result('auth/none', { findings: [finding()] });
    expect(assess(payouts(passing, auth)).levels[0]?.outcome).toBe('not met');
  });

  it('is not shown by checks of other levels', () => {
    expect(assess(claiming(['webhooks'], [passing])).levels[0]?.outcome).toBe('not shown');
  });
});

describe('known failures', () => {
  const known = (changes = {}) => ({ failures: [{ check: 'state/breaks', reason: 'soon', ...changes }], flaky: [] });
  const now = new Date('2027-01-31T12:00:00Z');

  it('pass the run but not the level, and are counted in the outcome', () => {
    expect(assess(payouts(passing, violating), { known: known() })).toMatchObject({
      ...{ exitCode: 0, outcome: 'conforms except for known failures', knownFailures: 1 },
      levels: [{ outcome: 'not met' }],
    });
  });

  it('are outdated when they pass, which fails the run on request', () => {
    const fixed = payouts(passing, result('state/breaks'));
    const outdated = ['1 known failure passes: remove it from the list.'];
    expect(assess(fixed, { known: known() })).toMatchObject({
      ...{ exitCode: 0, outcome: 'conforms', failures: [], notes: outdated },
    });
    expect(assess(fixed, { known: known(), strictKnownFailures: true })).toMatchObject({
      ...{ exitCode: 1, outcome: 'conforms', failures: outdated, notes: [] },
    });
  });

  it('fail the run from the day after the one on which they expire', () => {
    const run = payouts(passing, violating);
    expect(assess(run, { known: known({ expires: '2027-01-31' }), now }).exitCode).toBe(0);
    expect(assess(run, { known: known({ expires: '2027-01-30' }), now }).exitCode).toBe(1);
  });

  it('never fail the run if they are listed as flaky', () => {
    const flaky = { failures: [], flaky: [{ check: 'state/breaks', reason: 'races' }] };
    expect(assess(payouts(passing, violating), { known: flaky })).toMatchObject({
      ...{ exitCode: 0, outcome: 'conforms except for known failures', knownFailures: 1 },
      results: [{}, { exemption: 'flaky' }],
    });
  });
});

describe('requirements', () => {
  it("don't count a check added after the version", () => {
    const { exitCode, results, levels } = assess(payouts(passing, violating), { scored: new Set(['state/passes']) });
    expect(exitCode).toBe(0);
    expect(results[1]?.exemption).toBe('not scored');
    expect(levels[0]?.outcome).toBe('met');
  });
});
