import { expect, it, vi } from 'vitest';
import { specified } from '../../../conformance/src/document/contract.ts';
import { badge } from '../../../conformance/src/report/badge.ts';
import { reportClause } from '../../../conformance/src/report/clause-text.ts';
import { githubAnnotations, githubSummary } from '../../../conformance/src/report/github.ts';
import { harText } from '../../../conformance/src/report/har.ts';
import { junitReport } from '../../../conformance/src/report/junit.ts';
import { terminalReport } from '../../../conformance/src/report/terminal.ts';
import {
  ASSUMED,
  contract,
  createExchange,
  createReport,
  finding,
  KEY,
  result,
  SECRET,
  SUCCESS,
  verification,
} from './synthetic.ts';

const BROKEN = 'replay/createPayment/h2h-upi';
const exchange = createExchange({ status: 'CREATED', note: `<b>"${SECRET}"</b>${SECRET}`, extra: 1 });
const run = verification(
  [
    result('balance/reads'),
    result(BROKEN, { findings: [finding({ exchange, found: '<img>|`' })] }),
    result('state/differs', { findings: [finding({ clause: ASSUMED })] }),
    result('webhooks/arrive', { verdict: 'not reached', reason: 'none came', levels: ['webhooks'] }),
    result('walks/faulty', { verdict: 'fault', reason: 'TypeError: x\x1b[2J' }),
    result('known/one', { findings: [finding()] }),
  ],
  { journal: { exchanges: [exchange], deliveries: [] } },
);
const known = { failures: [{ check: 'known/one', reason: 'fixed next week' }], flaky: [] };
const report = createReport(run, { known });

it('evidence is a request that can be sent again, with the key in a variable', () => {
  const { evidence } = report.checks[1]?.findings[0] ?? {};
  const command = `curl -i -X POST 'http://service.test/payments' -H "Authorization: Bearer $API_KEY"`;
  expect(evidence?.curl?.slice(0, command.length)).toBe(command);
});

it.each([KEY, SECRET])('the report and the recording never have a secret', (secret) => {
  expect(JSON.stringify(report)).not.toContain(secret);
  expect(harText(run)).not.toContain(secret);
});

it('the report has the clause in the words of the document, and a link into the reference', () => {
  expect(report.checks[1]?.findings[0]?.clause).toMatchObject({
    basis: 'specified',
    text: expect.stringMatching(/^Creates a payment session\./),
    link: 'https://docs.gateway.example/docs/createPayment.html',
  });
  expect(report.checks[2]?.findings[0]?.clause).toMatchObject({
    ...{ basis: 'assumed', rests: 'assumption timestamps' },
    link: 'https://docs.gateway.example/docs/assumptions.html#timestamps',
  });
  const pointer = '/components/schemas/PayoutDeclineReason/anyOf/0/x-decline-reasons/LIMIT_EXCEEDED';
  expect(reportClause(contract, specified('7', pointer))).toMatchObject({
    ...{ text: 'Limit reached', link: 'https://docs.gateway.example/docs/PayoutDeclineReason.html#limit_exceeded' },
  });
});

it('the terminal report begins with the first thing to fix, and ends with the outcome', () => {
  const text = terminalReport(report);
  expect(text).toMatch(new RegExp(`^1\\. violating {2}${BROKEN}`));
  expect(text).toContain(`createPayment ${SUCCESS} /extra (1 times)`);
  expect(text).toContain("http://service.test doesn't conform.");
  expect(text).toContain('coverage: operations 1/8, ');
  expect(text).toContain('6 checks: 1 conforming; 2 violating; 1 violating, assumed; 1 not reached; 1 fault');
});

it('the terminal report has colors only if stdout takes them, and none of the service', () => {
  const text = terminalReport(report);
  expect(text).not.toContain('\x1b[');
  expect(text).toContain('TypeError: x\\u001b[2J');
  vi.stubEnv('FORCE_COLOR', '1');
  const colored = terminalReport(report);
  vi.unstubAllEnvs();
  expect(colored).toContain('\x1b[31m');
  expect(colored).not.toContain('\x1b[2J');
});

it('the terminal report has no line of the service that GitHub Actions would take for a command', () => {
  const command = '::add-mask::x';
  const shown = createExchange({}, 200);
  const all = [
    result('a/body', { findings: [finding({ exchange: { ...shown, text: `{\n${command}\n}` } })] }),
    result('a/found', { findings: [finding({ found: `x\n${command}` })] }),
    result('a/reason', { verdict: 'not reached', reason: `x\n  ${command}`, remedy: `y\n${command}` }),
  ];
  const text = terminalReport(createReport(verification(all)));
  expect(text.match(/::add-mask/g)).toHaveLength(4);
  expect(text.split('\n').filter((line) => line.trim().startsWith('::'))).toEqual([]);
});

it('the JUnit report has a suite for each family, skips known failures, and escapes text of the service', () => {
  const xml = junitReport(report);
  expect(xml).toContain('<testsuites name="payments-conformance" tests="6" failures="3" errors="1" skipped="1"');
  expect(xml.match(/<testsuite name="(\w+)"/g)).toHaveLength(6);
  expect(xml).toMatch(/classname="known\/one"[^>]*><skipped message="known failure: /);
  expect(xml).toContain('&lt;b&gt;\\&quot;$WEBHOOK_SECRET');
  expect(xml).not.toContain('<b>');
});

it('each cause is an annotation on GitHub, on one line', () => {
  const lines = githubAnnotations(report);
  expect(lines[0]).toMatch(new RegExp(`^::error title=violating%3A ${BROKEN}::`));
  expect(lines.join('\n').split('\n')).toHaveLength(report.groups.length);
});

it('the summary on GitHub has levels and causes, without markup of the service', () => {
  const text = githubSummary(report);
  expect(text).toContain("## http://service.test doesn't conform");
  expect(text).toContain('| payouts | not met |');
  expect(text).toContain('\\<img\\>\\|\\`');
});

it('the badge says how many levels are met, also to screen readers', () => {
  expect(badge(report)).toMatch(/aria-label="conformance: 1\.0\.0-dev, 0 of 5 levels"/);
});
